/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/echo-run/ranks.h"

#include <stdio.h>
#include <unistd.h>

#include "base/map.h"
#include "dialects/echo/parts.h"
#include "dialects/func/build.h"
#include "dialects/sdy/shardings.h"
#include "ir/diagnostics.h"
#include "jit/data/npy.h"
#include "jit/data/parts.h"

/* ---- start and end ---- */

static FILE *hushed;        /* what this rank had to say */
static int own_stderr = -1; /* while it does not */
static bool all_fail;       /* each rank knows, and ends by itself */

bool ranks_start(EchoBuffer *error)
{
  if (!echo_mpi_is_launched())
    return true;
  if (!echo_mpi_start(error))
    return false;
  if (echo_mpi_rank() == 0)
    return true;
  if (freopen("/dev/null", "w", stdout) == NULL)
    return false;
  hushed = tmpfile();
  if (hushed == NULL)
    return true;
  own_stderr = dup(STDERR_FILENO);
  dup2(fileno(hushed), STDERR_FILENO);
  return true;
}

/* stderr as it was; what was said meanwhile where `says`. */
static void speak(bool says)
{
  if (own_stderr < 0)
    return;
  fflush(stderr);
  dup2(own_stderr, STDERR_FILENO);
  close(own_stderr);
  own_stderr = -1;
  rewind(hushed);
  char text[4096]; /* PIPE_BUF: what one call writes stays whole among other processes' lines */
  for (size_t n; says && (n = fread(text, 1, sizeof text, hushed)) != 0;)
    fwrite(text, 1, n, stderr);
  fclose(hushed);
}

bool ranks_agree(bool ok)
{
  int n = echo_mpi_size();
  if (n == 1)
    return ok;
  EchoBuffer error = {0};
  uint8_t own = ok, *all = echo_alloc_zero((size_t)n, 1);
  bool is_heard = echo_mpi_all_gather(&own, all, 1, &error), all_ok = is_heard;
  for (int i = 0; i < n; i++)
    all_ok &= all[i] != 0;
  if (!all_ok)
    speak(!ok && (!is_heard || all[0] != 0));
  if (!is_heard)
    fprintf(stderr, "echo-run: error: %s\n", echo_buffer_c_str(&error));
  for (int i = 0; i < n && is_heard && !all_ok && all[0] != 0 && echo_mpi_rank() == 0; i++)
    if (all[i] == 0)
      fprintf(stderr, "echo-run: error: rank %d of %d fails\n", i, n);
  if (is_heard && !all_ok) { /* nobody ends the others before they have spoken */
    fflush(stderr);
    all_fail = echo_mpi_all_gather(&own, all, 1, &error);
  }
  echo_free(all);
  echo_buffer_destroy(&error);
  return all_ok;
}

/* A launcher that is told of an abort may drop what was said right before it. */
void ranks_end(bool ok)
{
  speak(!ok);
  fflush(stdout);
  fflush(stderr);
  if (ok || all_fail || echo_mpi_size() == 1)
    echo_mpi_finish();
  else
    echo_mpi_abort();
}

void ranks_speak(void)
{
  speak(true);
}

/* ---- names ---- */

const char *ranks_name_file(const char *path, EchoArena *arena)
{
  const char *at = path != NULL ? strstr(path, "%r") : NULL;
  if (at == NULL || !echo_mpi_is_launched())
    return path;
  EchoBuffer name = {0};
  echo_buffer_printf(&name, "%.*s%d%s", (int)(at - path), path, echo_mpi_rank(), at + 2);
  const char *copy = echo_arena_copy_string(arena, name.data, name.size);
  echo_buffer_destroy(&name);
  return copy;
}

void ranks_name_files(EchoStringList *paths, EchoArena *arena)
{
  for (size_t i = 0; i < paths->size; i++)
    paths->data[i] = ranks_name_file(paths->data[i], arena);
}

/* ---- the same everywhere ---- */

/* The largest process that `name`, groups or pairs of processes, speaks of; -1 for none. */
static int64_t last_process(const EchoOp *op, const char *name)
{
  const EchoAttr *attr = echo_op_attr_or_null(op, name);
  int64_t last = -1;
  if (attr == NULL || attr->kind != ECHO_ATTR_DENSE_ELEMENTS)
    return last;
  size_t n = (size_t)echo_type_static_n_elements(attr->type);
  for (size_t i = 0; i < n; i++) {
    int64_t id = echo_elements_i64(attr, i);
    last = id > last ? id : last;
  }
  return last;
}

