# libplist: property lists, for network descriptions.
find_path(LibPlist_INCLUDE_DIR plist/plist.h)
find_library(LibPlist_LIBRARY plist-2.0)
mark_as_advanced(LibPlist_INCLUDE_DIR LibPlist_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  LibPlist REQUIRED_VARS LibPlist_LIBRARY LibPlist_INCLUDE_DIR)

if(LibPlist_FOUND AND NOT TARGET plist::plist)
  add_library(plist::plist UNKNOWN IMPORTED)
  set_target_properties(plist::plist PROPERTIES
    IMPORTED_LOCATION "${LibPlist_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${LibPlist_INCLUDE_DIR}")
endif()
