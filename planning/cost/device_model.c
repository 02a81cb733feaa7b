/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "planning/cost/device_model_t.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#define MAX_MISTAKES 20              /* reported of one file */
#define MAX_NS 4611686018427387904.0 /* 2^62 */

/* The compiled-in models; planning/cost/devices holds the same as files. The CPU's rates are
 * measured orders of magnitude of two cores at 3 GHz with two 512-bit multiply-add units; those of
 * the GPUs are of the instructions that our kernels have and of the lanes that the chips have for
 * them (bench/gpu_kernels/rates.py), bandwidths 0.85 of the vendor's peak. Links: of the CPU, two
 * processes of one machine (bench/link/link.c); of the GPUs, NVLink's rate one way by the data
 * sheets, and what NCCL's tuner takes an all_reduce of eight to begin with (a ring with protocol
 * LL: 6.6 us and 14 steps of 0.6). */
static const EchoDeviceModel models[] = {
    {.name = "cpu-2core-avx512",
     .contraction_flops_per_s = {100e9, 200e9, 50e9, 50e9, 50e9},
     .loop_flops_per_s = {50e9, 100e9, 50e9, 50e9, 50e9},
     .simple_flops_per_s = {25e9, 50e9, 12.5e9, 12.5e9, 50e9},
     .transcendentals_per_s = {1e9, 2e9, 1e9, 1e9, 2e9},
     .chained_flops_per_s = 4e9,
     .memory_bytes_per_s = 20e9,
     .cache_bytes_per_s = 100e9,
     .last_cache_bytes = 33554432,
     .transpose_bytes_per_s = 40e9,
     .launch_ns = 2000,
     .call_ns = 50,
     .cores = 2,
     .copy_out_bytes_per_s = 8e9,
     .copy_out_latency_ns = 2000,
     .copy_in_bytes_per_s = 8e9,
     .copy_in_latency_ns = 2000,
     .link_bytes_per_s = 8e9,
     .link_latency_ns = 300},
    {.name = "gpu-a100-40g",
     .contraction_flops_per_s = {9.17e12, 19.5e12, 312e12, 312e12, 17.5e12},
     .tf32_flops_per_s = 156e12,
     .simple_flops_per_s = {4.87e12, 9.75e12, 19.5e12, 3.25e12, 9.75e12},
     .transcendentals_per_s = {0.142e12, 0.481e12, 0.534e12, 0.443e12, 0.481e12},
     .memory_bytes_per_s = 1320e9,
     .cache_bytes_per_s = 4000e9,
     .last_cache_bytes = 41943040,
     .memory_bytes = 42949672960,
     .launch_ns = 2500,
     .copy_out_bytes_per_s = 24e9,
     .copy_out_latency_ns = 10000,
     .copy_in_bytes_per_s = 24e9,
     .copy_in_latency_ns = 10000,
     .link_bytes_per_s = 300e9,
     .link_latency_ns = 15000},
    {.name = "gpu-h100-80g",
     .contraction_flops_per_s = {14e12, 44.3e12, 633e12, 633e12, 26.7e12},
     .tf32_flops_per_s = 316e12,
     .simple_flops_per_s = {14.8e12, 29.7e12, 29.7e12, 4.94e12, 14.8e12},
     .transcendentals_per_s = {0.433e12, 0.941e12, 0.869e12, 0.674e12, 0.941e12},
     .memory_bytes_per_s = 2850e9,
     .cache_bytes_per_s = 7000e9,
     .last_cache_bytes = 52428800,
     .memory_bytes = 85899345920,
     .launch_ns = 2500,
     .copy_out_bytes_per_s = 50e9,
     .copy_out_latency_ns = 10000,
     .copy_in_bytes_per_s = 50e9,
     .copy_in_latency_ns = 10000,
     .link_bytes_per_s = 450e9,
     .link_latency_ns = 15000},
};

#define N_MODELS (sizeof models / sizeof *models)

/* One row a key. What divides must be positive; what adds may be zero. */
typedef struct Key {
  const char *name;
  size_t offset;
  bool may_be_zero;
} Key;

