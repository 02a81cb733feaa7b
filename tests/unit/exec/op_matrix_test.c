/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every op in every element type that it takes: compiled through all stages and run on the CPU
 * against the interpreter, and its kernels once more as they are mapped to a GPU. The cases stand
 * in op_cases.c; the op tables say what must have one. All cases of one element type are one
 * program, so that the whole matrix is 13 compiles. */
#include <math.h>
#include <stdio.h>

#include "dialects/dialects.h"
#include "dialects/interfaces/evaluate.h"
#include "dialects/stablehlo/opcode.h"
#include "echo_pass/echo_pass.h"
#include "ir/attributes/type.h"
#include "ir/diagnostics.h"
#include "ir/pass/pass.h"
#include "ir/symbol.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"
#include "jit/compile.h"
#include "lowering/lowering.h"
#include "tests/unit/exec/harness.h"
#include "tests/unit/exec/op_cases.h"
#include "tests/unit/suite.h"

enum { MAX_VALUES = 16 };

static void print_error(void *user, EchoContext *ctx, const EchoDiagnostic *diagnostic)
{
  (void)user;
  EchoBuffer text = {0};
  echo_diagnostic_format(ctx, diagnostic, &text);
  fprintf(stderr, "%s", echo_buffer_c_str(&text));
  echo_buffer_destroy(&text);
}

static void ignore_diagnostic(void *user, EchoContext *ctx, const EchoDiagnostic *diagnostic)
{
  (void)user;
  (void)ctx;
  (void)diagnostic;
}

/* ---- texts ---- */

static bool is_float(size_t type)
{
  return (OP_FLOATS >> type & 1) != 0;
}

/* The case's function as @case<number>, $T and $Z replaced. */
static void append_case(EchoBuffer *out, size_t number, size_t type)
{
  echo_buffer_printf(out, "func.func private @case%zu", number);
  for (const char *at = OP_CASES[number].text; *at != '\0'; at++) {
    if (*at != '$') {
      echo_buffer_append_char(out, *at);
      continue;
    }
    at++;
    ck_assert(*at == 'T' || *at == 'Z');
    echo_buffer_append_c(out, *at == 'T'       ? OP_TYPES[type]
                              : is_float(type) ? "0.0"
                              : type == 4      ? "false"
                                               : "0");
  }
  echo_buffer_append_char(out, '\n');
}

/* What the composite of the cases stands for. */
static void append_body(EchoBuffer *out, size_t type)
{
  echo_buffer_printf(out,
                     "func.func private @body(%%a: tensor<3x37x%s>) -> tensor<3x37x%s> {\n%%0 = "
                     "stablehlo.reverse %%a, dims = [0] : tensor<3x37x%s>\nreturn %%0 : "
                     "tensor<3x37x%s>\n}\n",
                     OP_TYPES[type], OP_TYPES[type], OP_TYPES[type], OP_TYPES[type]);
}

static EchoContext *new_context(EchoDiagnosticHandler *handler)
{
  EchoContext *ctx = echo_context_create();
  echo_register_dialects(ctx);
  echo_context_set_diagnostic_handler(ctx, handler, NULL);
  return ctx;
}

static EchoOp *parse_or_null(EchoContext *ctx, const EchoBuffer *text)
{
  EchoOp *module = echo_parse_text_or_null(ctx, ECHO_STR("matrix"), echo_buffer_str(text));
  return module != NULL && echo_verify(module) ? module : NULL;
}

/* ---- what is covered ---- */

static bool is_excused(const char *name)
{
  for (size_t i = 0; i < N_OP_EXCUSES; i++)
    if (strcmp(OP_EXCUSES[i].op, name) == 0)
      return true;
  return false;
}

static bool has_case(const char *name)
{
  for (size_t i = 0; i < N_OP_CASES; i++)
    if (strcmp(OP_CASES[i].op, name) == 0)
      return true;
  return false;
}

static void check_dialect(const EchoDialect *dialect)
{
  for (size_t i = 0; i < dialect->n_ops; i++) {
    const char *name = dialect->ops[i].name;
    ck_assert_msg(has_case(name) != is_excused(name), "%s %s", name,
                  has_case(name) ? "has a case and is excused" : "has neither case nor excuse");
  }
}

START_TEST(every_op_has_a_case)
{
  check_dialect(&ECHO_STABLEHLO_DIALECT);
  check_dialect(&ECHO_CHLO_DIALECT);
}
END_TEST

static bool holds_op(EchoOp *module, const char *name)
{
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op))
    if (echo_op_is(op, name))
      return true;
  return false;
}

