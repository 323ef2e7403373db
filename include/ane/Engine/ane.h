/*===- ane.h - Runs containers from C ---------------------------*- C -*-===*/
/*
 * Load a program once, give it inputs and run it as often as needed:
 *
 *   char *message = NULL;
 *   ane_program *program = ane_load("model.hwx", &message);
 *   ane_set_input(program, 0, x, sizeof(x));
 *   ane_run(program, 0);
 *   ane_get_output(program, 1, y, sizeof(y));
 *   ane_free(program);
 *
 * A function that returns int yields 0 unless it fails; ane_last_error says
 * why. Different threads may use different programs at the same time. Link with
 * the library AneC. docs/engine.md says more.
 */

#ifndef ANE_ENGINE_ANE_H
#define ANE_ENGINE_ANE_H

#include <stddef.h>
#include <stdint.h>

/* C has no namespaces, and its own habits of naming.
   NOLINTBEGIN(readability-identifier-naming,modernize-*) */

#ifdef __cplusplus
extern "C" {
#endif

/* Of this header. It grows when something changes its meaning or goes; what is
   added leaves it alone. */
#define ANE_API_VERSION 1

/* ANE_API_VERSION of the library; a program should compare it with that of the
   header. */
int ane_api_version(void);

typedef struct ane_program ane_program;

typedef enum ane_type {
  ANE_FP16 = 0,
  ANE_FP32 = 1, /* rounded to nearest even where it becomes fp16 */
  ANE_BOOL = 2, /* a byte: 0, or not */
  /* Integers that fp16 holds exactly. */
  ANE_INT8 = 3,
  ANE_UINT8 = 4,
  ANE_INT16 = 5,
  ANE_INT32 = 6
} ane_type;

/* An input or output: a dense row-major array of `rank` dimensions. What it
   points to belongs to the program. */
typedef struct ane_port {
  const char *name;
  int is_input;
  ane_type type;
  size_t rank;
  const int64_t *shape;
  size_t bytes; /* of the array */
} ane_port;

/* Loads a container, and the dispatch descriptor `.e5` beside it where there is
   one. NULL if it is refused: *message is then why, `file:line:column: error:
   ...`, to be freed with ane_free_message. `message` may be NULL. */
ane_program *ane_load(const char *path, char **message);
/* The same for one procedure of a container that has several, named as
   `ane-run --list` does or by the function that it was made of. */
ane_program *ane_load_procedure(const char *path, const char *procedure,
                                char **message);
void ane_free_message(char *message);

/* Frees a program; NULL is one, too. */
void ane_free(ane_program *program);

/* Ports are numbered from 0, inputs first. */
size_t ane_num_ports(const ane_program *program);
/* Fails if there is no such port. */
int ane_get_port(ane_program *program, size_t index, ane_port *port);

/* 1 for an input that holds a state, which need not be set: it is zeros at
   first and then, where the program writes it, what the last run wrote. 0 for
   any other port, and for none. */
int ane_is_state(const ane_program *program, size_t index);

/* Sets an input for all runs that follow, a state for the next one. Fails if
   `index` is none, `bytes` is not the size of its array, or an integer is
   beyond what the program takes. The array is copied. */
int ane_set_input(ane_program *program, size_t index, const void *array,
                  size_t bytes);

/* How products are summed; docs/numerics.md says more. */
typedef enum ane_numerics {
  ANE_DOCUMENTED = 0, /* in fp32 */
  ANE_TILE4 = 1       /* as the engine does, as far as it is measured */
} ane_numerics;

/* Chooses how all runs that follow sum; before, that is ANE_DOCUMENTED. Fails
   if `numerics` is none of the two. */
int ane_set_numerics(ane_program *program, ane_numerics numerics);

/* Runs the program once, on up to `threads` threads; 0 is one per processor.
   Fails while an input is not set. Runs after the first with as many threads
   allocate no memory. */
int ane_run(ane_program *program, unsigned threads);

/* Copies what the last run left in an output. Fails as ane_set_input does. */
int ane_get_output(ane_program *program, size_t index, void *array,
                   size_t bytes);

/* Why the last call that failed did; empty if none has. Valid until the next
   one. */
const char *ane_last_error(const ane_program *program);

#ifdef __cplusplus
}
#endif

/* NOLINTEND(readability-identifier-naming,modernize-*) */

#endif /* ANE_ENGINE_ANE_H */
