# LLVM and MLIR 22 from Debian's packages, linked statically.
#
# A tool that loads libMLIR.so and libLLVM.so spends 20 ms in the dynamic
# loader before main; linked statically it starts in about 1 ms. Debian ships
# every archive, but MLIR's exported targets name the shared LLVM in their link
# interface, so that name is replaced by the archives MLIR really needs.

list(APPEND CMAKE_PREFIX_PATH /usr/lib/llvm-22)
find_package(MLIR 22.1 REQUIRED CONFIG)

# LLVM's package names a lit that Debian does not install at that path.
set(LLVM_EXTERNAL_LIT "${LLVM_TOOLS_BINARY_DIR}/lit")

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)

set(ANE_LLVM_ARCHIVES LLVMSupport LLVMCore LLVMRemarks LLVMTargetParser
    LLVMAsmParser LLVMSupportLSP)
foreach(target ${MLIR_EXPORTED_TARGETS})
  get_target_property(kind ${target} TYPE)
  if(kind STREQUAL "STATIC_LIBRARY")
    get_target_property(libs ${target} INTERFACE_LINK_LIBRARIES)
    if(libs)
      list(TRANSFORM libs REPLACE "^LLVM$" "${ANE_LLVM_ARCHIVES}")
      set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES
                                                 "${libs}")
    endif()
  endif()
endforeach()

include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
separate_arguments(definitions UNIX_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${definitions})
