/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tests/gpu/cudnn/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The driver's, and the one that this library alone knows of it (tests/gpu/driver.h). */
#define DECLARE(name, symbol, parameters) CUresult symbol parameters;
ECHO_CUDA_CALLS(DECLARE)
#undef DECLARE
void echoCudaScaleTime(CUfunction function, double factor);

enum { BLOCK = 128, N_ADDRESSES = 4, MAX_INDICES = 6 };

int64_t type_bytes(int type)
{
  switch (type) {
  case CUDNN_DATA_FLOAT:
    return 4;
  case CUDNN_DATA_DOUBLE:
    return 8;
  case CUDNN_DATA_HALF:
  case CUDNN_DATA_BFLOAT16:
    return 2;
  default:
    return 0;
  }
}

/* A number that runs from 0: its register, how far. */
typedef struct Index {
  char name[4];
  int64_t size;
} Index;

typedef struct Writer {
  FILE *out;
  const Shape *shape;
  const char *real;
  Index made[MAX_INDICES], summed[MAX_INDICES];
  size_t n_made, n_summed;
} Writer;

static void add(Index *list, size_t *n, const char *name, int64_t size)
{
  snprintf(list[*n].name, sizeof list[*n].name, "%s", name);
  list[(*n)++].size = size;
}

static void add_places(Index *list, size_t *n, char letter, const int64_t *sizes)
{
  for (int i = 0; i < PLACES; i++) {
    const char name[] = {letter, (char)('0' + i), '\0'};
    add(list, n, name, sizes[i]);
  }
}

static void choose_indices(Writer *w)
{
  const Shape *s = w->shape;
  bool is_filter = s->operation == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR;
  bool is_data = s->operation == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR;
  add(is_filter ? w->summed : w->made, is_filter ? &w->n_summed : &w->n_made, "n", s->n);
  add(w->made, &w->n_made, "g", s->g);
  add(is_data ? w->summed : w->made, is_data ? &w->n_summed : &w->n_made, "k", s->k);
  add(is_data || is_filter ? w->made : w->summed, is_data || is_filter ? &w->n_made : &w->n_summed,
      "c", s->c);
  add_places(is_filter ? w->made : w->summed, is_filter ? &w->n_made : &w->n_summed, 't', s->w);
  if (is_data)
    add_places(w->made, &w->n_made, 'x', s->x);
  else
    add_places(is_filter ? w->summed : w->made, is_filter ? &w->n_summed : &w->n_made, 'y', s->y);
}

/* ---- text ---- */