#define RATE(key, field, type)                                                                     \
  {                                                                                                \
    key, offsetof(EchoDeviceModel, field) + (type) * sizeof(double), false                         \
  }
#define RATE_OR_ZERO(key, field, type)                                                             \
  {                                                                                                \
    key, offsetof(EchoDeviceModel, field) + (type) * sizeof(double), true                          \
  }
static const Key keys[] = {
    RATE("contraction_flops_per_s.f64", contraction_flops_per_s, ECHO_RATE_F64),
    RATE("contraction_flops_per_s.f32", contraction_flops_per_s, ECHO_RATE_F32),
    RATE("contraction_flops_per_s.f16", contraction_flops_per_s, ECHO_RATE_F16),
    RATE("contraction_flops_per_s.bf16", contraction_flops_per_s, ECHO_RATE_BF16),
    RATE("contraction_flops_per_s.int", contraction_flops_per_s, ECHO_RATE_INT),
    {"contraction_flops_per_s.tf32", offsetof(EchoDeviceModel, tf32_flops_per_s), true},
    RATE_OR_ZERO("loop_flops_per_s.f64", loop_flops_per_s, ECHO_RATE_F64),
    RATE_OR_ZERO("loop_flops_per_s.f32", loop_flops_per_s, ECHO_RATE_F32),
    RATE_OR_ZERO("loop_flops_per_s.f16", loop_flops_per_s, ECHO_RATE_F16),
    RATE_OR_ZERO("loop_flops_per_s.bf16", loop_flops_per_s, ECHO_RATE_BF16),
    RATE_OR_ZERO("loop_flops_per_s.int", loop_flops_per_s, ECHO_RATE_INT),
    RATE("simple_flops_per_s.f64", simple_flops_per_s, ECHO_RATE_F64),
    RATE("simple_flops_per_s.f32", simple_flops_per_s, ECHO_RATE_F32),
    RATE("simple_flops_per_s.f16", simple_flops_per_s, ECHO_RATE_F16),
    RATE("simple_flops_per_s.bf16", simple_flops_per_s, ECHO_RATE_BF16),
    RATE("simple_flops_per_s.int", simple_flops_per_s, ECHO_RATE_INT),
    RATE("transcendentals_per_s.f64", transcendentals_per_s, ECHO_RATE_F64),
    RATE("transcendentals_per_s.f32", transcendentals_per_s, ECHO_RATE_F32),
    RATE("transcendentals_per_s.f16", transcendentals_per_s, ECHO_RATE_F16),
    RATE("transcendentals_per_s.bf16", transcendentals_per_s, ECHO_RATE_BF16),
    RATE("transcendentals_per_s.int", transcendentals_per_s, ECHO_RATE_INT),
    {"chained_flops_per_s", offsetof(EchoDeviceModel, chained_flops_per_s), true},
    {"memory_bytes_per_s", offsetof(EchoDeviceModel, memory_bytes_per_s), false},
    {"cache_bytes_per_s", offsetof(EchoDeviceModel, cache_bytes_per_s), false},
    {"last_cache_bytes", offsetof(EchoDeviceModel, last_cache_bytes), true},
    {"shared_cache_bytes_per_s", offsetof(EchoDeviceModel, shared_cache_bytes_per_s), true},
    {"shared_cache_bytes", offsetof(EchoDeviceModel, shared_cache_bytes), true},
    {"transpose_bytes_per_s", offsetof(EchoDeviceModel, transpose_bytes_per_s), true},
    {"memory_bytes", offsetof(EchoDeviceModel, memory_bytes), true},
    {"launch_ns", offsetof(EchoDeviceModel, launch_ns), true},
    {"call_ns", offsetof(EchoDeviceModel, call_ns), true},
    {"cores", offsetof(EchoDeviceModel, cores), true},
    {"copy_out_bytes_per_s", offsetof(EchoDeviceModel, copy_out_bytes_per_s), false},
    {"copy_out_latency_ns", offsetof(EchoDeviceModel, copy_out_latency_ns), true},
    {"copy_in_bytes_per_s", offsetof(EchoDeviceModel, copy_in_bytes_per_s), false},
    {"copy_in_latency_ns", offsetof(EchoDeviceModel, copy_in_latency_ns), true},
    {"link_bytes_per_s", offsetof(EchoDeviceModel, link_bytes_per_s), false},
    {"link_latency_ns", offsetof(EchoDeviceModel, link_latency_ns), true},
};
#undef RATE
#undef RATE_OR_ZERO