/* A module that does not say how many processes it is for, as XLA is told by its caller, has as
 * many as its collectives speak of: partitions where they have a channel, else replicas. Where only
 * shardings speak of any, as many partitions as their mesh has devices. */
static void count_processes(EchoOp *module)
{
  int64_t last = -1;
  bool has_channel = false;
  if (echo_op_has_attr(module, "mhlo.num_replicas") ||
      echo_op_has_attr(module, "mhlo.num_partitions"))
    return;
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op)) {
    static const char *const LISTS[] = {"replica_groups", "source_target_pairs"};
    for (size_t i = 0; i < sizeof LISTS / sizeof LISTS[0]; i++) {
      int64_t here = last_process(op, LISTS[i]);
      last = here > last ? here : last;
      has_channel |= here >= 0 && echo_op_has_attr(op, "channel_handle");
    }
  }
  if (echo_sdy_is_sharded(module)) {
    int64_t named = echo_sdy_n_devices(module) - 1;
    last = named > last ? named : last;
    has_channel = true;
  }
  if (last > 0 && last < INT32_MAX)
    echo_op_set_attr(module, has_channel ? "mhlo.num_partitions" : "mhlo.num_replicas",
                     echo_attr_i32(echo_op_context(module), (int32_t)(last + 1)));
}

bool ranks_check(EchoOp *module, EchoStr text, bool is_split, int argc, char **argv,
                 EchoBuffer *error)
{
  int64_t n = 0;
  count_processes(module);
  if (__builtin_mul_overflow(echo_op_attr_i64(module, "mhlo.num_replicas", 1),
                             echo_op_attr_i64(module, "mhlo.num_partitions", 1), &n))
    n = 0; /* no number of processes is that */
  const int size = echo_mpi_size();
  n = is_split && n == 1 ? size : n;
  uint64_t options = 0;
  for (int i = 1; i < argc; i++)
    options = echo_hash_combine(options, echo_hash_bytes(argv[i], strlen(argv[i]), 0));
  if (size > 1 &&
      (!echo_mpi_check_same(echo_hash_bytes(text.data, text.size, 0), "another module on", error) ||
       !echo_mpi_check_same(options, "other options on", error)))
    return false;
  if (n == size || (size == 1 && !echo_sdy_names_processes(module)))
    return true;
  echo_buffer_printf(error,
                     "the module is for %lld processes, and there %s %d: mpirun -n %lld "
                     "echo-run …",
                     (long long)n, size == 1 ? "is" : "are", size, (long long)n);
  return false;
}

/* ---- parts of wholes ---- */

static const EchoAttr *attr_or_null(const Signature *signature, bool of_results, size_t i,
                                    const char *name)
{
  return of_results ? signature_result_attr_or_null(signature, i, name)
                    : echo_func_arg_attr_or_null(signature->main, i, name);
}

const EchoAttr **ranks_read_parts(const Signature *signature, bool of_results, EchoArena *arena)
{
  size_t n = of_results ? signature->n_results : signature->n_args;
  const EchoType *const *types = of_results ? signature->result_types : signature->arg_types;
  const EchoAttr **parts = ECHO_ARENA_ARRAY(arena, const EchoAttr *, n + 1);
  for (size_t i = 0; i < n; i++) {
    parts[i] = attr_or_null(signature, of_results, i, ECHO_PARTS);
    if (attr_or_null(signature, of_results, i, ECHO_ORDER) != NULL) {
      echo_op_error(signature->main,
                    "has %s #%zu on a mesh whose devices stand in another order than the processes",
                    of_results ? "result" : "argument", i);
      return NULL;
    }
    if (parts[i] == NULL || (echo_parts_fit(parts[i], types[i], echo_mpi_size()) &&
                             echo_parts_sum(parts[i]).n_parts == 1))
      continue;
    echo_op_error(signature->main, "has %s #%zu whose '" ECHO_PARTS "' do not fit %d process%s",
                  of_results ? "result" : "argument", i, echo_mpi_size(),
                  echo_mpi_size() == 1 ? "" : "es");
    return NULL;
  }
  return parts;
}

