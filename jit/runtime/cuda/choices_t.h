/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What has been decided about kernels that a library may do: whether it does one, and by which of
 * its algorithms. Who decides first decides for all that share the folder. Private to jit/. */
#ifndef ECHO_JIT_RUNTIME_CUDA_CHOICES_T_H
#define ECHO_JIT_RUNTIME_CUDA_CHOICES_T_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vector.h"

enum { ECHO_CHOICE_WORDS = 72 };

typedef struct EchoLibraryChoice {
  bool is_library;
  uint64_t workspace_bytes;
  size_t n_words;                    /* at least 1 where it is the library */
  uint64_t words[ECHO_CHOICE_WORDS]; /* the algorithm, as the library knows it */
} EchoLibraryChoice;

typedef struct EchoLibraryChoices {
  const char *what; /* "product": begins the names of files, and their first lines */
  EchoArena keys;
  EchoStringMap numbers; /* key -> number of a choice */
  ECHO_VECTOR(EchoLibraryChoice) choices;
} EchoLibraryChoices;

void echo_library_choices_destroy(EchoLibraryChoices *choices);
/* What was decided before under the key: in this process, or, where cache_dir is not NULL, by
 * whoever kept it there. False: nothing, or nothing that can be read. */
bool echo_library_choice(EchoLibraryChoices *choices, const char *cache_dir, EchoStr key,
                         EchoLibraryChoice *choice);
/* Keeps *choice under the key, or takes what somebody else has kept there meanwhile: who is first
 * decides for all. A cache that cannot be written is no error. */
void echo_library_choose(EchoLibraryChoices *choices, const char *cache_dir, EchoStr key,
                         EchoLibraryChoice *choice);

#endif
