//===- Parts.h - The parts of a file ----------------------------*- C++ -*-===//
//
// Each function lists one part. The result refers to the input.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TOOLS_OBJDUMP_PARTS_H
#define ANE_TOOLS_OBJDUMP_PARTS_H

#include "Input.h"
#include "Listing.h"

namespace ane::objdump {

Part headerPart(const object::Object &object);
Part commandsPart(const object::Object &object);
Part symbolsPart(const object::Object &object);
Part relocationsPart(const object::Object &object);

/// The tensors of the program, each with everything that is said of it: by the
/// port command, the operand descriptor, the BAR table and the tasks.
Part portsPart(const Input &input);

/// The tasks, a block of registers each an item. `allFields` also lists the
/// fields that are zero.
Part tasksPart(const Input &input, bool allFields);

/// The enabled coefficient lanes of all tasks.
Part lanesPart(const Input &input);

/// What each task and all together should cost, in bytes and cycles.
Part costPart(const Input &input);

/// The words of the tasks as the stream has them: records of registers.
Part registersPart(const Input &input);

/// The descriptors of `readDescriptors`; one must be there.
Part e5Part(const Input &input);

/// `input`, `coefficients` and so on, for the type of a section.
llvm::StringRef sectionTypeName(object::SectionType type);
/// The name of an element type, as the symbol table defines it.
std::string elementName(object::ElementCode code);

} // namespace ane::objdump

#endif // ANE_TOOLS_OBJDUMP_PARTS_H
