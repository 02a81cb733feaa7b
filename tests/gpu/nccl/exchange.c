/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tests/gpu/nccl/exchange.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_TAG, DATA_TAG, UNDEFINED_COLOR = -32766, REQUESTS_A_LEG = 2 };

/* Open MPI's handles are addresses, MPICH's numbers, which a register holds as well. */
typedef uintptr_t Handle;

static struct {
  bool is_open_mpi;
  Handle world, byte;
  int (*rank)(Handle, int *);
  int (*size)(Handle, int *);
  int (*split)(Handle, int, int, Handle *);
  int (*free)(Handle *);
  int (*all_gather)(const void *, int, Handle, void *, int, Handle, Handle);
  int (*send)(const void *, int, Handle, int, int, Handle, Handle *);
  int (*receive)(void *, int, Handle, int, int, Handle, Handle *);
  int (*test)(Handle *, int *, void *);
} mpi;

static bool find(const char *symbol, void *function)
{
  void *address = dlsym(RTLD_DEFAULT, symbol);
  memcpy(function, &address, sizeof address);
  return address != NULL;
}

static bool open_mpi(void)
{
  void *world = dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world");
  mpi.is_open_mpi = world != NULL;
  mpi.world = world != NULL ? (Handle)world : 0x44000000;
  mpi.byte = world != NULL ? (Handle)dlsym(RTLD_DEFAULT, "ompi_mpi_byte") : 0x4c00010d;
  return find("MPI_Comm_rank", &mpi.rank) && find("MPI_Comm_size", &mpi.size) &&
         find("MPI_Comm_split", &mpi.split) && find("MPI_Comm_free", &mpi.free) &&
         find("MPI_Allgather", &mpi.all_gather) && find("MPI_Isend", &mpi.send) &&
         find("MPI_Irecv", &mpi.receive) && find("MPI_Test", &mpi.test);
}

/* ---- who ---- */

struct World {
  Handle comm;
  int size, rank;
};

static World *split_or_null(Handle comm, int color, int key)
{
  World *world = calloc(1, sizeof *world);
  if (mpi.split(comm, color < 0 ? UNDEFINED_COLOR : color, key, &world->comm) == 0 && color >= 0 &&
      mpi.size(world->comm, &world->size) == 0 && mpi.rank(world->comm, &world->rank) == 0)
    return world;
  free(world);
  return NULL;
}

World *world_create_or_null(int n, int rank)
{
  World *world = open_mpi() ? split_or_null(mpi.world, 0, rank) : NULL;
  if (world == NULL || (world->size == n && world->rank == rank))
    return world;
  world_destroy(world);
  return NULL;
}

World *world_split_or_null(const World *world, int color, int key)
{
  return split_or_null(world->comm, color, key);
}

bool world_check_same(const World *world, const void *bytes, size_t size)
{
  char *all = malloc(size * (size_t)world->size + 1);
  bool is_same =
      mpi.all_gather(bytes, (int)size, mpi.byte, all, (int)size, mpi.byte, world->comm) == 0;
  for (int i = 0; i < world->size && is_same; i++)
    is_same = memcmp(all + (size_t)i * size, bytes, size) == 0;
  free(all);
  return is_same;
}

int world_size(const World *world)
{
  return world->size;
}

int world_rank(const World *world)
{
  return world->rank;
}

void world_destroy(World *world)
{
  mpi.free(&world->comm);
  free(world);
}

/* ---- what ---- */

struct Exchange {
  const World *world;
  Leg *legs;
  Header *told; /* by the peer of a leg */
  Handle *requests;
  size_t n, n_posted, n_done;
  enum { BEFORE, HEADERS, DATA } phase;
};

Exchange *exchange_create(const World *world, const Leg *legs, size_t n)
{
  Exchange *exchange = calloc(1, sizeof *exchange);
  exchange->world = world;
  exchange->n = n;
  exchange->legs = malloc((n + 1) * sizeof *legs);
  memcpy(exchange->legs, legs, n * sizeof *legs);
  exchange->told = calloc(n + 1, sizeof *exchange->told);
  exchange->requests = calloc(REQUESTS_A_LEG * n + 1, sizeof *exchange->requests);
  return exchange;
}

void exchange_destroy(Exchange *exchange)
{
  free(exchange->legs);
  free(exchange->told);
  free(exchange->requests);
  free(exchange);
}

static void post(Exchange *exchange)
{
  Handle comm = exchange->world->comm;
  exchange->n_posted = exchange->n_done = 0;
  for (size_t i = 0; i < exchange->n; i++) {
    Leg *leg = &exchange->legs[i];
    bool is_data = exchange->phase == DATA;
    if (leg->sends)
      mpi.send(is_data ? leg->from : &leg->header,
               (int)(is_data ? leg->sent_bytes : sizeof leg->header), mpi.byte, leg->peer,
               is_data ? DATA_TAG : HEADER_TAG, comm, &exchange->requests[exchange->n_posted++]);
    if (leg->receives)
      mpi.receive(is_data ? leg->to : &exchange->told[i],
                  (int)(is_data ? leg->received_bytes : sizeof leg->header), mpi.byte, leg->peer,
                  is_data ? DATA_TAG : HEADER_TAG, comm, &exchange->requests[exchange->n_posted++]);
  }
}

static bool are_done(Exchange *exchange)
{
  void *no_status = (void *)(uintptr_t)(mpi.is_open_mpi ? 0 : 1);
  int flag = 1;
  while (exchange->n_done < exchange->n_posted && flag != 0) {
    mpi.test(&exchange->requests[exchange->n_done], &flag, no_status);
    exchange->n_done += flag != 0;
  }
  return exchange->n_done == exchange->n_posted;
}

ExchangeState exchange_advance(Exchange *exchange, int *peer)
{
  if (exchange->phase == BEFORE) {
    exchange->phase = HEADERS;
    post(exchange);
  }
  if (!are_done(exchange))
    return EXCHANGE_RUNS;
  if (exchange->phase == DATA)
    return EXCHANGE_DONE;
  for (size_t i = 0; i < exchange->n; i++)
    if (exchange->legs[i].receives &&
        memcmp(&exchange->told[i], &exchange->legs[i].header, sizeof(Header)) != 0) {
      *peer = exchange->legs[i].peer;
      return EXCHANGE_DIFFERS;
    }
  exchange->phase = DATA;
  post(exchange);
  return are_done(exchange) ? EXCHANGE_DONE : EXCHANGE_RUNS;
}