static void write_head(Writer *w)
{
  fprintf(w->out, ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry convolution(\n");
  for (int i = 0; i < N_ADDRESSES; i++)
    fprintf(w->out, "  .param .u64 p%d%s\n", i, i + 1 < N_ADDRESSES ? "," : ")");
  fprintf(w->out,
          "{\n  .reg .pred %%p;\n  .reg .b16 %%h;\n  .reg .b32 %%b, %%u, %%v;\n"
          "  .reg .b64 %%at, %%r, %%z, %%n, %%g, %%k, %%c, %%q<4>;\n"
          "  .reg .b64 %%x0, %%x1, %%x2, %%y0, %%y1, %%y2, %%t0, %%t1, %%t2;\n"
          "  .reg .%s %%one, %%two, %%sum;\n",
          w->real);
  for (int i = 0; i < N_ADDRESSES; i++)
    fprintf(w->out, "  ld.param.u64 %%q%d, [p%d];\n", i, i);
}

/* The thread's element, as indices; none: it is done. */
static void write_place(Writer *w, int64_t n_threads)
{
  fprintf(w->out,
          "  mov.u32 %%u, %%tid.x;\n  mov.u32 %%v, %%ctaid.x;\n  mov.u32 %%b, %%ntid.x;\n"
          "  mad.lo.s32 %%u, %%v, %%b, %%u;\n  cvt.u64.u32 %%z, %%u;\n"
          "  setp.ge.u64 %%p, %%z, %lld;\n  @%%p bra $end;\n",
          (long long)n_threads);
  for (size_t i = w->n_made; i-- > 0;)
    fprintf(w->out, "  rem.u64 %%%s, %%z, %lld;\n  div.u64 %%z, %%z, %lld;\n", w->made[i].name,
            (long long)w->made[i].size, (long long)w->made[i].size);
}

/* What is summed over is counted down. */
static void write_loops(Writer *w)
{
  for (size_t i = 0; i < w->n_summed; i++)
    fprintf(w->out, "  mov.u64 %%%s, %lld;\n$loop%zu:\n", w->summed[i].name,
            (long long)(w->summed[i].size - 1), i);
}

static void write_loop_ends(Writer *w)
{
  for (size_t i = w->n_summed; i-- > 0;)
    fprintf(w->out,
            "  add.s64 %%%s, %%%s, -1;\n  setp.ge.s64 %%p, %%%s, 0;\n  @%%p bra $loop%zu;\n",
            w->summed[i].name, w->summed[i].name, w->summed[i].name, i);
}

static void skip_unless_within(Writer *w, const char *index, int i, int64_t size)
{
  fprintf(w->out,
          "  setp.lt.s64 %%p, %%%s%d, 0;\n  @%%p bra $skip;\n"
          "  setp.ge.s64 %%p, %%%s%d, %lld;\n  @%%p bra $skip;\n",
          index, i, index, i, (long long)size);
}

/* x = y * stride + t * dilation - padding, whichever of the two is not known yet. */
static void write_other_place(Writer *w, int i)
{
  const Shape *s = w->shape;
  fprintf(w->out, "  mul.lo.s64 %%z, %%t%d, %lld;\n  sub.s64 %%z, %%z, %lld;\n", i,
          (long long)s->dilation[i], (long long)s->padding[i]);
  if (s->operation != CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR) {
    fprintf(w->out, "  mul.lo.s64 %%x%d, %%y%d, %lld;\n  add.s64 %%x%d, %%x%d, %%z;\n", i, i,
            (long long)s->stride[i], i, i);
    skip_unless_within(w, "x", i, s->x[i]);
    return;
  }
  fprintf(w->out,
          "  sub.s64 %%z, %%x%d, %%z;\n  setp.lt.s64 %%p, %%z, 0;\n  @%%p bra $skip;\n"
          "  rem.s64 %%r, %%z, %lld;\n  setp.ne.s64 %%p, %%r, 0;\n  @%%p bra $skip;\n"
          "  div.s64 %%y%d, %%z, %lld;\n",
          i, (long long)s->stride[i], i, (long long)s->stride[i]);
  skip_unless_within(w, "y", i, s->y[i]);
}

/* ---- elements ---- */

static void add_term(Writer *w, const char *index, int64_t stride, int64_t bytes)
{
  fprintf(w->out, "  mul.lo.s64 %%z, %%%s, %lld;\n  add.s64 %%at, %%at, %%z;\n", index,
          (long long)(stride * bytes));
}

/* Address `q` of a tensor, whose places are those of `letter`. */
static void write_address(Writer *w, int q, const char *const *channels, char letter,
                          const int64_t *strides, int type)
{
  int64_t bytes = type_bytes(type);
  fprintf(w->out, "  mov.u64 %%at, %%q%d;\n", q);
  for (int i = 0; i < 3; i++)
    add_term(w, channels[i], strides[i], bytes);
  for (int i = 0; i < PLACES; i++) {
    const char name[] = {letter, (char)('0' + i), '\0'};
    bool is_turned = letter == 't' && w->shape->is_turned;
    if (is_turned)
      fprintf(w->out, "  sub.s64 %%r, %lld, %%t%d;\n", (long long)(w->shape->w[i] - 1), i);
    add_term(w, is_turned ? "r" : name, strides[3 + i], bytes);
  }
}

static void write_tensor(Writer *w, int q)
{
  static const char *const CHANNELS[][3] = {{"n", "g", "c"}, {"g", "k", "c"}, {"n", "g", "k"}};
  static const char LETTERS[] = "xty";
  const Shape *s = w->shape;
  const int64_t *strides[] = {s->x_strides, s->w_strides, s->y_strides};
  static const cudnnBackendDescriptorType_t MAKERS[] = {
      CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
      CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
      CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR};
  int type = s->operation == MAKERS[q] ? s->result_type : s->factor_type;
  write_address(w, q, CHANNELS[q], LETTERS[q], strides[q], type);
}

static void write_load(Writer *w, const char *to, bool rounds_tf32)
{
  switch (w->shape->factor_type) {
  case CUDNN_DATA_HALF:
    fprintf(w->out, "  ld.global.u16 %%h, [%%at];\n  cvt.f32.f16 %%%s, %%h;\n", to);
    return;
  case CUDNN_DATA_BFLOAT16:
    fprintf(w->out,
            "  ld.global.u16 %%h, [%%at];\n  cvt.u32.u16 %%u, %%h;\n  shl.b32 %%u, %%u, 16;\n"
            "  mov.b32 %%%s, %%u;\n",
            to);
    return;
  default:
    fprintf(w->out, "  ld.global.%s %%%s, [%%at];\n", w->real, to);
    if (rounds_tf32)
      fprintf(w->out, "  cvt.rna.tf32.f32 %%u, %%%s;\n  mov.b32 %%%s, %%u;\n", to, to);
  }
}

static void write_store(Writer *w)
{
  switch (w->shape->result_type) {
  case CUDNN_DATA_HALF:
    fprintf(w->out, "  cvt.rn.f16.f32 %%h, %%sum;\n  st.global.u16 [%%at], %%h;\n");
    return;
  case CUDNN_DATA_BFLOAT16:
    fprintf(w->out, "  cvt.rn.bf16.f32 %%h, %%sum;\n  st.global.u16 [%%at], %%h;\n");
    return;
  default:
    fprintf(w->out, "  st.global.%s [%%at], %%sum;\n", w->real);
  }
}

static void write_text(Writer *w, int64_t n_threads, bool rounds_tf32, double bias)
{
  const Shape *s = w->shape;
  int out = s->operation == CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR         ? 2
            : s->operation == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR ? 0
                                                                                           : 1;
  write_head(w);
  write_place(w, n_threads);
  if (s->factor_type == CUDNN_DATA_DOUBLE) {
    fprintf(w->out, "  mov.f64 %%sum, 0d0000000000000000;\n");
  } else {
    float start = (float)bias;
    unsigned bits;
    memcpy(&bits, &start, sizeof bits);
    fprintf(w->out, "  mov.f32 %%sum, 0f%08X;\n", bits);
  }
  write_loops(w);
  for (int i = 0; i < PLACES; i++)
    write_other_place(w, i);
  write_tensor(w, out == 0 ? 1 : 0);
  write_load(w, "one", rounds_tf32);
  write_tensor(w, out == 2 ? 1 : 2);
  write_load(w, "two", rounds_tf32);
  fprintf(w->out, "  fma.rn.%s %%sum, %%one, %%two, %%sum;\n$skip:\n", w->real);
  write_loop_ends(w);
  write_tensor(w, out);
  write_store(w);
  /* The first thread of all writes to the workspace, as a library may. */
  fprintf(w->out, "  mov.u32 %%u, %%tid.x;\n  mov.u32 %%v, %%ctaid.x;\n  or.b32 %%u, %%u, %%v;\n"
                  "  setp.ne.s32 %%p, %%u, 0;\n  @%%p bra $end;\n  st.global.u64 [%%q3], %%at;\n"
                  "$end:\n  ret;\n}\n");
}

/* ---- driver ---- */

bool kernel_load(Kernel *kernel, const Shape *shape, bool rounds_tf32, double bias)
{
  char *text = NULL, log[512] = "";
  size_t size = 0;
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)(uintptr_t)sizeof log};
  Writer w = {.out = open_memstream(&text, &size),
              .shape = shape,
              .real = shape->factor_type == CUDNN_DATA_DOUBLE ? "f64" : "f32"};
  choose_indices(&w);
  kernel->n_threads = 1;
  for (size_t i = 0; i < w.n_made; i++)
    kernel->n_threads *= w.made[i].size;
  write_text(&w, kernel->n_threads, rounds_tf32, bias);
  fclose(w.out);
  bool ok = cuModuleLoadDataEx(&kernel->module, text, 2, options, values) == CUDA_SUCCESS &&
            cuModuleGetFunction(&kernel->function, kernel->module, "convolution") == CUDA_SUCCESS;
  if (!ok)
    fprintf(stderr, "emulated cuDNN: %s\n", log);
  free(text);
  return ok;
}

void kernel_unload(Kernel *kernel)
{
  if (kernel->module != NULL)
    (void)cuModuleUnload(kernel->module);
  *kernel = (Kernel){0};
}

bool kernel_launch(const Kernel *kernel, const uint64_t addresses[4], double time_factor,
                   CUstream stream)
{
  uint64_t values[N_ADDRESSES];
  void *parameters[N_ADDRESSES];
  for (int i = 0; i < N_ADDRESSES; i++) {
    values[i] = addresses[i];
    parameters[i] = &values[i];
  }
  echoCudaScaleTime(kernel->function, time_factor);
  return cuLaunchKernel(kernel->function, (unsigned)((kernel->n_threads + BLOCK - 1) / BLOCK), 1, 1,
                        BLOCK, 1, 1, 0, stream, parameters, NULL) == CUDA_SUCCESS;
}
