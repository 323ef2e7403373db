//===- Style.cpp - How compiler versions spell a container ----------------===//

#include "ane/Object/Style.h"
#include "llvm/Support/ErrorHandling.h"

using namespace ane::object;

llvm::StringRef ane::object::stringifyDialect(Dialect dialect) {
  switch (dialect) {
  case Dialect::V421:
    return "v4.2.1";
  case Dialect::MacOS26:
    return "macos26";
  case Dialect::V9509:
    return "v9.509";
  }
  llvm_unreachable("unknown dialect");
}

/// The first `count` element types, which is how versions differ.
static std::vector<std::string> firstTypes(size_t count) {
  return {std::begin(typeStabs), std::begin(typeStabs) + count};
}

static ContainerStyle makeV421() {
  ContainerStyle style;
  style.order = {MemoryPart::Text, MemoryPart::Scratch, MemoryPart::Inputs,
                 MemoryPart::Outputs};
  style.types = firstTypes(typesOfV421);
  return style;
}

/// What v7.6.4 does, and the order of macOS 26.
static ContainerStyle makeMacOS26() {
  ContainerStyle style;
  style.order = {MemoryPart::Inputs, MemoryPart::Outputs, MemoryPart::Scratch,
                 MemoryPart::Text};
  style.portCommand = portCommand;
  style.suffixedPorts = false;
  style.exactOutputBytes = false;
  style.programWords = longProgramStateWords;
  style.operandWords = longOperandStateWords;
  style.properties = {{9, llvm::SmallVector<uint8_t, 8>(8, 0)}};
  style.opaque858 = 3;
  style.types = firstTypes(typesOfV764);
  return style;
}

static ContainerStyle makeV9509() {
  ContainerStyle style = makeMacOS26();
  style.order = {MemoryPart::Scratch, MemoryPart::Spare, MemoryPart::Inputs,
                 MemoryPart::Outputs, MemoryPart::Text,  MemoryPart::Kernels};
  style.types = firstTypes(std::size(typeStabs));
  style.kernelSegments = true;
  style.maxKernelBytes = uint64_t(128) << 20;
  style.laneSentinels = true;
  style.minScratchBytes = pageBytes;
  return style;
}

const ContainerStyle &ane::object::styleOf(Dialect dialect) {
  static const ContainerStyle v421 = makeV421();
  static const ContainerStyle macOS26 = makeMacOS26();
  static const ContainerStyle v9509 = makeV9509();
  switch (dialect) {
  case Dialect::V421:
    return v421;
  case Dialect::MacOS26:
    return macOS26;
  case Dialect::V9509:
    return v9509;
  }
  llvm_unreachable("unknown dialect");
}

std::vector<NoteSpec> ane::object::notesOf(Dialect dialect) {
  // The note of v5.4.1 (verified there): the source of v9.509 counts one.
  if (dialect == Dialect::V9509)
    return {{"src model info", {0}}};
  return {};
}

std::vector<std::string> ane::object::bannerOf(Dialect dialect) {
  if (dialect != Dialect::V9509)
    return {};
  return {
      " Module 0: ",
      "\t ModuleVersion: 3520.4.1",
      " Module ANEC: ",
      "\t ModuleBundleName: com.apple.ANECompilerFramework",
      "\t ModuleVersion: 9.509.0",
      "\t ModuleCompilationFlags: ",
      "\t-t h13g",
      "\t--fl2-cache-mode=resident",
      "\t--fkernel-rewind=enabled",
      "\t--split-kernel-section=true",
      "\t--max-kernel-section-size=134217728",
      "\t--e4m3-overflow-setting=Saturate",
      "\t--memcache-size=4194304",
      "\t--bss-limit=3221225472",
      "\t--foptimize-ne-utilization=true",
      "\t--enable-global-cw-optimization=true",
      "\t-i model.mil",
      "\t-o model.hwx.tmp",
  };
}
