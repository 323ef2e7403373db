/*===- consumer.c - A program of another project --------------------------===*/

#include "ane/Engine/ane.h"

int main(void) { return ane_api_version() != ANE_API_VERSION; }