/* A case is run in all types that its op takes: the verifier, which reads the op table, decides. */
START_TEST(cases_cover_all_types)
{
  for (size_t i = 0; i < N_OP_CASES; i++)
    for (size_t type = 0; type < N_OP_TYPES; type++) {
      EchoContext *ctx = new_context(ignore_diagnostic);
      EchoBuffer text = {0};
      append_body(&text, type);
      append_case(&text, i, type);
      EchoOp *module = parse_or_null(ctx, &text);
      bool wanted = (OP_CASES[i].types >> type & 1) != 0;
      ck_assert_msg((module != NULL) == wanted,
                    "%s of %s is %s by the verifier, unlike its case:\n%s", OP_CASES[i].op,
                    OP_TYPES[type], module != NULL ? "taken" : "refused", echo_buffer_c_str(&text));
      ck_assert_msg(module == NULL || holds_op(module, OP_CASES[i].op), "no %s in\n%s",
                    OP_CASES[i].op, echo_buffer_c_str(&text));
      echo_context_destroy(ctx);
      echo_buffer_destroy(&text);
    }
}
END_TEST

/* ---- running ---- */

static bool runs(size_t number, size_t type)
{
  return ((OP_CASES[number].types & ~OP_CASES[number].refused) >> type & 1) != 0;
}

/* One case of a program: its inputs, what the interpreter says, and where they stand in main. */
typedef struct Running {
  size_t number, first_input, n_inputs, first_result, n_results;
  EchoTensor *inputs[MAX_VALUES], *want[MAX_VALUES];
} Running;

typedef struct Program {
  EchoContext *ctx;
  EchoBuffer cases_text, text; /* as long as the context, which reads lines from them */
  size_t type;
  Running *cases;
  size_t n_cases, n_inputs, n_results;
} Program;

static ExecOptions options_of(size_t number, size_t type)
{
  const OpCase *c = &OP_CASES[number];
  return (ExecOptions){.ulps = type == 0   ? c->f64_ulps
                               : type == 1 ? c->f32_ulps
                                           : c->half_ulps,
                       .scale = c->scale,
                       .low = c->low,
                       .high = c->high,
                       .int_low = c->int_low,
                       .int_high = c->int_high,
                       .special = c->values == OP_SPECIAL,
                       .whole = c->values == OP_WHOLE};
}

static EchoPassRegistry *all_passes(void);

/* The module with chlo's ops lowered. */
static void lower_chlo(EchoContext *ctx, EchoOp *module)
{
  EchoPassRegistry *registry = all_passes();
  const EchoPassManagerOptions options = {.verify_each = true};
  EchoPassManager *manager = echo_pass_manager_create(ctx, registry, &options);
  ck_assert(echo_pass_manager_add_pipeline(manager, ECHO_STR("chlo-to-stablehlo")));
  ck_assert(echo_pass_manager_run(manager, module));
  echo_pass_manager_destroy(manager);
  echo_pass_registry_destroy(registry);
}

static void interpret(Program *program, const EchoOp *module, size_t number)
{
  Running *running = &program->cases[program->n_cases++];
  char name[32];
  snprintf(name, sizeof name, "case%zu", number);
  const EchoOp *function = echo_op_body(module, 0)->first;
  while (!echo_str_is(echo_symbol_name(function), name))
    function = function->next;
  const EchoType *type = echo_op_attr_or_null(function, "function_type")->as.type_value;
  *running = (Running){.number = number,
                       .first_input = program->n_inputs,
                       .n_inputs = type->as.function.n_inputs,
                       .first_result = program->n_results,
                       .n_results = type->as.function.n_results};
  ck_assert(running->n_inputs <= MAX_VALUES && running->n_results <= MAX_VALUES);
  program->n_inputs += running->n_inputs;
  program->n_results += running->n_results;
  ExecOptions options = options_of(number, program->type);
  for (size_t i = 0; i < running->n_inputs; i++) {
    running->inputs[i] = echo_tensor_create(type->as.function.inputs[i], true);
    exec_fill(running->inputs[i], &options, running->first_input + i + 1);
  }
  bool fine =
      echo_interpret(program->ctx, module, function, (const EchoTensor *const *)running->inputs,
                     running->n_inputs, running->want, running->n_results);
  ck_assert_msg(fine, "the interpreter refuses %s of %s", OP_CASES[number].op,
                OP_TYPES[program->type]);
}

