/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the plug-in's objects are made of, and what its files do for each other. Every handle that a
 * caller holds is known by its address (echo_pjrt_is_live), so that one that was destroyed, or
 * never was one, is told from one that is. What a handle stands for may outlive it: it is counted.
 */
#ifndef ECHO_PJRT_PLUGIN_T_H
#define ECHO_PJRT_PLUGIN_T_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/string.h"
#include "base/vector.h"
#include "dialects/kernel/call_target.h"
#include "jit/compile.h"
#include "jit/runtime/local_ranks.h"
#include "pjrt/abi.h"

/* ---- handles ---- */

typedef enum EchoPjrtKind {
  ECHO_PJRT_ERROR = 1,
  ECHO_PJRT_EVENT,
  ECHO_PJRT_CLIENT,
  ECHO_PJRT_DEVICE,
  ECHO_PJRT_MEMORY,
  ECHO_PJRT_DESCRIPTION,
  ECHO_PJRT_TOPOLOGY,
  ECHO_PJRT_EXECUTABLE,
  ECHO_PJRT_LOADED,
  ECHO_PJRT_BUFFER,
  ECHO_PJRT_CONTEXT,
  ECHO_PJRT_LAYOUT,
  ECHO_PJRT_BYTES
} EchoPjrtKind;

void echo_pjrt_add(const void *handle, EchoPjrtKind kind);
/* False when there is no such handle: the caller destroys one twice. */
bool echo_pjrt_remove(const void *handle, EchoPjrtKind kind);
bool echo_pjrt_is_live(const void *handle, EchoPjrtKind kind);

/* ---- callbacks ---- */

/* What runs callback `index` on the data of dense, row-major operands and results; 0 after a reason
 * of less than `error_size` bytes in `error`. Runs on the client's executing thread. */
typedef int EchoPjrtCallback(uint64_t index, const void *const *operands, void *const *results,
                             char *error, size_t error_size);
/* A program that may call callback `index` is there (held), or is no more. */
typedef void EchoPjrtHoldCallback(uint64_t index, int is_held);
/* For the client's package, beside GetPjrtApi; NULL: none. For all clients of the process. */
void Echo_PJRT_SetCallback(EchoPjrtCallback *function, EchoPjrtHoldCallback *hold);
void echo_pjrt_hold_callback(uint64_t index, bool is_held);
/* The number of the callback that this op of a program calls; false: it calls none. */
bool echo_pjrt_calls_back(const EchoOp *op, uint64_t *index);
extern const EchoCallTarget ECHO_PJRT_PYTHON_CALLBACK;

/* ---- errors ---- */

struct PJRT_Error {
  PJRT_Error_Code code;
  EchoStr message; /* owned */
};

PJRT_Error *echo_pjrt_error(PJRT_Error_Code code, const char *format, ...) ECHO_PRINTF(2, 3);
PJRT_Error *echo_pjrt_error_of(PJRT_Error_Code code, EchoStr message);

/* Whether a caller's struct has all fields up to `field`; an error otherwise. */
#define ECHO_PJRT_HAS(args, field)                                                                 \
  ((args)->struct_size >= offsetof(__typeof__(*(args)), field) + sizeof((args)->field))
#define ECHO_PJRT_CHECK_ARGS(args, last)                                                           \
  do {                                                                                             \
    if ((args) == NULL || !ECHO_PJRT_HAS(args, last))                                              \
      return echo_pjrt_error(PJRT_Error_Code_INVALID_ARGUMENT, "%s: %s", __func__,                 \
                             (args) == NULL ? "no arguments" : "struct_size is too small");        \
  } while (0)
