/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tests/unit/nn/run.h"

#include <check.h>
#include <math.h>
#include <stdio.h>

#include "dialects/dialects.h"
#include "dialects/interfaces/evaluate.h"
#include "ir/diagnostics.h"
#include "ir/pass/pass.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"
#include "lowering/lowering.h"

static void print_diagnostic(void *user, EchoContext *ctx, const EchoDiagnostic *diagnostic)
{
  (void)user;
  EchoBuffer text = {0};
  echo_diagnostic_format(ctx, diagnostic, &text);
  fputs(echo_buffer_c_str(&text), stderr);
  echo_buffer_destroy(&text);
}

static void lower(Run *run)
{
  EchoPassRegistry *registry = echo_pass_registry_create();
  echo_register_ir_passes(registry);
  echo_register_lowering_passes(registry);
  const EchoPassManagerOptions options = {.verify_each = true};
  EchoPassManager *manager = echo_pass_manager_create(run->ctx, registry, &options);
  ck_assert(echo_pass_manager_add_pipeline(manager, ECHO_STR("nn-to-stablehlo,differentiate")));
  ck_assert(echo_pass_manager_run(manager, run->module));
  echo_pass_manager_destroy(manager);
  echo_pass_registry_destroy(registry);
}

void run_start(Run *run, const char *text)
{
  *run = (Run){.ctx = echo_context_create()};
  echo_register_dialects(run->ctx);
  echo_context_set_diagnostic_handler(run->ctx, print_diagnostic, NULL);
  run->module = echo_parse_text_or_null(run->ctx, ECHO_STR("test"), echo_str(text));
  ck_assert(run->module != NULL && echo_verify(run->module));
  lower(run);
  run->function = echo_op_body(run->module, 0)->first;
  const EchoBlock *body = echo_op_body(run->function, 0);
  run->n_args = body->n_args;
  run->n_results = body->last->n_operands;
  ck_assert(run->n_args <= RUN_MAX_VALUES && run->n_results <= RUN_MAX_VALUES);
  uint64_t state = 1;
  for (size_t i = 0; i < run->n_args; i++) {
    EchoTensor *tensor = run->args[i] = echo_tensor_create(echo_block_arg(body, i)->type, false);
    for (int64_t k = 0; k < tensor->n_elements; k++) {
      state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      if (echo_element_is_float(tensor->kind))
        echo_tensor_set_f64(tensor, k, (double)(state >> 11) * 0x1p-52 - 1);
      else
        echo_tensor_set_i64(tensor, k, (int64_t)(state >> 62));
    }
  }
}

static void destroy_results(Run *run)
{
  for (size_t i = 0; i < run->n_results; i++) {
    echo_tensor_destroy(run->results[i]);
    run->results[i] = NULL;
  }
}

void run_evaluate(Run *run)
{
  destroy_results(run);
  ck_assert(echo_interpret(run->ctx, run->module, run->function,
                           (const EchoTensor *const *)run->args, run->n_args, run->results,
                           run->n_results));
}

void run_finish(Run *run)
{
  destroy_results(run);
  for (size_t i = 0; i < run->n_args; i++)
    echo_tensor_destroy(run->args[i]);
  echo_context_destroy(run->ctx);
}

void run_expect(double got, double want, const char *what, size_t i)
{
  ck_assert_msg(fabs(got - want) <= 1e-12 * (1 + fabs(want)), "%s, element %zu: %.17g, not %.17g",
                what, i, got, want);
}