#define N_KEYS (sizeof keys / sizeof *keys)
_Static_assert(N_KEYS <= 64, "the keys seen are bits of one word");
_Static_assert(offsetof(EchoDeviceModel, op_ns) == ECHO_DEVICE_NAME_BYTES + N_KEYS * sizeof(double),
               "every number of a model has a key");

void echo_device_model_default(EchoDeviceModel *model)
{
  *model = models[0];
}

bool echo_device_model_find(EchoStr name, EchoDeviceModel *model)
{
  for (size_t m = 0; m < N_MODELS; m++)
    if (echo_str_is(name, models[m].name)) {
      *model = models[m];
      return true;
    }
  return false;
}

const char *echo_device_model_name_or_null(size_t index)
{
  return index < N_MODELS ? models[index].name : NULL;
}

bool echo_device_model_check(const EchoDeviceModel *model, EchoBuffer *error)
{
  if (model->name[0] == '\0' || memchr(model->name, '\0', sizeof model->name) == NULL) {
    echo_buffer_printf(error, "a device model has a name of 1 to %d characters",
                       ECHO_DEVICE_NAME_BYTES - 1);
    return false;
  }
  for (size_t k = 0; k < N_KEYS; k++) {
    double number;
    memcpy(&number, (const char *)model + keys[k].offset, sizeof number);
    if (isfinite(number) && (number > 0 || (number == 0 && keys[k].may_be_zero)))
      continue;
    echo_buffer_printf(error, "device model '%s': '%s' must be %s", model->name, keys[k].name,
                       keys[k].may_be_zero ? "zero or more" : "more than zero");
    return false;
  }
  return true;
}

static size_t position_of(EchoStr text, char c)
{
  const char *found = text.size > 0 ? memchr(text.data, c, text.size) : NULL;
  return found != NULL ? (size_t)(found - text.data) : text.size;
}

/* State of one parse. */
typedef struct Reader {
  EchoDeviceModel *model;
  EchoBuffer *error;
  size_t line;
  uint64_t seen;
  bool has_name;
  size_t n_mistakes;
} Reader;

static void ECHO_PRINTF(2, 3) complain(Reader *reader, const char *format, ...)
{
  if (reader->n_mistakes++ >= MAX_MISTAKES)
    return;
  va_list arguments;
  va_start(arguments, format);
  echo_buffer_printf(reader->error, "%zu: ", reader->line);
  echo_buffer_vprintf(reader->error, format, arguments);
  echo_buffer_append_char(reader->error, '\n');
  va_end(arguments);
}

/* How much of a text a message quotes. */
static int shown(EchoStr text)
{
  return text.size < 80 ? (int)text.size : 80;
}

static void read_name(Reader *reader, EchoStr value)
{
  if (reader->has_name)
    complain(reader, "'name' is given twice");
  reader->has_name = true;
  if (value.size == 0 || value.size >= ECHO_DEVICE_NAME_BYTES) {
    complain(reader, "a name has 1 to %d characters", ECHO_DEVICE_NAME_BYTES - 1);
    return;
  }
  memset(reader->model->name, 0, sizeof reader->model->name);
  memcpy(reader->model->name, value.data, value.size);
}

static void read_number(Reader *reader, size_t k, EchoStr value)
{
  double number;
  if (reader->seen >> k & 1)
    complain(reader, "'%s' is given twice", keys[k].name);
  reader->seen |= UINT64_C(1) << k;
  if (!echo_str_to_f64(value, &number) || !isfinite(number))
    complain(reader, "'%.*s' is not a number", shown(value), value.data);
  else if (number < 0 || (number == 0 && !keys[k].may_be_zero))
    complain(reader, "'%s' must be %s", keys[k].name,
             keys[k].may_be_zero ? "zero or more" : "more than zero");
  else
    memcpy((char *)reader->model + keys[k].offset, &number, sizeof number);
}

