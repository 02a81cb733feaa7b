/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tests/gpu/cublaslt/kernel.h"

#include <stdio.h>

#include "jit/runtime/cuda/cublaslt_abi_t.h"

/* The driver's, and the one that this library alone knows of it (tests/gpu/driver.h). */
#define DECLARE(name, symbol, parameters) CUresult symbol parameters;
ECHO_CUDA_CALLS(DECLARE)
#undef DECLARE
void echoCudaScaleTime(CUfunction function, double factor);

enum { BLOCK = 128, N_ARGUMENTS = 15, MAX_TEXT = 8192 };

/* How an element is brought to a register of f32 or f64, and back. */
typedef struct Type {
  int number;
  int64_t bytes;
  const char *load, *store; /* of what lies at %at */
} Type;

static const Type TYPES[N_TYPES] = {
    {CUDA_R_32F, 4, "ld.global.f32 %%%s, [%%at];", "st.global.f32 [%%at], %%sum;"},
    {CUDA_R_64F, 8, "ld.global.f64 %%%s, [%%at];", "st.global.f64 [%%at], %%sum;"},
    {CUDA_R_16F, 2, "ld.global.u16 %%h, [%%at]; cvt.f32.f16 %%%s, %%h;",
     "cvt.rn.f16.f32 %%h, %%sum; st.global.u16 [%%at], %%h;"},
    {CUDA_R_16BF, 2,
     "ld.global.u16 %%h, [%%at]; cvt.u32.u16 %%w, %%h; shl.b32 %%w, %%w, 16; mov.b32 %%%s, %%w;",
     "cvt.rn.bf16.f32 %%h, %%sum; st.global.u16 [%%at], %%h;"},
};

static size_t find_type(int number)
{
  size_t i = 0;
  while (i + 1 < N_TYPES && TYPES[i].number != number)
    i++;
  return i;
}

int64_t type_bytes(int type)
{
  return TYPES[find_type(type)].bytes;
}

static const char HEAD[] = ".version 7.8\n"
                           ".target sm_80\n"
                           ".address_size 64\n"
                           ".visible .entry product(\n";
static const char BEGIN[] = ")\n{\n"
                            "  .reg .pred %p;\n  .reg .b16 %h;\n  .reg .b32 %w, %t, %c, %s;\n"
                            "  .reg .b64 %at, %i, %j, %l, %x, %z, %q<15>;\n";
static const char PLACE[] = "  mov.u32 %t, %tid.x;\n"
                            "  mov.u32 %c, %ctaid.x;\n"
                            "  mov.u32 %s, %ntid.x;\n"
                            "  mad.lo.s32 %t, %c, %s, %t;\n"
                            "  cvt.u64.u32 %x, %t;\n"
                            "  mul.lo.s64 %z, %q4, %q5;\n"
                            "  setp.ge.u64 %p, %x, %z;\n"
                            "  @%p bra $end;\n"
                            "  rem.u64 %i, %x, %q4;\n"
                            "  div.u64 %j, %x, %q4;\n"
                            "  mov.u32 %c, %ctaid.y;\n"
                            "  cvt.u64.u32 %z, %c;\n"
                            "  mul.lo.s64 %x, %z, %q9;\n"
                            "  add.s64 %q0, %q0, %x;\n"
                            "  mul.lo.s64 %x, %z, %q12;\n"
                            "  add.s64 %q1, %q1, %x;\n"
                            "  mul.lo.s64 %x, %z, %q14;\n"
                            "  add.s64 %q2, %q2, %x;\n"
                            "  mul.lo.s64 %x, %i, %q7;\n"
                            "  add.s64 %q0, %q0, %x;\n"
                            "  mul.lo.s64 %x, %j, %q11;\n"
                            "  add.s64 %q1, %q1, %x;\n"
                            "  mov.u64 %l, %q6;\n";
static const char NEXT[] = "$next:\n"
                           "  add.s64 %l, %l, -1;\n"
                           "  mul.lo.s64 %x, %l, %q8;\n"
                           "  add.s64 %at, %q0, %x;\n";
static const char SECOND[] = "  mul.lo.s64 %x, %l, %q10;\n"
                             "  add.s64 %at, %q1, %x;\n";
