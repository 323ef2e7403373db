# libplist: property lists, for network descriptions.
find_path(ANE_PLIST_INCLUDE_DIR plist/plist.h REQUIRED)
find_library(ANE_PLIST_LIBRARY plist-2.0 REQUIRED)
add_library(plist::plist UNKNOWN IMPORTED)
set_target_properties(plist::plist PROPERTIES
  IMPORTED_LOCATION "${ANE_PLIST_LIBRARY}"
  INTERFACE_INCLUDE_DIRECTORIES "${ANE_PLIST_INCLUDE_DIR}")
