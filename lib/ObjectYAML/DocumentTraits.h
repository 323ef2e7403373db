//===- DocumentTraits.h - YAML of a document --------------------*- C++ -*-===//

#ifndef ANE_LIB_OBJECTYAML_DOCUMENTTRAITS_H
#define ANE_LIB_OBJECTYAML_DOCUMENTTRAITS_H

#include "Document.h"

LLVM_YAML_IS_SEQUENCE_VECTOR(ane::objectyaml::NoteItem)
LLVM_YAML_IS_SEQUENCE_VECTOR(ane::objectyaml::PortItem)
LLVM_YAML_IS_SEQUENCE_VECTOR(ane::objectyaml::TaskItem)

LLVM_YAML_DECLARE_MAPPING_TRAITS(ane::objectyaml::NoteItem)
LLVM_YAML_DECLARE_MAPPING_TRAITS(ane::objectyaml::Document)

namespace llvm::yaml {

template <> struct MappingTraits<ane::objectyaml::PortItem> {
  static void mapping(IO &io, ane::objectyaml::PortItem &port);
};

/// Keys are names of register fields (TaskTraits.cpp).
template <> struct CustomMappingTraits<ane::objectyaml::TaskItem> {
  static void inputOne(IO &io, StringRef key, ane::objectyaml::TaskItem &task);
  static void output(IO &io, ane::objectyaml::TaskItem &task);
};

} // namespace llvm::yaml

namespace ane::objectyaml {

/// The place of what is being read; nothing when writing.
inline llvm::SMLoc placeOf(llvm::yaml::IO &io) {
  if (io.outputting())
    return {};
  const llvm::yaml::Node *node =
      static_cast<llvm::yaml::Input &>(io).getCurrentNode();
  return node ? node->getSourceRange().Start : llvm::SMLoc();
}

} // namespace ane::objectyaml

#endif // ANE_LIB_OBJECTYAML_DOCUMENTTRAITS_H
