# ANE::LLVM, the LLVM below this project's libraries. Read by the build and by
# the installed package, after find_package(MLIR).
#
# A process must have one copy of LLVM, so all that links into it makes the same
# choice: libLLVM.so with ANE_LINK_LLVM_DYLIB, otherwise LLVM's archives. Unless
# it is set, it is what LLVM's own CMake functions do.
if(NOT DEFINED ANE_LINK_LLVM_DYLIB)
  set(ANE_LINK_LLVM_DYLIB ${LLVM_LINK_LLVM_DYLIB})
endif()

if(NOT TARGET ANE::LLVM)
  add_library(ANE::LLVM INTERFACE IMPORTED)
  target_include_directories(ANE::LLVM SYSTEM INTERFACE
    ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  separate_arguments(ANE_LLVM_DEFINITIONS UNIX_COMMAND "${LLVM_DEFINITIONS}")
  target_compile_definitions(ANE::LLVM INTERFACE ${ANE_LLVM_DEFINITIONS})
  if(ANE_LINK_LLVM_DYLIB)
    target_link_libraries(ANE::LLVM INTERFACE LLVM)
  else()
    target_link_libraries(ANE::LLVM INTERFACE LLVMSupport)
  endif()
endif()

# Where LLVM was built to be linked as libLLVM.so, as Debian's is, MLIR's
# exported targets name that in their link interface. Its place take the
# archives that MLIR really needs.
if(NOT ANE_LINK_LLVM_DYLIB)
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
endif()
