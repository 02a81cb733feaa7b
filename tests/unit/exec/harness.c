/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tests/unit/exec/harness.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "codegen/codegen.h"
#include "codegen/loader.h"
#include "dialects/dialects.h"
#include "dialects/interfaces/denormals.h"
#include "dialects/interfaces/evaluate.h"
#include "dialects/kernel/kernel.h"
#include "ir/diagnostics.h"
#include "ir/pass/pass.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"
#include "lowering/lowering.h"
#include "tests/unit/exec/emulated.h"

static void print_diagnostic(void *user, EchoContext *ctx, const EchoDiagnostic *diagnostic)
{
  (void)user;
  EchoBuffer text = {0};
  echo_diagnostic_format(ctx, diagnostic, &text);
  fprintf(stderr, "%s", echo_buffer_c_str(&text));
  echo_buffer_destroy(&text);
}

/* ---- inputs ---- */

static uint64_t next_random(uint64_t *state)
{
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return echo_hash_u64(*state);
}

static double special_float(EchoElementKind kind, uint64_t choice)
{
  double largest = kind == ECHO_ELEMENT_F64    ? 0x1.fffffffffffffp1023
                   : kind == ECHO_ELEMENT_F16  ? 65504.0
                   : kind == ECHO_ELEMENT_BF16 ? 0x1.fep127
                                               : 0x1.fffffep127;
  double smallest = kind == ECHO_ELEMENT_F64    ? 0x1p-1074
                    : kind == ECHO_ELEMENT_F16  ? 0x1p-24
                    : kind == ECHO_ELEMENT_BF16 ? 0x1p-133
                                                : 0x1p-149;
  const double values[] = {0.0,         -0.0,    1.0,      -1.0,     INFINITY,  -INFINITY,
                           (double)NAN, largest, -largest, smallest, -smallest, 0.5};
  return values[choice % (sizeof values / sizeof values[0])];
}

void exec_fill(EchoTensor *tensor, const ExecOptions *options, uint64_t seed)
{
  uint64_t state = seed;
  double low = options->low, high = options->high;
  if (low == 0.0 && high == 0.0) {
    low = -4.0;
    high = 4.0;
  }
  for (int64_t i = 0; i < tensor->n_elements; ++i) {
    uint64_t bits = next_random(&state);
    if (echo_element_is_float(tensor->kind)) {
      double unit = (double)(bits >> 11) * 0x1p-53;
      double value = low + (high - low) * unit;
      if (options->whole)
        value = nearbyint(value);
      if (options->special && i % 7 == 3)
        value = special_float(tensor->kind, bits >> 7);
      echo_tensor_set_f64(tensor, i, value);
    } else {
      int64_t value = (int64_t)bits;
      if (options->int_low != 0 || options->int_high != 0)
        value = options->int_low +
                (int64_t)(bits % (uint64_t)(options->int_high - options->int_low + 1));
      else if (i % 5 == 0)
        value = (int64_t)(bits % 7) - 3;
      if (tensor->kind == ECHO_ELEMENT_I1)
        value = (int64_t)(bits & 1);
      echo_tensor_set_i64(tensor, i, value);
    }
  }
}

/* ---- comparison ---- */

static double ulp_of(EchoElementKind kind, double magnitude)
{
  int exponent = 0;
  int digits = kind == ECHO_ELEMENT_F64    ? 53
               : kind == ECHO_ELEMENT_F16  ? 11
               : kind == ECHO_ELEMENT_BF16 ? 8
                                           : 24;
  int lowest = kind == ECHO_ELEMENT_F64    ? -1074
               : kind == ECHO_ELEMENT_F16  ? -24
               : kind == ECHO_ELEMENT_BF16 ? -133
                                           : -149;
  if (magnitude == 0.0)
    return ldexp(1.0, lowest);
  frexp(magnitude, &exponent);
  int unit = exponent - digits;
  return ldexp(1.0, unit < lowest ? lowest : unit);
}

double exec_ulps(EchoElementKind kind, double got, double want, double scale)
{
  if (isnan(got) && isnan(want))
    return 0.0;
  if (got == want)
    return 0.0;
  if (!isfinite(got) || !isfinite(want))
    return INFINITY;
  double magnitude = fmax(fabs(want), scale);
  return fabs(got - want) / ulp_of(kind, magnitude);
}

