# CLI11, header only. It throws on a bad command line, so tools keep exceptions.
find_package(CLI11 2.1 REQUIRED CONFIG)
