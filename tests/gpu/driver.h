/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The emulated driver's state. What is asked for of a stream is put into one queue and carried out,
 * in the order in which it was asked for, when somebody waits: until then nothing has happened, as
 * with a GPU. What is ordered with what is known by clocks: each stream counts its operations, and
 * each operation carries how many of every stream are done before it. */
#ifndef ECHO_TESTS_GPU_DRIVER_H
#define ECHO_TESTS_GPU_DRIVER_H

#include "jit/runtime/cuda/abi_t.h"
#include "tests/gpu/machine.h"

#define EXPORTED __attribute__((visibility("default")))
#define ECHO_CUDA_DECLARE(name, symbol, parameters) EXPORTED CUresult symbol parameters;
ECHO_CUDA_CALLS(ECHO_CUDA_DECLARE)
ECHO_CUDA_LATER_CALLS(ECHO_CUDA_DECLARE)
#undef ECHO_CUDA_DECLARE

enum { MAX_STREAMS = 16 };

typedef struct Clock {
  uint32_t done[MAX_STREAMS];
} Clock;

struct CUstream_st {
  unsigned number;
  bool is_destroyed;
  Clock clock; /* what is done before the next operation */
  double time_ns;
  CUgraph captured; /* what is asked for becomes nodes of it; NULL: it is carried out */
};

struct CUevent_st {
  Clock clock;
  bool is_recorded;
  uint32_t n_pending; /* recordings that are asked for and not carried out */
  double time_ns;
};

struct CUfunc_st {
  const PtxKernel *kernel;
  const PtxModule *module;
  Counters counters;
  uint32_t max_dynamic_shared;
  double time_factor; /* of what the model says; 0: 1 */
};

struct CUmod_st {
  PtxModule *ptx;
  struct CUfunc_st *functions;
  Allocation **globals;
};

typedef enum WorkKind {
  WORK_LAUNCH,
  WORK_COPY,
  WORK_FILL,
  WORK_RECORD,
  WORK_WAIT,
  WORK_POLL,
  WORK_GRAPH /* of a conditional node; never in the queue */
} WorkKind;

/* Whether what somebody else carries out is done: asked again until it is. */
typedef bool EmulatedPoll(void *user);

typedef struct Work {
  WorkKind kind;
  CUstream stream;
  Clock clock;
  CUevent event;
  CUfunction function;
  uint32_t grid[3], block[3], dynamic_shared;
  uint8_t *params; /* owned */
  uint64_t to, from;
  size_t bytes;
  uint8_t value;
  EmulatedPoll *poll;
  void *user;
} Work;

/* A finished operation: whose stamps begin at `first`. */
typedef struct Done {
  Stamp first;
  uint32_t stream, number;
} Done;

typedef struct Gpu {
  bool is_initialized;
  unsigned sm; /* 80 */
  int version;
  Memory memory;
  struct CUstream_st streams[MAX_STREAMS]; /* [0] is the one of NULL */
  unsigned n_streams;
  unsigned n_retained; /* who holds the context */
  Clock host;
  Work *queue;
  size_t n_carried; /* of the first ones in the queue, while something in it is waited for */
  size_t n_queued, queue_capacity;
  Done *done;
  size_t n_done, done_capacity;
  Stamp *first_of[MAX_STREAMS]; /* by number of an operation of the stream */
  size_t first_capacity[MAX_STREAMS];
  Stamp stamp;
  CUresult failure; /* sticks */
  Finding finding;
} Gpu;

extern Gpu gpu;

/* What the device claims to be. */
typedef struct GpuModel {
  unsigned sm, multiprocessors, max_shared, threads_per_multiprocessor;
  double clock_ghz, memory_gb_s, copy_gb_s, launch_ns;
} GpuModel;
const GpuModel *gpu_model(void);

CUresult gpu_check(void); /* initialised, and nothing has failed */
CUresult gpu_submit(Work *work);
/* Says gpu.finding, and fails for good. */
CUresult gpu_fail(CUresult result);
/* Appends a node behind the last one of the graph; the work is the graph's, in failure too. */
CUresult gpu_graph_append(CUgraph graph, Work *work);
/* ---- handles of conditional nodes ---- */

/* A handle of the graph that no node has yet; false when it is none. */
bool condition_take(CUgraphConditionalHandle handle, CUgraph graph);
/* All handles of the graph have their nodes. */
bool condition_all_taken(CUgraph graph);
void condition_forget(CUgraph graph);
/* What it holds, and whether a kernel has said so since the graph was launched. */
void condition_clear(CUgraphConditionalHandle handle);
bool condition_get(CUgraphConditionalHandle handle, unsigned *value);

/* Checks a launch and makes *work of it, without a stream; its parameters are copied. */
CUresult gpu_launch_work(CUfunction function, const uint32_t grid[3], const uint32_t block[3],
                         uint32_t shared_bytes, void **parameters, Work *work);
/* A destroyed stream whose work is done before `reached`, so that whoever has its number next comes
 * behind it whatever orders them; else one that never was; NULL when there are too many. */
CUstream gpu_unused_stream_or_null(const Clock *reached);
/* Carries out all that was asked for. */
CUresult gpu_flush(void);
/* The same up to what is not done yet, if anything. */
CUresult gpu_advance(void);
void gpu_host_waits(const Clock *clock);
void clock_join(Clock *clock, const Clock *other);
bool clock_is_reached(const Clock *clock, const Clock *by);

/* Blocks of a function that a multiprocessor holds at once. */
unsigned gpu_blocks_per_multiprocessor(CUfunction function, unsigned threads, size_t dynamic);

/* Of the tests: the last finding's text, or "". */
EXPORTED const char *echoCudaFinding(void);
/* Launches of the function take so many times what the model says: of tests that want somebody to
 * be faster or slower. */
EXPORTED void echoCudaScaleTime(CUfunction function, double factor);
/* A stand-in for a kernel of a library that waits for others: what comes behind it in the stream
 * comes when `poll` says that it is done. */
EXPORTED CUresult echoCudaPoll(CUstream stream, EmulatedPoll *poll, void *user);
EXPORTED CUresult echoCudaCounters(CUfunction function, EchoCudaCounters *counters);

#endif
