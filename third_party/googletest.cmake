# GoogleTest, for the unit tests only.
find_package(GTest 1.12 REQUIRED CONFIG)
include(GoogleTest)