/* main calls the cases one after the other, each on arguments of its own. */
static void append_main(EchoBuffer *out, const Program *program)
{
  EchoBuffer results = {0}, calls = {0}, values = {0};
  echo_buffer_append_c(out, "func.func @main(");
  for (size_t k = 0; k < program->n_cases; k++) {
    const Running *c = &program->cases[k];
    EchoBuffer types = {0}, arguments = {0}, outs = {0};
    for (size_t i = 0; i < c->n_inputs; i++) {
      const char *type = echo_type_text(program->ctx, c->inputs[i]->type);
      echo_buffer_printf(out, "%s%%a%zu: %s", c->first_input + i != 0 ? ", " : "",
                         c->first_input + i, type);
      echo_buffer_printf(&types, "%s%s", i != 0 ? ", " : "", type);
      echo_buffer_printf(&arguments, "%s%%a%zu", i != 0 ? ", " : "", c->first_input + i);
    }
    for (size_t i = 0; i < c->n_results; i++) {
      const char *type = echo_type_text(program->ctx, c->want[i]->type);
      echo_buffer_printf(&outs, "%s%s", i != 0 ? ", " : "", type);
      echo_buffer_printf(&values, "%s%%r%zu#%zu", c->first_result + i != 0 ? ", " : "", k, i);
      echo_buffer_printf(&results, "%s%s", c->first_result + i != 0 ? ", " : "", type);
    }
    echo_buffer_printf(&calls, "%%r%zu:%zu = call @case%zu(%s) : (%s) -> (%s)\n", k, c->n_results,
                       c->number, echo_buffer_c_str(&arguments), echo_buffer_c_str(&types),
                       echo_buffer_c_str(&outs));
    echo_buffer_destroy(&types);
    echo_buffer_destroy(&arguments);
    echo_buffer_destroy(&outs);
  }
  echo_buffer_printf(out, ") -> (%s) {\n%sreturn %s : %s\n}\n", echo_buffer_c_str(&results),
                     echo_buffer_c_str(&calls), echo_buffer_c_str(&values),
                     echo_buffer_c_str(&results));
  echo_buffer_destroy(&results);
  echo_buffer_destroy(&calls);
  echo_buffer_destroy(&values);
}

static EchoPassRegistry *all_passes(void)
{
  EchoPassRegistry *registry = echo_pass_registry_create();
  echo_register_ir_passes(registry);
  echo_register_lowering_passes(registry);
  echo_register_echo_passes(registry);
  return registry;
}

/* The cases of `numbers` in one type, interpreted, and the module whose main calls them. */
static EchoOp *begin(Program *program, size_t type, const size_t *numbers, size_t n)
{
  *program = (Program){.ctx = new_context(print_error), .type = type};
  program->cases = calloc(n + 1, sizeof *program->cases);
  append_body(&program->cases_text, type);
  for (size_t i = 0; i < n; i++)
    append_case(&program->cases_text, numbers[i], type);
  EchoOp *cases = parse_or_null(program->ctx, &program->cases_text);
  EchoOp *lowered = parse_or_null(program->ctx, &program->cases_text);
  ck_assert(cases != NULL && lowered != NULL);
  lower_chlo(program->ctx, lowered);
  for (size_t i = 0; i < n; i++)
    interpret(program, OP_CASES[numbers[i]].by_lowering ? lowered : cases, numbers[i]);
  echo_buffer_append_str(&program->text, echo_buffer_str(&program->cases_text));
  append_main(&program->text, program);
  EchoOp *module = parse_or_null(program->ctx, &program->text);
  ck_assert_ptr_nonnull(module);
  return module;
}

static void finish(Program *program)
{
  for (size_t k = 0; k < program->n_cases; k++) {
    for (size_t i = 0; i < program->cases[k].n_inputs; i++)
      echo_tensor_destroy(program->cases[k].inputs[i]);
    for (size_t i = 0; i < program->cases[k].n_results; i++)
      echo_tensor_destroy(program->cases[k].want[i]);
  }
  free(program->cases);
  echo_context_destroy(program->ctx);
  echo_buffer_destroy(&program->cases_text);
  echo_buffer_destroy(&program->text);
}

static const EchoCompileOptions COMPILE = {0};