/* Check writes down every assertion that holds: here only what fails is one. */
void exec_compare(const char *what, const EchoTensor *got, const EchoTensor *want,
                  const ExecOptions *options, size_t result)
{
  for (int64_t i = 0; i < got->n_elements; ++i) {
    if (echo_element_is_float(got->kind)) {
      double a = echo_tensor_get_f64(got, i), b = echo_tensor_get_f64(want, i);
      bool same_sign =
          isnan(a) || isnan(b) || a != b || signbit(a) == signbit(b) || options->ulps > 0.0;
      double ulps = exec_ulps(got->kind, a, b, options->scale);
      if (!(ulps <= options->ulps && same_sign))
        ck_abort_msg("result %zu element %lld: got %a (%.9g), want %a (%.9g): %g ulps in\n%.1500s",
                     result, (long long)i, a, a, b, b, ulps, what);
    } else {
      int64_t a = echo_tensor_get_i64(got, i), b = echo_tensor_get_i64(want, i);
      if (a != b)
        ck_abort_msg("result %zu element %lld: got %lld, want %lld in\n%.1500s", result,
                     (long long)i, (long long)a, (long long)b, what);
    }
  }
}

/* ---- running ---- */

static const EchoOp *find_kernel(const EchoOp *module)
{
  for (const EchoOp *op = echo_op_body(module, 0)->first; op != NULL; op = op->next)
    if (echo_op_is(op, "kernel.func"))
      return op;
  ck_abort_msg("no kernel.func in the text");
  return NULL;
}

static void run_compiled(EchoContext *ctx, EchoOp *module, void **buffers)
{
  EchoCodegenOptions options = {0};
  EchoCompiledModule compiled;
  ck_assert(echo_codegen_compile(ctx, module, &options, &compiled));
  EchoLoader *loader = echo_loader_create_or_null(ctx);
  ck_assert_ptr_nonnull(loader);
  for (size_t k = 0; k < compiled.n_kernels; ++k) {
    const EchoCompiledKernel *kernel = &compiled.kernels[k];
    if (kernel->first == k)
      ck_assert(echo_loader_add_object(loader, ctx, kernel->object));
    for (size_t p = 0; p < kernel->n_phases; ++p) {
      void *address = NULL;
      ck_assert(echo_loader_lookup(loader, ctx, kernel->phases[p].symbol, &address));
      EchoKernelFn *function;
      memcpy(&function, &address, sizeof function);
      /* in two pieces, the later one first: tasks do not depend on their order */
      int64_t n = kernel->phases[p].n_tasks;
      EchoFloatMode before = echo_float_mode_set(true);
      if (n != 0)
        function((void *const *)buffers, n / 2, n);
      if (n > 1)
        function((void *const *)buffers, 0, n / 2);
      echo_float_mode_restore(before);
    }
  }
  echo_loader_destroy(loader);
  echo_compiled_module_destroy(&compiled);
}

static const char CPU[] = "lower-kernels", CPU_LOOPS[] = "lower-kernels{blas=false}";
static const char GPU[] = "lower-kernels{target=sm_80}";

static bool lower(EchoContext *ctx, EchoOp *module, const char *pipeline)
{
  EchoPassRegistry *registry = echo_pass_registry_create();
  echo_pass_registry_add(registry, &ECHO_PASS_LOWER_KERNELS);
  EchoPassManagerOptions manager_options = {.verify_each = true};
  EchoPassManager *manager = echo_pass_manager_create(ctx, registry, &manager_options);
  bool fine = echo_pass_manager_add_pipeline(manager, echo_str(pipeline)) &&
              echo_pass_manager_run(manager, module);
  echo_pass_manager_destroy(manager);
  echo_pass_registry_destroy(registry);
  return fine;
}

/* The same kernel as it is mapped to a GPU: as PTX, on the emulated one. No GPU flushes denormals
 * of f64: with them it is told to keep all, and so is the interpreter. */
static void check_on_gpu(EchoContext *ctx, const char *text, EchoTensor *const *inputs,
                         EchoTensor *const *flushed, size_t n_inputs, size_t n_results,
                         const ExecOptions *options)
{
  EchoOp *module = echo_parse_text_or_null(ctx, ECHO_STR("kernel"), echo_str(text));
  ck_assert(module != NULL);
  EchoTensor *got[64], *kept[64], *const *want = flushed;
  if (strstr(text, "f64") != NULL) {
    echo_module_keep_denormals(module, true);
    ck_assert(echo_interpret(ctx, module, find_kernel(module), (const EchoTensor *const *)inputs,
                             n_inputs, kept, n_results));
    want = kept;
  }
  ck_assert(lower(ctx, module, GPU));
  void *buffers[128];
  uint64_t n_bytes[128];
  for (size_t i = 0; i < n_inputs; ++i) {
    buffers[i] = inputs[i]->data;
    n_bytes[i] = echo_type_static_bytes(inputs[i]->type);
  }
  for (size_t i = 0; i < n_results; ++i) {
    got[i] = echo_tensor_create(want[i]->type, true);
    buffers[n_inputs + i] = got[i]->data;
    n_bytes[n_inputs + i] = echo_type_static_bytes(got[i]->type);
  }
  bool fine = exec_emulate(ctx, module, buffers, n_bytes, n_inputs, n_inputs + n_results);
  echo_context_flush_diagnostics(ctx);
  ck_assert_msg(fine, "on the GPU\n%.1500s", text);
  for (size_t i = 0; i < n_results; ++i) {
    exec_compare(text, got[i], want[i], options, i);
    echo_tensor_destroy(got[i]);
    if (want == kept)
      echo_tensor_destroy(kept[i]);
  }
}

