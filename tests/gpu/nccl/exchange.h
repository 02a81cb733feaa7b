/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Bytes between the processes of the emulated NCCL, by the MPI that the program has loaded: posted,
 * and asked for until they are there. Before the bytes of a leg both sides tell what they think it
 * is, and one that differs is an error, as no NCCL would tell. */
#ifndef ECHO_TESTS_GPU_NCCL_EXCHANGE_H
#define ECHO_TESTS_GPU_NCCL_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct World World; /* an MPI communicator */

/* Of all processes; NULL where no MPI is loaded or `rank` of `n` is not what it says. */
World *world_create_or_null(int n, int rank);
/* Of those with the same color (negative: NULL), by key. All of `world` call it. */
World *world_split_or_null(const World *world, int color, int key);
/* Whether these bytes are the same on all. */
bool world_check_same(const World *world, const void *bytes, size_t size);
int world_size(const World *world);
int world_rank(const World *world);
void world_destroy(World *world);

/* What both sides must say alike. */
typedef struct Header {
  int32_t kind, type, by, root;
  uint64_t count, number; /* number: of the call on its communicator */
} Header;

/* Either way may be missing: to or from nobody. */
typedef struct Leg {
  int peer;
  bool sends, receives;
  Header header;
  const void *from;
  void *to;
  size_t sent_bytes, received_bytes;
} Leg;

typedef struct Exchange Exchange;
Exchange *exchange_create(const World *world, const Leg *legs, size_t n);
typedef enum ExchangeState { EXCHANGE_RUNS, EXCHANGE_DONE, EXCHANGE_DIFFERS } ExchangeState;
/* Begins it when first called. *peer is who differs. */
ExchangeState exchange_advance(Exchange *exchange, int *peer);
/* What is under way is left so. */
void exchange_destroy(Exchange *exchange);

#endif