static void read_line(Reader *reader, EchoStr line)
{
  line.size = position_of(line, '#');
  line = echo_str_trim(line);
  if (line.size == 0)
    return;
  size_t equals = position_of(line, '=');
  if (equals == line.size) {
    complain(reader, "expected 'key = value'");
    return;
  }
  EchoStr key = echo_str_trim((EchoStr){line.data, equals});
  EchoStr value = echo_str_trim((EchoStr){line.data + equals + 1, line.size - equals - 1});
  if (echo_str_is(key, "name")) {
    read_name(reader, value);
    return;
  }
  for (size_t k = 0; k < N_KEYS; k++)
    if (echo_str_is(key, keys[k].name)) {
      read_number(reader, k, value);
      return;
    }
  complain(reader, "unknown key '%.*s'", shown(key), key.data);
}

bool echo_device_model_parse(EchoStr text, EchoDeviceModel *model, EchoBuffer *error)
{
  Reader reader = {.model = model, .error = error};
  echo_device_model_default(model);
  memset(model->loop_flops_per_s, 0, sizeof model->loop_flops_per_s);
  model->transpose_bytes_per_s = model->chained_flops_per_s = 0;
  model->shared_cache_bytes_per_s = model->shared_cache_bytes = 0;
  while (text.size > 0) {
    size_t end = position_of(text, '\n');
    reader.line++;
    read_line(&reader, (EchoStr){text.data, end});
    size_t taken = end < text.size ? end + 1 : end;
    text = (EchoStr){text.data + taken, text.size - taken};
  }
  if (!reader.has_name)
    complain(&reader, "the file ends without a 'name'");
  return reader.n_mistakes == 0;
}

void echo_device_model_print(const EchoDeviceModel *model, EchoBuffer *out)
{
  echo_buffer_printf(out, "name = %s\n", model->name);
  for (size_t k = 0; k < N_KEYS; k++) {
    double number;
    memcpy(&number, (const char *)model + keys[k].offset, sizeof number);
    char text[40];
    for (int digits = 6; digits <= 17; digits++) { /* the shortest that reads back the same */
      double again = 0;
      snprintf(text, sizeof text, "%.*g", digits, number);
      if (echo_str_to_f64(echo_str(text), &again) && again == number)
        break;
    }
    echo_buffer_printf(out, "%s = %s\n", keys[k].name, text);
  }
}

static uint64_t round_ns(double ns)
{
  return ns >= MAX_NS ? UINT64_C(1) << 62 : (uint64_t)floor(ns + 0.5);
}

EchoDeviceModel echo_device_model_on_threads(const EchoDeviceModel *model, unsigned n_threads)
{
  EchoDeviceModel scaled = *model;
  if (model->cores <= 0 || n_threads == 0)
    return scaled;
  double part = (double)n_threads / model->cores;
  for (int type = 0; type < ECHO_RATE_TYPES; ++type) {
    scaled.contraction_flops_per_s[type] *= part;
    scaled.loop_flops_per_s[type] *= part;
    scaled.simple_flops_per_s[type] *= part;
    scaled.transcendentals_per_s[type] *= part;
  }
  scaled.tf32_flops_per_s *= part;
  scaled.chained_flops_per_s *= part;
  scaled.cache_bytes_per_s *= part;
  scaled.shared_cache_bytes_per_s *= part;
  scaled.transpose_bytes_per_s *= part;
  scaled.cores = n_threads;
  return scaled;
}

/* ---- starting a kernel ---- */

/* More feed no more threads. */
#define MAX_PORTIONS 256

/* Woken threads have a portion each: a long kernel is as short as all of them make it; of a shorter
 * one fewer are woken, and none takes less than waking it did. (Portions of an eighth of a launch
 * to a whole one: the step of samples/nmt takes the same.) */
static double woken_ns(double launch_ns, double ns)
{
  return (ns > launch_ns ? ns : launch_ns) + launch_ns;
}