void exec_check(const char *text, const ExecOptions *options)
{
  EchoContext *ctx = echo_context_create();
  echo_register_dialects(ctx);
  echo_context_set_diagnostic_handler(ctx, print_diagnostic, NULL);
  EchoOp *module = echo_parse_text_or_null(ctx, ECHO_STR("kernel"), echo_str(text));
  ck_assert_msg(module != NULL && echo_verify(module), "bad text:\n%s", text);
  const EchoOp *kernel = find_kernel(module);
  const EchoType *type = echo_op_attr_or_null(kernel, "function_type")->as.type_value;
  size_t n_inputs = type->as.function.n_inputs, n_results = type->as.function.n_results;
  EchoTensor *inputs[64], *want[64], *got[64];
  void *buffers[128];
  ck_assert(n_inputs <= 64 && n_results <= 64);
  for (size_t i = 0; i < n_inputs; ++i) {
    inputs[i] = echo_tensor_create(type->as.function.inputs[i], true);
    exec_fill(inputs[i], options, i + 1);
    buffers[i] = inputs[i]->data;
  }
  for (size_t i = 0; i < n_results; ++i) {
    got[i] = echo_tensor_create(type->as.function.results[i], true);
    memset(got[i]->data, 0x5a, echo_type_static_bytes(got[i]->type)); /* stale memory shows */
    buffers[n_inputs + i] = got[i]->data;
  }
  bool interpreted = echo_interpret(ctx, module, kernel, (const EchoTensor *const *)inputs,
                                    n_inputs, want, n_results);
  ck_assert_msg(interpreted, "the interpreter refuses\n%.1500s", text);
  bool lowered = lower(ctx, module, options->no_blas ? CPU_LOOPS : CPU);
  echo_context_flush_diagnostics(ctx);
  ck_assert_msg(lowered, "no lowering for\n%.1500s", text);
  if (getenv("ECHO_EXEC_PRINT") != NULL)
    echo_op_dump(module);
  run_compiled(ctx, module, buffers);
  for (size_t i = 0; i < n_results; ++i) {
    exec_compare(text, got[i], want[i], options, i);
    echo_tensor_destroy(got[i]);
  }
  check_on_gpu(ctx, text, inputs, want, n_inputs, n_results, options);
  for (size_t i = 0; i < n_results; ++i)
    echo_tensor_destroy(want[i]);
  for (size_t i = 0; i < n_inputs; ++i)
    echo_tensor_destroy(inputs[i]);
  echo_context_destroy(ctx);
}

void exec_run(EchoContext *ctx, const char *text, const EchoTensor *const *inputs, bool no_blas,
              EchoTensor **results)
{
  EchoOp *module = echo_parse_text_or_null(ctx, ECHO_STR("kernel"), echo_str(text));
  ck_assert_msg(module != NULL && echo_verify(module), "bad text:\n%s", text);
  const EchoType *type = echo_op_attr_or_null(find_kernel(module), "function_type")->as.type_value;
  void *buffers[128];
  for (uint32_t i = 0; i < type->as.function.n_inputs; ++i)
    buffers[i] = inputs[i]->data;
  for (uint32_t i = 0; i < type->as.function.n_results; ++i) {
    results[i] = echo_tensor_create(type->as.function.results[i], true);
    buffers[type->as.function.n_inputs + i] = results[i]->data;
  }
  ck_assert(lower(ctx, module, no_blas ? CPU_LOOPS : CPU));
  run_compiled(ctx, module, buffers);
  echo_op_erase(module);
}

void exec_check_body(const char *kind, const char *arguments, const char *argument_types,
                     const char *result_types, const char *body, const ExecOptions *options)
{
  EchoBuffer text = {0};
  echo_buffer_printf(&text,
                     "\"kernel.func\"() <{sym_name = \"k\", kind = \"%s\", function_type = (%s) -> "
                     "(%s)}> ({\n^bb0(%s):\n%s\n}) : () -> ()\n",
                     kind, argument_types, result_types, arguments, body);
  exec_check(echo_buffer_c_str(&text), options);
  echo_buffer_destroy(&text);
}