static void run_on_cpu(const Program *program, EchoOp *module)
{
  EchoDevice *device = echo_device_create_cpu(2);
  EchoPassRegistry *passes = all_passes();
  EchoExecutableOptions none = {0};
  EchoExecutable *executable =
      echo_compile_or_null(program->ctx, passes, device, module, &COMPILE, &none);
  ck_assert_msg(executable != NULL, "the cases of %s do not compile", OP_TYPES[program->type]);
  EchoDeviceBuffer **args = calloc(program->n_inputs + 1, sizeof(EchoDeviceBuffer *));
  EchoDeviceBuffer **results = calloc(program->n_results + 1, sizeof(EchoDeviceBuffer *));
  for (size_t k = 0; k < program->n_cases; k++)
    for (size_t i = 0; i < program->cases[k].n_inputs; i++) {
      const EchoTensor *input = program->cases[k].inputs[i];
      EchoDeviceBuffer **arg = &args[program->cases[k].first_input + i];
      uint64_t bytes = echo_type_static_bytes(input->type);
      *arg = echo_device_buffer_create_or_null(program->ctx, device, bytes);
      ck_assert(echo_device_buffer_write(program->ctx, *arg, input->data, bytes));
    }
  ck_assert(
      echo_executable_execute(executable, args, program->n_inputs, results, program->n_results));
  for (size_t k = 0; k < program->n_cases; k++) {
    const Running *c = &program->cases[k];
    ExecOptions options = options_of(c->number, program->type);
    for (size_t i = 0; i < c->n_results; i++) {
      EchoTensor *got = echo_tensor_create(c->want[i]->type, true);
      ck_assert(echo_device_buffer_read(program->ctx, results[c->first_result + i], got->data,
                                        echo_type_static_bytes(got->type)));
      char name[128];
      snprintf(name, sizeof name, "%s of %s", OP_CASES[c->number].op, OP_TYPES[program->type]);
      exec_compare(name, got, c->want[i], &options, i);
      echo_tensor_destroy(got);
    }
  }
  for (size_t i = 0; i < program->n_inputs; i++)
    echo_device_buffer_destroy(args[i]);
  for (size_t i = 0; i < program->n_results; i++)
    echo_device_buffer_destroy(results[i]);
  free(args);
  free(results);
  echo_executable_destroy(executable);
  echo_pass_registry_destroy(passes);
  echo_device_destroy(device);
}

/* ECHO_MATRIX_OP=stablehlo.tanh: the cases of that op alone, to find one that does not compile. */
START_TEST(on_the_cpu)
{
  size_t type = (size_t)_i, *numbers = calloc(N_OP_CASES, sizeof *numbers), n = 0;
  const char *only = getenv("ECHO_MATRIX_OP");
  for (size_t i = 0; i < N_OP_CASES; i++)
    if (runs(i, type) && (only == NULL || strcmp(OP_CASES[i].op, only) == 0))
      numbers[n++] = i;
  if (n != 0) {
    Program program;
    EchoOp *module = begin(&program, type, numbers, n);
    run_on_cpu(&program, module);
    finish(&program);
  }
  free(numbers);
}
END_TEST

/* ---- on a GPU ---- */

static void check_kernels(EchoOp *module, const ExecOptions *options)
{
  for (EchoOp *op = echo_op_body(module, 0)->first; op != NULL; op = op->next) {
    if (!echo_op_is(op, "kernel.func"))
      continue;
    EchoBuffer text = {0};
    echo_print_op(op, NULL, &text);
    exec_check(echo_buffer_c_str(&text), options);
    echo_buffer_destroy(&text);
  }
}

static const size_t GPU_TYPES[] = {1, 3, 7}; /* f32, bf16, i32 */

/* Each case's kernels on random inputs: interpreted, on the CPU, and mapped to a GPU. Those of
 * chlo's ops are pieces of a formula, which promise nothing by themselves. */
START_TEST(on_a_gpu)
{
  size_t type = GPU_TYPES[_i];
  EchoPassRegistry *passes = all_passes();
  for (size_t i = 0; i < N_OP_CASES; i++) {
    if (!runs(i, type) || strncmp(OP_CASES[i].op, "stablehlo.", 10) != 0)
      continue;
    Program program;
    EchoOp *module = begin(&program, type, &i, 1);
    ck_assert_msg(
        echo_compile_to_stage(program.ctx, passes, module, ECHO_STAGE_KERNELS, &COMPILE, NULL),
        "%s of %s", OP_CASES[i].op, OP_TYPES[type]);
    ExecOptions options = options_of(i, type);
    check_kernels(module, &options);
    finish(&program);
  }
  echo_pass_registry_destroy(passes);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("exec/op_matrix");
  TCase *covered = tcase_create("covered"), *cpu = tcase_create("cpu"), *gpu = tcase_create("gpu");
  tcase_set_timeout(covered, 300);
  tcase_set_timeout(cpu, 300);
  tcase_set_timeout(gpu, 300);
  tcase_add_test(covered, every_op_has_a_case);
  tcase_add_test(covered, cases_cover_all_types);
  tcase_add_loop_test(cpu, on_the_cpu, 0, N_OP_TYPES);
  tcase_add_loop_test(gpu, on_a_gpu, 0, sizeof GPU_TYPES / sizeof GPU_TYPES[0]);
  suite_add_tcase(suite, covered);
  suite_add_tcase(suite, cpu);
  suite_add_tcase(suite, gpu);
  return echo_test_run(suite);
}
