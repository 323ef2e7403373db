/*===- run-many.c - Runs a container on many inputs -----------------------===*/
/*
 * usage: run-many FILE.hwx RUNS [PROCEDURE]
 *
 * Fills every fp16 input with 1, 2, 3 and so on from run to run, and prints the
 * first element of each output as bits.
 */

#include "ane/Engine/ane.h"
#include <stdio.h>
#include <stdlib.h>

/* The fp16 bits of a whole number from 1 to 2048. */
static uint16_t half(unsigned number) {
  unsigned exponent = 0;
  while (number >> (exponent + 1))
    ++exponent;
  return (uint16_t)(((exponent + 15) << 10) |
                    ((number << 10 >> exponent) & 0x3ff));
}

static int fail(ane_program *program) {
  fprintf(stderr, "%s\n", ane_last_error(program));
  ane_free(program);
  return 1;
}

static int run(ane_program *program, uint16_t **arrays, unsigned number) {
  size_t count = ane_num_ports(program);
  ane_port port;
  for (size_t i = 0; i < count; ++i) {
    if (ane_get_port(program, i, &port))
      return 1;
    /* A state goes on from the run before. */
    if (!port.is_input || ane_is_state(program, i))
      continue;
    for (size_t j = 0; j < port.bytes / sizeof(uint16_t); ++j)
      arrays[i][j] = half(number);
    if (ane_set_input(program, i, arrays[i], port.bytes))
      return 1;
  }
  if (ane_run(program, 0))
    return 1;
  for (size_t i = 0; i < count; ++i) {
    if (ane_get_port(program, i, &port))
      return 1;
    if (port.is_input)
      continue;
    if (ane_get_output(program, i, arrays[i], port.bytes))
      return 1;
    printf("%u: %s[0] = 0x%04x\n", number, port.name, arrays[i][0]);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 3 && argc != 4) {
    fprintf(stderr, "usage: run-many FILE.hwx RUNS [PROCEDURE]\n");
    return 2;
  }
  if (ane_api_version() != ANE_API_VERSION) {
    fprintf(stderr, "the library is not the one of the header\n");
    return 1;
  }
  char *message = NULL;
  ane_program *program = argc == 4
                             ? ane_load_procedure(argv[1], argv[3], &message)
                             : ane_load(argv[1], &message);
  if (!program) {
    fprintf(stderr, "%s\n", message);
    ane_free_message(message);
    return 1;
  }
  size_t count = ane_num_ports(program);
  uint16_t **arrays = calloc(count ? count : 1, sizeof(*arrays));
  for (size_t i = 0; i < count; ++i) {
    ane_port port;
    if (ane_get_port(program, i, &port))
      return fail(program);
    if (port.type != ANE_FP16) {
      fprintf(stderr, "%s is not fp16\n", port.name);
      return 1;
    }
    arrays[i] = malloc(port.bytes);
  }
  unsigned runs = (unsigned)atoi(argv[2]);
  for (unsigned number = 1; number <= runs; ++number)
    if (run(program, arrays, number))
      return fail(program);
  for (size_t i = 0; i < count; ++i)
    free(arrays[i]);
  free(arrays);
  ane_free(program);
  return 0;
}