static const char RESULT[] = "  setp.ne.s64 %p, %l, 0;\n"
                             "  @%p bra $next;\n"
                             "  mul.lo.s64 %x, %j, %q13;\n"
                             "  add.s64 %at, %q2, %x;\n"
                             "  mul.lo.s64 %x, %i, ";
/* The first thread of all writes to the workspace, as a library may. */
static const char END[] = "  or.b64 %x, %i, %j;\n"
                          "  or.b64 %x, %x, %z;\n"
                          "  setp.ne.s64 %p, %x, 0;\n"
                          "  @%p bra $end;\n"
                          "  st.global.u64 [%q3], %x;\n"
                          "$end:\n"
                          "  ret;\n}\n";

static void print_kernel(const Type *from, const Type *to, char *text)
{
  const char *real = from->number == CUDA_R_64F ? "f64" : "f32";
  char *end = text + sprintf(text, "%s", HEAD);
  for (int i = 0; i < N_ARGUMENTS; i++)
    end += sprintf(end, "  .param .u64 p%d%s\n", i, i + 1 < N_ARGUMENTS ? "," : "");
  end += sprintf(end, "%s  .reg .%s %%a, %%b, %%sum;\n", BEGIN, real);
  for (int i = 0; i < N_ARGUMENTS; i++)
    end += sprintf(end, "  ld.param.u64 %%q%d, [p%d];\n", i, i);
  end += sprintf(end, "%s  mov.%s %%sum, %s;\n%s  ", PLACE, real,
                 from->number == CUDA_R_64F ? "0d0000000000000000" : "0f00000000", NEXT);
  end += sprintf(end, from->load, "a");
  end += sprintf(end, "\n%s  ", SECOND);
  end += sprintf(end, from->load, "b");
  end +=
      sprintf(end, "\n  fma.rn.%s %%sum, %%a, %%b, %%sum;\n%s%d;\n  add.s64 %%at, %%at, %%x;\n  ",
              real, RESULT, (int)to->bytes);
  end += sprintf(end, to->store, 0);
  sprintf(end, "\n%s", END);
}

static CUfunction load_or_null(Kernels *kernels, size_t from, size_t to)
{
  char text[MAX_TEXT], log[512] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)(uintptr_t)sizeof log};
  CUfunction *function = &kernels->functions[from][to];
  if (*function != NULL)
    return *function;
  print_kernel(&TYPES[from], &TYPES[to], text);
  if (cuModuleLoadDataEx(&kernels->modules[from][to], text, 2, options, values) != CUDA_SUCCESS ||
      cuModuleGetFunction(function, kernels->modules[from][to], "product") != CUDA_SUCCESS) {
    fprintf(stderr, "emulated cuBLASLt: %s\n", log);
    return NULL;
  }
  return *function;
}

bool kernels_launch(Kernels *kernels, int from, int to, Arguments *arguments, unsigned n_batch,
                    double time_factor, CUstream stream)
{
  CUfunction function = load_or_null(kernels, find_type(from), find_type(to));
  void *parameters[N_ARGUMENTS] = {
      &arguments->a,       &arguments->b,        &arguments->d,      &arguments->workspace,
      &arguments->m,       &arguments->n,        &arguments->k,      &arguments->a_row,
      &arguments->a_k,     &arguments->a_batch,  &arguments->b_k,    &arguments->b_column,
      &arguments->b_batch, &arguments->d_column, &arguments->d_batch};
  uint64_t n = arguments->m * arguments->n;
  if (function == NULL)
    return false;
  echoCudaScaleTime(function, time_factor);
  return cuLaunchKernel(function, (unsigned)((n + BLOCK - 1) / BLOCK), n_batch, 1, BLOCK, 1, 1, 0,
                        stream, parameters, NULL) == CUDA_SUCCESS;
}

void kernels_unload(Kernels *kernels)
{
  for (size_t i = 0; i < N_TYPES; i++)
    for (size_t k = 0; k < N_TYPES; k++)
      if (kernels->modules[i][k] != NULL)
        (void)cuModuleUnload(kernels->modules[i][k]);
}
