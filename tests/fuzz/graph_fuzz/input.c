/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where inputs come from: libFuzzer; or, with -DECHO_FUZZ_STANDALONE, the command line of a plain
 * program, which takes SEED COUNT, or files. */
#include <stdio.h>
#include <stdlib.h>

#include "base/map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

static size_t fill(uint8_t *data, size_t max_size, uint64_t seed)
{
  size_t size = 20 + (size_t)(echo_hash_u64(seed) % 300);
  if (size > max_size)
    size = max_size;
  for (size_t i = 0; i < size; i++)
    data[i] = (uint8_t)echo_hash_u64(seed << 20 | (i + 1));
  return size;
}

#ifndef ECHO_FUZZ_STANDALONE
/* Every other input is a new one: most of the space is far from what was found so far. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
  return seed % 2 == 0 || size < 8 ? fill(data, max_size, seed)
                                   : LLVMFuzzerMutate(data, size, max_size);
}
#else
static int run_file(const char *path)
{
  static uint8_t data[1 << 16];
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    return 1;
  size_t size = fread(data, 1, sizeof data, file);
  fclose(file);
  return LLVMFuzzerTestOneInput(data, size);
}

int main(int argc, char **argv)
{
  static uint8_t data[512];
  char *end = NULL;
  uint64_t seed = argc == 3 ? strtoull(argv[1], &end, 10) : 0;
  if (end != NULL && *end == '\0') {
    for (uint64_t n = strtoull(argv[2], NULL, 10); n != 0; n--, seed++) {
      fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
      LLVMFuzzerTestOneInput(data, fill(data, sizeof data, seed));
    }
    return 0;
  }
  int status = 0;
  for (int i = 1; i < argc; i++)
    status |= run_file(argv[i]);
  return status;
}
#endif