/* Whether `given` is `wanted` with the dimension in front for the processes. */
static bool is_stacked(const EchoType *given, const EchoType *wanted, size_t skip)
{
  size_t rank = echo_type_rank(wanted);
  bool ok =
      skip == 0 && echo_type_rank(given) == rank + 1 && echo_type_dim(given, 0) == echo_mpi_size();
  for (size_t d = 0; d < rank && ok; d++)
    ok = echo_type_dim(given, d + 1) == echo_type_dim(wanted, d);
  return ok;
}

EchoTensor *ranks_cut_or_null(EchoContext *ctx, const EchoTensor *whole, const EchoType *wanted,
                              const EchoAttr *parts_or_null, size_t skip)
{
  size_t rank = echo_type_rank(wanted);
  const EchoType *given = whole->type;
  if (echo_mpi_size() == 1 || echo_type_element_kind(given) != echo_type_element_kind(wanted))
    return NULL;
  if (parts_or_null == NULL) {
    if (!is_stacked(given, wanted, skip))
      return NULL;
    EchoTensor *part = echo_tensor_create(wanted, false);
    size_t bytes = (size_t)echo_tensor_bytes(part);
    memcpy(part->data, (const char *)whole->data + (size_t)echo_mpi_rank() * bytes, bytes);
    return part;
  }
  if (echo_type_rank(given) != rank + skip)
    return NULL;
  int64_t dims[ECHO_MAX_RANK];
  for (size_t d = 0, at = 0; d < rank + skip; d++) {
    dims[d] = d < skip ? echo_type_dim(given, d) : echo_type_dim(wanted, d - skip);
    if (d >= skip &&
        echo_type_dim(given, d) != dims[d] * echo_parts_next_cut(parts_or_null, &at).n_parts)
      return NULL;
  }
  EchoTensor *part = echo_tensor_create(
      echo_type_tensor(ctx, dims, rank + skip, given->as.shaped.element, NULL), false);
  echo_parts_copy(((EchoTensor *)(uintptr_t)whole)->data, part->data, part->type, parts_or_null,
                  skip, echo_mpi_rank(), false);
  return part;
}

/* NULL where there is no dimension more. */
static EchoTensor *stacked_or_null(EchoContext *ctx, const EchoTensor *part, const void *all)
{
  int64_t dims[ECHO_MAX_RANK] = {echo_mpi_size()};
  size_t rank = echo_type_rank(part->type);
  if (rank == ECHO_MAX_RANK)
    return NULL;
  for (size_t d = 0; d < rank; d++)
    dims[d + 1] = echo_type_dim(part->type, d);
  EchoTensor *whole = echo_tensor_create(
      echo_type_tensor(ctx, dims, rank + 1, part->type->as.shaped.element, NULL), false);
  memcpy(whole->data, all, (size_t)echo_tensor_bytes(whole));
  return whole;
}

static EchoTensor *assembled(EchoContext *ctx, const EchoTensor *part, const EchoAttr *parts,
                             void *all)
{
  EchoTensor *whole = echo_tensor_create(echo_parts_whole_type(ctx, part->type, parts), false);
  const size_t bytes = (size_t)echo_tensor_bytes(part);
  for (int rank = echo_mpi_size(); rank-- > 0;) /* of equal parts rank 0's stays */
    echo_parts_copy(whole->data, (char *)all + (size_t)rank * bytes, part->type, parts, 0, rank,
                    true);
  return whole;
}

bool ranks_gather(EchoContext *ctx, EchoTensorSet *results, const EchoAttr *const *parts,
                  EchoBuffer *error)
{
  bool ok = true, is_first = echo_mpi_rank() == 0;
  for (size_t i = 0; echo_mpi_size() > 1 && i < results->list.size && ok; i++) {
    EchoTensor *part = results->list.data[i].tensor;
    uint64_t bytes = echo_tensor_bytes(part);
    void *all = is_first ? echo_alloc_array((size_t)bytes + 1, (size_t)echo_mpi_size()) : NULL;
    ok = echo_mpi_gather(part->data, all, bytes, error);
    EchoTensor *whole = !ok || !is_first   ? NULL
                        : parts[i] != NULL ? assembled(ctx, part, parts[i], all)
                                           : stacked_or_null(ctx, part, all);
    if (whole != NULL) {
      results->list.data[i].tensor = whole;
      echo_tensor_destroy(part);
    } else if (ok && is_first) {
      echo_buffer_printf(error, "result #%zu has %d dimensions, and no room for the processes", i,
                         ECHO_MAX_RANK);
      ok = false;
    }
    echo_free(all);
  }
  return ok;
}