double echo_device_model_portions(const EchoDeviceModel *model, double ns)
{
  double threads = model->cores > 1 ? model->cores : 2;
  double launch_ns = model->launch_ns > 1 ? model->launch_ns : 1, thread_ns = threads * ns;
  if (!(thread_ns + model->call_ns > woken_ns(launch_ns, ns)))
    return 1;
  double portions = floor(thread_ns / launch_ns);
  return portions < 2 ? 2 : portions < MAX_PORTIONS ? portions : MAX_PORTIONS;
}

double echo_device_model_kernel_ns(const EchoDeviceModel *model, double ns)
{
  if (model->cores <= 0)
    return ns + model->launch_ns;
  double alone = model->cores * ns + model->call_ns;
  if (model->cores <= 1)
    return alone;
  double woken = woken_ns(model->launch_ns, ns);
  return alone < woken ? alone : woken;
}

double echo_device_model_call_ns(const EchoDeviceModel *model)
{
  return model->cores > 0 ? model->call_ns : model->launch_ns;
}

/* ---- traffic ---- */

/* What goes through a processor's cache and does not fit drives out as much that would have been
 * found there: of twice what it holds nothing is left. */
static double bytes_beyond(const EchoDeviceModel *model, double bytes, double cache_bytes)
{
  double beyond = bytes - cache_bytes;
  if (beyond <= 0)
    return 0;
  double missed = model->cores > 0 ? 2 * beyond : beyond;
  return missed < bytes ? missed : bytes;
}

double echo_device_model_busy_ns(const EchoDeviceModel *model, double arithmetic_ns, double bytes,
                                 bool transposes)
{
  double missed = bytes_beyond(model, bytes, model->last_cache_bytes), far = missed;
  double near_s = (bytes - missed) / model->cache_bytes_per_s, beyond_s = 0;
  if (model->shared_cache_bytes_per_s > 0) {
    far = bytes_beyond(model, bytes, model->shared_cache_bytes);
    far = far < missed ? far : missed;
    beyond_s = (missed - far) / model->shared_cache_bytes_per_s;
  }
  beyond_s += far / model->memory_bytes_per_s;
  double slower = transposes && model->transpose_bytes_per_s > 0
                      ? model->cache_bytes_per_s / model->transpose_bytes_per_s
                      : 1;
  double near_ns = near_s * slower * 1e9, beyond_ns = beyond_s * slower * 1e9;
  if (model->cores > 0)
    return (arithmetic_ns > near_ns ? arithmetic_ns : near_ns) + beyond_ns;
  double traffic_ns = near_ns + beyond_ns;
  return arithmetic_ns > traffic_ns ? arithmetic_ns : traffic_ns;
}

uint64_t echo_device_model_time_ns(const EchoDeviceModel *model, const EchoWork *work)
{
  double loops = model->loop_flops_per_s[work->type];
  double arithmetic = work->contraction_flops / echo_contraction_rate(model, work);
  if (work->loop_flops != 0)
    arithmetic +=
        work->loop_flops / (loops > 0 ? loops : model->contraction_flops_per_s[work->type]);
  arithmetic += work->simple_flops / model->simple_flops_per_s[work->type];
  arithmetic += work->transcendentals / model->transcendentals_per_s[work->type];
  if (work->chained_flops != 0)
    arithmetic += work->chained_flops / echo_chained_rate(model, work);
  arithmetic += work->copied_bytes / model->cache_bytes_per_s;
  double ns = echo_device_model_busy_ns(model, arithmetic * 1e9, work->bytes, work->transposes);
  double n = work->n_launches;
  return round_ns(n > 0 ? n * echo_device_model_kernel_ns(model, ns / n) : ns);
}

uint64_t echo_device_model_copy_ns(const EchoDeviceModel *model, uint64_t n_bytes, bool is_out)
{
  double rate = is_out ? model->copy_out_bytes_per_s : model->copy_in_bytes_per_s;
  double latency = is_out ? model->copy_out_latency_ns : model->copy_in_latency_ns;
  double ns = (double)n_bytes / rate * 1e9;
  return round_ns(ns + latency);
}

uint64_t echo_device_model_link_ns(const EchoDeviceModel *model, double n_calls, double n_bytes)
{
  double latency = n_calls * model->link_latency_ns;
  double ns = n_bytes / model->link_bytes_per_s * 1e9;
  return round_ns(ns + latency);
}
