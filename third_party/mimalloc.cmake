# mimalloc, shared, in front of the C library's malloc in the tools that link
# ane_allocator. A sanitizer has an allocator of its own.
cmake_dependent_option(
  ANE_MIMALLOC "Let tools that compile take memory from mimalloc" ON
  "NOT ANE_SANITIZE;NOT ANE_BUILD_FUZZERS" OFF)
add_library(ane_allocator INTERFACE)
if(ANE_MIMALLOC)
  find_package(mimalloc 2.0 REQUIRED CONFIG)
  target_link_libraries(ane_allocator INTERFACE mimalloc)
  target_sources(ane_allocator INTERFACE
                 ${PROJECT_SOURCE_DIR}/tools/LargePages.cpp)
endif()