#define ECHO_PJRT_CHECK_LIVE(handle, kind)                                                         \
  do {                                                                                             \
    if (!echo_pjrt_is_live((handle), (kind)))                                                      \
      return echo_pjrt_error(PJRT_Error_Code_INVALID_ARGUMENT, "%s: '%s' is not a live object",    \
                             __func__, #handle);                                                   \
  } while (0)
/* A function that asks a live object for something: `last` is the last field of its arguments, the
 * statements behind it fill them in. */
#define ECHO_PJRT_GETTER(name, last, object, kind, ...)                                            \
  PJRT_Error *Echo_PJRT_##name(PJRT_##name##_Args *args)                                           \
  {                                                                                                \
    ECHO_PJRT_CHECK_ARGS(args, last);                                                              \
    ECHO_PJRT_CHECK_LIVE(args->object, kind);                                                      \
    __VA_ARGS__                                                                                    \
    return NULL;                                                                                   \
  }
#define ECHO_PJRT_CHECK(condition, ...)                                                            \
  do {                                                                                             \
    if (!(condition))                                                                              \
      return echo_pjrt_error(PJRT_Error_Code_INVALID_ARGUMENT, __VA_ARGS__);                       \
  } while (0)

/* ---- events ---- */

/* Whether something is done, and with which error; set once, by any thread. */
typedef struct EchoPjrtState EchoPjrtState;

EchoPjrtState *echo_pjrt_state_create(void); /* one reference */
EchoPjrtState *echo_pjrt_state_retain(EchoPjrtState *state);
void echo_pjrt_state_release(EchoPjrtState *state);
/* Done; code OK = without an error. Runs the callbacks. */
void echo_pjrt_state_set(EchoPjrtState *state, PJRT_Error_Code code, EchoStr message);
/* Waits; the code, and the message as long as the state lives. */
PJRT_Error_Code echo_pjrt_state_wait(EchoPjrtState *state, EchoStr *message);
bool echo_pjrt_state_is_set(EchoPjrtState *state);
/* A handle for a caller, who destroys it; takes a reference of its own. */
PJRT_Event *echo_pjrt_event_create(EchoPjrtState *state);
/* The handle of something that is done already. */
PJRT_Event *echo_pjrt_event_done(void);

/* ---- options ---- */

/* What ECHO_OPTIONS, a client's create_options and a compile's compiler_options say. */
typedef struct EchoPjrtOptions {
  bool is_off; /* no Echo */
  bool keeps_denormals;
  EchoBuffer echo;    /* options of the echo pass */
  EchoBuffer report;  /* a file; empty = none */
  EchoBuffer cache;   /* a directory of compiled objects; empty = none */
  uint64_t n_threads; /* of a device; 0 = all processors, divided among the devices */
  uint64_t n_devices; /* of a client; 0 = one */
  uint64_t seed;      /* of what a program draws (stablehlo.rng) */
} EchoPjrtOptions;

/* The devices that a program is for, by replica and, in each, by partition. */
typedef struct EchoPjrtAssignment {
  uint64_t n_replicas, n_partitions;
  ECHO_VECTOR(uint64_t) ids; /* empty: none are named */
} EchoPjrtAssignment;

void echo_pjrt_options_copy(EchoPjrtOptions *to, const EchoPjrtOptions *from);
void echo_pjrt_options_destroy(EchoPjrtOptions *options);
/* "budget=min,report=step.html"; an error for a number that is none. */
PJRT_Error *echo_pjrt_options_parse(EchoPjrtOptions *options, EchoStr text);
PJRT_Error *echo_pjrt_options_set(EchoPjrtOptions *options, EchoStr key, EchoStr value);
/* What is read of a serialized CompileOptionsProto: its overrides (echo_budget=…), and the devices.
 * The assignment's vector is the caller's to destroy, after an error as well. */
PJRT_Error *echo_pjrt_options_read_proto(EchoPjrtOptions *options, EchoPjrtAssignment *assignment,
                                         EchoStr proto);

/* ---- the client ---- */

/* Devices are threads of this process, each with buffers and an arena of its own. */
enum { ECHO_PJRT_MAX_DEVICES = 1024 };

struct PJRT_DeviceDescription {
  int id;
  char text[64];
};
/* "device", and what is the host's; on a CPU all are one memory, counted apart. */
enum { ECHO_PJRT_ON_DEVICE, ECHO_PJRT_PINNED_HOST, ECHO_PJRT_UNPINNED_HOST, ECHO_PJRT_N_MEMORIES };
struct PJRT_Memory {
  PJRT_Device *device; /* whose it is */
  int kind;
  char text[64];
};
struct PJRT_Device {
  struct EchoPjrtCore *core;
  int id;
  EchoDevice *cpu;
  EchoExecutable *with_arena; /* the only executable that keeps its memory between runs */
  PJRT_DeviceDescription *description;
  PJRT_Memory own_memories[ECHO_PJRT_N_MEMORIES], *memories[ECHO_PJRT_N_MEMORIES]; /* by kind */
  PJRT_Device *devices[1];                                                         /* itself */
};
struct PJRT_TopologyDescription {
  size_t n_devices;
  PJRT_DeviceDescription *descriptions, **list;
  bool is_own; /* made by the caller: not a client's */
};
struct PJRT_Client {
  struct EchoPjrtCore *core;
};

typedef void EchoPjrtTaskFn(void *user);
/* Work, or the part of it that is one device's, where each device's is asked for by itself. */
typedef struct EchoPjrtTask {
  EchoPjrtTaskFn *run;                /* called once for all parts */
  bool (*is_ready)(const void *user); /* whether all that it reads is there, or failed */
  void *user;
  int *devices; /* ids of those whose order it keeps */
  size_t n_devices, n_parts;
  size_t *n_ready;        /* of those of `user`; SIZE_MAX: given up; NULL: this is all of it */
  PJRT_Device *const *of; /* with n_ready: the devices of all parts, n_of */
  size_t n_of;
  bool is_given_up; /* by the queue: its devices wait for each other */
} EchoPjrtTask;

/* What a client, its executables and its buffers share. */
typedef struct EchoPjrtCore {
  atomic_size_t n_references;
  EchoPassRegistry *passes;
  EchoPjrtOptions options;
  uint64_t largest_peak;        /* of what was reported: one report, of the largest program */
  atomic_uint_fast64_t n_draws; /* runs so far of programs that draw: each has its own numbers */
  pthread_mutex_t run_lock;     /* the device's threads: one compile or run at a time */
  pthread_mutex_t arena_lock;   /* of every with_arena; never held while a program runs */
  /* The queue: what runs, in order, on a thread of its own. */
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  ECHO_VECTOR(EchoPjrtTask) tasks;
  size_t next_task;
  bool is_stopped;
  struct EchoPjrtRuns *started; /* under the lock: runs that some of their devices were asked for */
  PJRT_Client client;
  EchoBuffer version; /* of the plug-in, its build and the options */
  size_t n_devices;
  PJRT_Device *own_devices, **devices; /* n_devices each */
  PJRT_Memory **memories;              /* of all devices */
  PJRT_TopologyDescription topology;
} EchoPjrtCore;

EchoPjrtCore *echo_pjrt_core_retain(EchoPjrtCore *core);
void echo_pjrt_core_release(EchoPjrtCore *core);
/* queue.c: runs after all that was queued for the same devices before. */
void echo_pjrt_queue_start(EchoPjrtCore *core);
/* Takes over task->devices; false, and they are freed, once the client is destroyed. */
bool echo_pjrt_queue_push(EchoPjrtCore *core, const EchoPjrtTask *task);
/* Runs what is left, parts of which may be missing, then ends the thread. */
void echo_pjrt_queue_stop(EchoPjrtCore *core);

extern const char ECHO_PJRT_PLATFORM[];
void echo_pjrt_topology_init(PJRT_TopologyDescription *topology, size_t n_devices, bool is_own);
void echo_pjrt_topology_destroy(PJRT_TopologyDescription *topology);

/* ---- memories ---- */

void echo_pjrt_memories_init(PJRT_Device *device);
void echo_pjrt_memories_destroy(PJRT_Device *device);
const char *echo_pjrt_memory_kind(int kind);
/* -1: no memory is of this kind. */
int echo_pjrt_memory_kind_of(EchoStr name);
bool echo_pjrt_memory_is_host(int kind);
EchoDeviceBuffer *echo_pjrt_memory_allocate(const PJRT_Memory *memory, uint64_t n_bytes);

/* ---- buffers ---- */

/* Device memory that buffers and queued work share. */
typedef struct EchoPjrtStorage {
  atomic_size_t n_references, n_external;
  PJRT_Memory *memory;
  EchoDeviceBuffer *buffer; /* NULL until it is made, and once it was given away */
  uint64_t n_bytes;
  EchoPjrtState *ready;
} EchoPjrtStorage;

EchoPjrtStorage *echo_pjrt_storage_create(PJRT_Memory *memory, uint64_t n_bytes);
EchoPjrtStorage *echo_pjrt_storage_retain(EchoPjrtStorage *storage);
void echo_pjrt_storage_release(EchoPjrtStorage *storage);

struct PJRT_Buffer {
  EchoPjrtStorage *storage; /* NULL once deleted or donated */
  EchoPjrtStorage *seen;    /* what `storage` was: there while n_external is not 0, each of which
                             * is a reference to it */
  atomic_size_t n_external;
  PJRT_Memory *memory;
  EchoPjrtState *ready;
  PJRT_Buffer_Type type;
  uint64_t n_bytes;
  size_t n_dims;
  int64_t *dims, *minor_to_major; /* n_dims each */
};

/* Takes over a reference to `storage`. */
PJRT_Buffer *echo_pjrt_buffer_create(EchoPjrtStorage *storage, PJRT_Buffer_Type type,
                                     const int64_t *dims, size_t n_dims,
                                     const int64_t *minor_to_major);
/* A reference to its storage or, where its dimensions lie in another order, to a copy that is on
 * its way. */
EchoPjrtStorage *echo_pjrt_storage_in_order(const PJRT_Buffer *buffer,
                                            const int64_t *minor_to_major);
/* Bytes of an element as the host and we store it; 0 = not supported. */
uint64_t echo_pjrt_type_bytes(PJRT_Buffer_Type type);
/* Which bits of a byte an element uses, from the lowest on. */
unsigned char echo_pjrt_type_bits(PJRT_Buffer_Type type);
/* INVALID when there is none. */
PJRT_Buffer_Type echo_pjrt_type_of(const EchoType *element);

/* ---- layouts ---- */

/* Arrays are dense. The order of their dimensions in memory is written as a permutation, the one
 * whose elements lie side by side first, n_dims of them. */
typedef struct EchoPjrtShape {
  const int64_t *dims, *minor_to_major;
  size_t n_dims;
  uint64_t element_bytes;
} EchoPjrtShape;

void echo_pjrt_order_by_rows(size_t n_dims, int64_t *minor_to_major);
bool echo_pjrt_is_order(const int64_t *minor_to_major, size_t n_dims);
bool echo_pjrt_is_same_order(const int64_t *a, const int64_t *b, size_t n_dims);
/* What a client asks for; by rows where it asks for nothing. An error for tiles and strides. */
PJRT_Error *echo_pjrt_read_order(const PJRT_Buffer_MemoryLayout *layout_or_null, size_t n_dims,
                                 int64_t *minor_to_major);
/* "{1,0}" */
void echo_pjrt_append_order(EchoBuffer *out, const int64_t *minor_to_major, size_t n_dims);
/* In bytes, by dimension. */
void echo_pjrt_dense_strides(const EchoPjrtShape *shape, int64_t *strides);
/* Copies all elements between a dense array of this shape and one with strides in bytes, which may
 * be negative. */
void echo_pjrt_copy_strided(const EchoPjrtShape *shape, const int64_t *strides, bool to_strided,
                            char *dense, char *strided);

struct PJRT_Layouts_MemoryLayout; /* a handle */
struct PJRT_Layouts_MemoryLayout *echo_pjrt_layout_create(const int64_t *minor_to_major,
                                                          size_t n_dims);
/* False when there is no such handle. */
bool echo_pjrt_layout_destroy(struct PJRT_Layouts_MemoryLayout *layout);

/* ---- executables ---- */

/* How an argument or a result of a program lies. */
typedef struct EchoPjrtPlace {
  int64_t *minor_to_major; /* NULL: by rows */
  bool is_free;            /* as the program finds best */
} EchoPjrtPlace;

typedef struct EchoPjrtUserData EchoPjrtUserData;

/* Bytes of arguments and results in one memory, and of results in the place of arguments there. */
typedef struct EchoPjrtSizes {
  int64_t args, results, aliases;
} EchoPjrtSizes;

typedef struct EchoPjrtProgram {
  atomic_size_t n_references;
  EchoPjrtCore *core;
  EchoContext *ctx;
  uint64_t n_replicas, n_partitions;
  size_t n_ranks;               /* replicas times partitions: devices that run it together */
  PJRT_Device **devices;        /* by rank */
  EchoExecutable **executables; /* by rank: one program, each on its device */
  EchoLocalRanks *ranks;        /* NULL: for one device */
  bool is_together;             /* what a device does needs the others */
  EchoStr code, options;        /* as they came; owned */
  EchoOp *module;               /* at stage loops; NULL: loaded from bytes */
  EchoContext *run_ctx;         /* of what runs: ctx, or one of its own when loaded from bytes */
  EchoBuffer key, bundle;       /* what its code is good for; the code, once it was asked for */
  EchoBuffer for_each;          /* the program as each device runs it, how its values are cut and
                                 * lie; empty: as it came, by rows */
  EchoBuffer name, fingerprint;
  uint64_t seed; /* of what it draws */
  size_t n_args, n_results, n_ops;
  double flops, bytes_accessed; /* of all ops, each once */
  PJRT_Buffer_Type *arg_types, *result_types;
  const EchoType **args, **results;
  const EchoType *declared; /* the function's type as it came; NULL: not one function */
  int64_t *all_result_dims;
  size_t *n_result_dims;
  ECHO_VECTOR(int) arg_memories, result_memories;       /* kinds, of main as it came */
  ECHO_VECTOR(EchoPjrtPlace) arg_places, result_places; /* of main; empty: all by rows */
  struct PJRT_Layouts_MemoryLayout **result_layouts;    /* n_results */
  const char **memory_kinds;                            /* the results', by name */
  size_t *memory_kind_sizes;
  EchoExecutableMemory memory;
  EchoPjrtSizes on_device, in_host;
  int64_t host_temp_bytes;
  ECHO_VECTOR(uint64_t) callbacks; /* that it may call */
  ECHO_VECTOR(struct EchoFfiTarget *) ffi_targets;
  /* Of the run in progress, under the core's run_lock: what its handlers may ask for, and the code
   * of the first that failed. */
  EchoPjrtUserData *user_data;
  atomic_int call_code;
} EchoPjrtProgram;

/* context.c: what a client hands to handlers, kept by its context and by the runs that it was given
 * to. */
PJRT_ExecuteContext *echo_pjrt_context_or_null(const PJRT_ExecuteOptions *options);
EchoPjrtUserData *echo_pjrt_user_data_of_or_null(const PJRT_ExecuteOptions *options);
void echo_pjrt_user_data_release(EchoPjrtUserData *user_data_or_null);
/* False: there is some of this type already. */
bool echo_pjrt_user_data_add(PJRT_ExecuteContext *context, int64_t type_id, void *data);
/* False: there is none of this type. */
bool echo_pjrt_user_data_get(EchoPjrtUserData *user_data_or_null, int64_t type_id, void **data);

/* saved.c: what was compiled before. */
typedef struct EchoPjrtSaved {
  EchoStr key, bundle;
} EchoPjrtSaved;
/* What code must have been compiled by and for: this build of the plug-in, and all options that
 * change the program. Empty: nobody can tell. */
void echo_pjrt_append_key(const EchoPjrtOptions *options, EchoBuffer *key);
/* Which build this is, "1f2e…"; nothing where the linker has left no note of it. */
void echo_pjrt_append_build_id(EchoBuffer *out);
/* Fills program->executables; false, and nothing has changed, where it cannot. */
bool echo_pjrt_load_saved(EchoPjrtProgram *program, EchoStr bundle);

/* program_layouts.c: how arguments and results of main are to lie, as its attributes say; false
 * after diagnostics. */
bool echo_pjrt_read_places(EchoPjrtProgram *program, const EchoOp *entry);
bool echo_pjrt_has_placed_args(const EchoPjrtProgram *program);
/* Attributes of the module by which XLA's reader learns where arguments lie; false: takes them off.
 */
void echo_pjrt_mark_places(EchoPjrtProgram *program, EchoOp *module, bool is_marked);
/* Main takes and gives arrays by rows whose dimensions stand in the order of memory. */
void echo_pjrt_lay_out(EchoPjrtProgram *program, EchoOp *entry);
void echo_pjrt_places_destroy(EchoPjrtProgram *program);
/* The order of an argument's or a result's dimensions: `minor_to_major` is filled in. */
void echo_pjrt_order_of(const EchoPjrtPlace *place_or_null, size_t n_dims, int64_t *minor_to_major);

/* compile.c */
/* `saved`: code that may be there already (NULL: none); where it is not this program's, or does not
 * load, it is compiled anew. */
PJRT_Error *echo_pjrt_compile(EchoPjrtCore *core, EchoStr code, EchoStr options,
                              const EchoPjrtSaved *saved, EchoPjrtProgram **program);
EchoPjrtProgram *echo_pjrt_program_retain(EchoPjrtProgram *program);
void echo_pjrt_program_release(EchoPjrtProgram *program);

/* signature.c: in which memories the arguments and results of the function are to lie; false after
 * diagnostics. */
bool echo_pjrt_read_memories(EchoPjrtProgram *program, const EchoOp *entry);
/* Tells the executables. */
bool echo_pjrt_place_values(EchoPjrtProgram *program);
/* Types and sizes, once there are executables. */
PJRT_Error *echo_pjrt_read_signature(EchoPjrtProgram *program);

/* shardings.c: fills program->for_each from a module behind --lower-collectives. */
void echo_pjrt_print_for_each(EchoPjrtProgram *program, EchoOp *module);

/* ffi_call.c: an op that calls a registered handler makes it a call target of the program's; false
 * after diagnostics. */
bool echo_pjrt_register_ffi_call(EchoPjrtProgram *program, const EchoOp *op);
void echo_pjrt_ffi_targets_destroy(EchoPjrtProgram *program);

struct PJRT_Executable {
  EchoPjrtProgram *program;
  PJRT_NamedValue cost[2];
  PJRT_Program text; /* unused fields of a caller's are left alone */
};
PJRT_Executable *echo_pjrt_executable_create(EchoPjrtProgram *program); /* takes the reference */
struct PJRT_LoadedExecutable {
  EchoPjrtProgram *program; /* kept when deleted: what it is can still be asked */
  bool is_deleted;
};
PJRT_LoadedExecutable *echo_pjrt_loaded_create(EchoPjrtProgram *program); /* takes the reference */

/* Bytes that a caller holds by a handle of their own, after a size. */
EchoBuffer *echo_pjrt_bytes_create(void);
void echo_pjrt_bytes_destroy(void *bytes);

#define PJRT_DECLARE(name) name Echo_##name;
PJRT_FUNCTIONS(PJRT_DECLARE)
#undef PJRT_DECLARE

#endif
