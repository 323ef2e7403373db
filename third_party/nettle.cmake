# Nettle: SHA-256 with the processor's instructions.
find_path(ANE_NETTLE_INCLUDE_DIR nettle/sha2.h REQUIRED)
find_library(ANE_NETTLE_LIBRARY nettle REQUIRED)
add_library(nettle::nettle UNKNOWN IMPORTED)
set_target_properties(nettle::nettle PROPERTIES
  IMPORTED_LOCATION "${ANE_NETTLE_LIBRARY}"
  INTERFACE_INCLUDE_DIRECTORIES "${ANE_NETTLE_INCLUDE_DIR}")
