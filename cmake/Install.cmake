# What find_package(ANE) of another project needs; libraries and tools are
# installed where they are added.
include(CMakePackageConfigHelpers)

install(DIRECTORY include/ane ${PROJECT_BINARY_DIR}/include/ane
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" PATTERN "*.h.inc" PATTERN "Registers.inc"
        PATTERN "*_generated.h" EXCLUDE)
# For the TableGen of others, which includes "MIL/MILOps.td".
set(ANE_INSTALL_TABLEGENDIR ${CMAKE_INSTALL_DATADIR}/ane/dialects)
install(DIRECTORY dialects/
        DESTINATION ${ANE_INSTALL_TABLEGENDIR}
        FILES_MATCHING PATTERN "*.td")

set(ANE_INSTALL_CMAKEDIR ${CMAKE_INSTALL_LIBDIR}/cmake/ANE)
configure_package_config_file(
  cmake/ANEConfig.cmake.in ${PROJECT_BINARY_DIR}/cmake/ANEConfig.cmake
  INSTALL_DESTINATION ${ANE_INSTALL_CMAKEDIR}
  PATH_VARS ANE_INSTALL_TABLEGENDIR)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/cmake/ANEConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/ANEConfig.cmake
              ${PROJECT_BINARY_DIR}/cmake/ANEConfigVersion.cmake
              third_party/FindLibPlist.cmake
              third_party/FindNettle.cmake
              third_party/LinkLLVM.cmake
        DESTINATION ${ANE_INSTALL_CMAKEDIR})
install(EXPORT ANETargets
        NAMESPACE ANE::
        DESTINATION ${ANE_INSTALL_CMAKEDIR})
