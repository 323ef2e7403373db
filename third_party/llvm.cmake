# LLVM and MLIR 22, from Debian's packages unless CMake is told of others.
find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22)

# LLVM's package names a lit that Debian does not install at that path.
set(LLVM_EXTERNAL_LIT "${LLVM_TOOLS_BINARY_DIR}/lit")

# A tool that loads libLLVM.so spends 20 ms in the dynamic loader before main;
# linked statically it starts in about 1 ms.
if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED ANE_LINK_LLVM_DYLIB)
  set(ANE_LINK_LLVM_DYLIB OFF)
endif()
include(third_party/LinkLLVM.cmake)
