/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A named device model: the rates from which every estimate of time is made. The invariant: a model
 * is part of the input, never measured behind the user's back, and equal models give equal integer
 * times on every machine. Not a device: it runs nothing.
 *
 * The file is lines of `key = value`, `#` begins a comment, every key at most once. Keys are the
 * names in the table of device_model.c, which are the fields below; a key that is left out keeps
 * the value of the default model, or is zero where zero means that another key says it too; `name`
 * must be there. Rates are plain numbers per second,
 * sizes bytes, times nanoseconds. */
#ifndef ECHO_PLANNING_COST_DEVICE_MODEL_H
#define ECHO_PLANNING_COST_DEVICE_MODEL_H

#include "ir/fwd.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum EchoRateType {
  ECHO_RATE_F64,
  ECHO_RATE_F32,
  ECHO_RATE_F16,
  ECHO_RATE_BF16,
  ECHO_RATE_INT,
  ECHO_RATE_TYPES,
} EchoRateType;

#define ECHO_DEVICE_NAME_BYTES 64

/* Of f32 in 512 bits: what arithmetic is slower by where nothing is in vectors. */
#define ECHO_VECTOR_LANES 16.0

/* What the arithmetic of one op takes, in nanoseconds, for who knows better than the rates: `ns` is
 * what they say of `work`. Equal ops get equal answers; what is no number, or below zero, counts as
 * `ns`. */
struct EchoWork;
typedef double EchoOpTimeFn(const EchoOp *op, const struct EchoWork *work, double ns);

typedef struct EchoDeviceModel {
  char name[ECHO_DEVICE_NAME_BYTES];
  /* Multiply-adds in contractions and convolutions (two flops each), by element type. */
  double contraction_flops_per_s[ECHO_RATE_TYPES];
  double tf32_flops_per_s; /* of those of f32 that may be made in tf32; 0 = as of f32 */
  /* The same where generated loops do them: convolutions, and products too narrow for a library;
   * 0 = as above. */
  double loop_flops_per_s[ECHO_RATE_TYPES];
  /* Elementwise arithmetic and reductions, by element type. */
  double simple_flops_per_s[ECHO_RATE_TYPES];
  /* exp, log, tanh, erf and the like, expanded into arithmetic; by element type. */
  double transcendentals_per_s[ECHO_RATE_TYPES];
  /* Elementwise arithmetic of f32 where each operation waits for the one before, an element at a
   * time; 0 = a vector's lane of the above. */
  double chained_flops_per_s;
  double memory_bytes_per_s; /* streaming, read and write counted alike */
  double cache_bytes_per_s;  /* of what fits last_cache_bytes */
  double last_cache_bytes;
  double shared_cache_bytes_per_s; /* of what fits shared_cache_bytes, and not those; 0 = none */
  double shared_cache_bytes;
  double transpose_bytes_per_s; /* where a transpose fits last_cache_bytes; 0 = as of the cache */
  double memory_bytes;          /* capacity; 0 = not said */
  double launch_ns;             /* to start one kernel; of `cores`, on all of them */
  double call_ns;               /* of `cores`: to start one on the thread that asks for it */
  double cores;                 /* that the rates are of, all together; 0 = not of cores */
  /* Copies to host memory and back: bytes / rate + latency. */
  double copy_out_bytes_per_s, copy_out_latency_ns;
  double copy_in_bytes_per_s, copy_in_latency_ns;
  /* From one device of a program to the others: bytes that it sends / rate + latency a call. */
  double link_bytes_per_s, link_latency_ns;
  EchoOpTimeFn *op_ns; /* NULL = the rates say it all; no file holds one */
} EchoDeviceModel;

/* The work of one kernel, or of several that run one after another. */
typedef struct EchoWork {
  double contraction_flops, loop_flops, simple_flops, transcendentals;
  double chained_flops; /* each of which waits for the one before */
  double bytes;         /* read and written */
  double copied_bytes;  /* the same, in the cache and beside the arithmetic, not while it goes on */
  double n_launches;
  EchoRateType type;
  bool allows_tf32; /* its contractions */
  bool transposes;  /* the bytes: rows become columns on the way */
} EchoWork;

/* The compiled-in models, the first is the default: "cpu-2core-avx512". False when there is none of
 * that name. */
bool echo_device_model_find(EchoStr name, EchoDeviceModel *model);
void echo_device_model_default(EchoDeviceModel *model);
/* Number and names of the compiled-in models, for help texts; NULL beyond the last. */
const char *echo_device_model_name_or_null(size_t index);

/* Whether the numbers of a model are in range and it has a name: false with the first mistake
 * appended to *error. */
bool echo_device_model_check(const EchoDeviceModel *model, EchoBuffer *error);
/* Reads the text of a model file. On mistakes returns false and appends "LINE: message" lines, at
 * most 20, to *error; *model is undefined then. */
bool echo_device_model_parse(EchoStr text, EchoDeviceModel *model, EchoBuffer *error);
/* The text that parses back to the same model, bit for bit. */
void echo_device_model_print(const EchoDeviceModel *model, EchoBuffer *out);

/* The model of so many threads on such cores: arithmetic and caches go with them, memory does not.
 * For telling what a run should take; what is planned never depends on threads. A model without
 * cores, and n_threads = 0, stay as they are. */
EchoDeviceModel echo_device_model_on_threads(const EchoDeviceModel *model, unsigned n_threads);

/* Into how many portions for threads a kernel is split whose work takes `ns` of the device with all
 * of its cores: into one, which the thread that asks for it runs itself, where others would only be
 * there when it is done. Two at least else, and as many as take a thread about as long as waking it
 * does; more than are of use to no machine are 256. Of a model of one core, or of none, those of
 * two. */
double echo_device_model_portions(const EchoDeviceModel *model, double ns);
/* Nanoseconds of a kernel whose work takes `ns` of the device, with what starts it: split as above,
 * or on one thread, whichever is shorter. */
double echo_device_model_kernel_ns(const EchoDeviceModel *model, double ns);
/* Nanoseconds to start what wakes no thread. */
double echo_device_model_call_ns(const EchoDeviceModel *model);

/* Nanoseconds of `work`: the longer of arithmetic and traffic, and the launches, each of an equal
 * part of it (the roofline model: Williams, Waterman and Patterson 2009; on a processor of
 * arithmetic and what its nearest cache holds, and the rest of the traffic: Stengel, Treibig, Hager
 * and Wellein 2015). Bytes beyond what the caches hold move as fast as memory does. Computed in
 * doubles, in a fixed order of operations without contraction, and rounded to the nearest integer,
 * ties up; at most 2^62. */
uint64_t echo_device_model_time_ns(const EchoDeviceModel *model, const EchoWork *work);
/* Nanoseconds of `n_calls` collectives in which a device sends so many bytes, all together. */
uint64_t echo_device_model_link_ns(const EchoDeviceModel *model, double n_calls, double n_bytes);
/* Nanoseconds of a copy to the host (`is_out`) or back; rounded likewise. */
uint64_t echo_device_model_copy_ns(const EchoDeviceModel *model, uint64_t n_bytes, bool is_out);

#ifdef __cplusplus
}
#endif

#endif
