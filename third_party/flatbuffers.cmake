# FlatBuffers: the runtime headers and flatc, which runs at build time.
find_package(FlatBuffers 2.0 REQUIRED CONFIG)
find_program(ANE_FLATC flatc REQUIRED)
