/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tests/unit/plan/step.h"

#include "base/map.h"
#include "dialects/dialects.h"
#include "echo_pass/echo_pass.h"
#include "ir/diagnostics.h"
#include "ir/pass/pass.h"
#include "ir/symbol.h"
#include "ir/text/text.h"
#include "lowering/lowering.h"

#include <stdio.h>

/* ---- making steps ---- */

#define M "tensor<8x8xf32>"
#define R "tensor<8xf32>"
#define MAX_VALUES 4096
#define N_PARAMETERS 3

typedef struct Generator {
  EchoBuffer *text;
  uint64_t state;
  uint32_t matrices[MAX_VALUES], rows[MAX_VALUES]; /* numbers of values of the two types */
  uint32_t n_matrices, n_rows, n_values;
  const char *phase;
} Generator;

static uint32_t draw(Generator *generator, uint32_t n)
{
  generator->state += 0x9e3779b97f4a7c15u;
  return (uint32_t)(echo_hash_u64(generator->state) >> 33) % n;
}

static uint32_t a_matrix(Generator *generator)
{
  uint32_t recent = generator->n_matrices < 6 ? generator->n_matrices : 6;
  return draw(generator, 4) != 0
             ? generator->matrices[generator->n_matrices - 1 - draw(generator, recent)]
             : generator->matrices[draw(generator, generator->n_matrices)];
}

static void add_matrix(Generator *generator)
{
  generator->matrices[generator->n_matrices++] = generator->n_values++;
}

#define SAY(...) echo_buffer_printf(generator->text, __VA_ARGS__)

static void add_op(Generator *generator)
{
  static const char *const UNARY[] = {"tanh", "exponential", "negate", "abs"};
  static const char *const BINARY[] = {"add", "multiply", "subtract", "maximum"};
  uint32_t x = a_matrix(generator), y = a_matrix(generator), v = generator->n_values;
  const char *phase = generator->phase;
  switch (draw(generator, 10)) {
  case 0:
    SAY("  %%v%u = \"stablehlo.dot_general\"(%%v%u, %%v%u) <{dot_dimension_numbers = "
        "#stablehlo.dot<"
        "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> {echo.phase = "
        "\"%s\"} : (" M ", " M ") -> " M "\n",
        v, x, y, phase);
    add_matrix(generator);
    return;
  case 1:
    SAY("  %%v%u = \"stablehlo.reduce\"(%%v%u, %%zero) <{dimensions = array<i64: %u>}> ({\n"
        "  ^bb0(%%a: tensor<f32>, %%b: tensor<f32>):\n"
        "    %%s = \"stablehlo.add\"(%%a, %%b) : (tensor<f32>, tensor<f32>) -> tensor<f32>\n"
        "    \"stablehlo.return\"(%%s) : (tensor<f32>) -> ()\n"
        "  }) {echo.phase = \"%s\"} : (" M ", tensor<f32>) -> " R "\n",
        v, x, draw(generator, 2), phase);
    generator->rows[generator->n_rows++] = generator->n_values++;
    return;
  case 2:
    if (generator->n_rows == 0)
      break;
    SAY("  %%v%u = \"stablehlo.broadcast_in_dim\"(%%v%u) <{broadcast_dimensions = array<i64: %u>}> "
        "{echo.phase = "
        "\"%s\"} : (" R ") -> " M "\n",
        v, generator->rows[draw(generator, generator->n_rows)], draw(generator, 2), phase);
    add_matrix(generator);
    return;
  case 3:
    SAY("  %%v%u = \"stablehlo.transpose\"(%%v%u) <{permutation = array<i64: 1, 0>}> {echo.phase = "
        "\"%s\"} : (" M ") -> " M "\n",
        v, x, phase);
    add_matrix(generator);
    return;
  case 4:
    SAY("  %%v%u = \"stablehlo.reshape\"(%%v%u) {echo.phase = \"%s\"} : (" M
        ") -> tensor<64xf32>\n",
        v, x, phase);
    SAY("  %%v%u = \"stablehlo.reshape\"(%%v%u) {echo.phase = \"%s\"} : (tensor<64xf32>) -> " M
        "\n",
        v + 1, v, phase);
    ++generator->n_values;
    add_matrix(generator);
    return;
  case 5:
  case 6:
    SAY("  %%v%u = \"stablehlo.%s\"(%%v%u) {echo.phase = \"%s\"} : (" M ") -> " M "\n", v,
        UNARY[draw(generator, 4)], x, phase);
    add_matrix(generator);
    return;
  default:
    break;
  }
  SAY("  %%v%u = \"stablehlo.%s\"(%%v%u, %%v%u) {echo.phase = \"%s\"} : (" M ", " M ") -> " M "\n",
      v, BINARY[draw(generator, 4)], x, y, phase);
  add_matrix(generator);
}

static void generate(EchoBuffer *text, uint32_t seed, uint32_t n_forward)
{
  static Generator storage;
  Generator *generator = &storage;
  *generator = (Generator){.text = text, .state = seed, .phase = "forward"};
  SAY("func.func @main(");
  for (uint32_t i = 0; i < N_PARAMETERS; ++i) {
    SAY("%%v%u: " M " {tf.aliasing_output = %u : i32}, ", i, i);
    add_matrix(generator);
  }
  SAY("%%v%u: " M ") -> (" M ", " M ", " M ", " M ", " R ") {\n", N_PARAMETERS);
  add_matrix(generator);
  SAY("  %%zero = \"stablehlo.constant\"() <{value = dense<0.0> : tensor<f32>}> : () -> "
      "tensor<f32>\n");
  for (uint32_t i = 0; i < n_forward; ++i)
    add_op(generator);
  uint32_t loss = generator->matrices[generator->n_matrices - 1];
  generator->phase = "backward";
  for (uint32_t i = 0; i < n_forward; ++i)
    add_op(generator);
  generator->phase = "update";
  uint32_t updated[N_PARAMETERS];
  for (uint32_t i = 0; i < N_PARAMETERS; ++i) {
    updated[i] = generator->n_values++;
    SAY("  %%v%u = \"stablehlo.subtract\"(%%v%u, %%v%u) {echo.phase = \"update\"} : (" M ", " M
        ") -> " M "\n",
        updated[i], i, a_matrix(generator));
  }
  SAY("  %%last = \"stablehlo.slice\"(%%v%u) <{start_indices = array<i64: 0, 0>, limit_indices = "
      "array<i64: 1, 8>, "
      "strides = array<i64: 1, 1>}> {echo.phase = \"backward\"} : (" M ") -> tensor<1x8xf32>\n"
      "  %%row = \"stablehlo.reshape\"(%%last) {echo.phase = \"backward\"} : (tensor<1x8xf32>) "
      "-> " R "\n",
      a_matrix(generator));
  SAY("  \"func.return\"(%%v%u, %%v%u, %%v%u, %%v%u, %%row) : (" M ", " M ", " M ", " M ", " R
      ") -> ()\n}\n",
      updated[0], updated[1], updated[2], loss);
}

static void parse(TestStep *step)
{
  step->ctx = echo_context_create();
  echo_register_dialects(step->ctx);
  step->module = echo_parse_text_or_null(step->ctx, echo_str("step"), echo_buffer_str(&step->text));
  ECHO_CHECK(step->module != NULL, "a made-up step does not parse");
  step->main = echo_op_body(step->module, 0)->first;
}

void test_step_random(TestStep *step, uint32_t seed, uint32_t n_forward)
{
  *step = (TestStep){0};
  generate(&step->text, seed, n_forward);
  parse(step);
}

void test_step_parse(TestStep *step, const char *text)
{
  *step = (TestStep){0};
  echo_buffer_append_c(&step->text, text);
  parse(step);
}

/* ---- a stack of layers ---- */

#define H "tensor<512x64xf32>" /* activations: 128 KiB */
#define W "tensor<64x64xf32>"  /* weights: 16 KiB */

void test_step_stack(TestStep *step, int n_layers)
{
  EchoBuffer text = {0};
  echo_buffer_printf(&text, "func.func @main(%%h0: " H);
  for (int t = 1; t <= n_layers; ++t)
    echo_buffer_printf(&text, ", %%w%d: " W " {tf.aliasing_output = %d : i32}", t, t - 1);
  echo_buffer_printf(&text, ") -> (" W);
  for (int t = 2; t <= n_layers; ++t)
    echo_buffer_printf(&text, ", " W);
  echo_buffer_printf(&text, ") {\n  %%one = stablehlo.constant dense<1.0> : " H "\n");
  for (int t = 1; t <= n_layers; ++t)
    echo_buffer_printf(&text,
                       "  %%z%d = stablehlo.dot_general %%h%d, %%w%d, contracting_dims = [1] x [0] "
                       "{echo.phase = \"forward\"} : (" H ", " W ") -> " H "\n"
                       "  %%h%d = stablehlo.tanh %%z%d {echo.phase = \"forward\"} : " H "\n",
                       t, t - 1, t, t, t);
  echo_buffer_printf(&text,
                     "  %%g%d = stablehlo.negate %%h%d {echo.phase = \"backward\"} : " H "\n",
                     n_layers, n_layers);
  for (int t = n_layers; t >= 1; --t)
    echo_buffer_printf(
        &text,
        "  %%s%d = stablehlo.multiply %%h%d, %%h%d {echo.phase = \"backward\"} : " H "\n"
        "  %%r%d = stablehlo.subtract %%one, %%s%d {echo.phase = \"backward\"} : " H "\n"
        "  %%d%d = stablehlo.multiply %%g%d, %%r%d {echo.phase = \"backward\"} : " H "\n"
        "  %%gw%d = stablehlo.dot_general %%h%d, %%d%d, contracting_dims = [0] x [0] {echo.phase = "
        "\"backward\"} : (" H ", " H ") -> " W "\n"
        "  %%g%d = stablehlo.dot_general %%d%d, %%w%d, contracting_dims = [1] x [1] {echo.phase = "
        "\"backward\"} : (" H ", " W ") -> " H "\n"
        "  %%u%d = stablehlo.subtract %%w%d, %%gw%d {echo.phase = \"update\"} : " W "\n",
        t, t, t, t, t, t, t, t, t, t - 1, t, t - 1, t, t, t, t, t);
  echo_buffer_printf(&text, "  return %%u1");
  for (int t = 2; t <= n_layers; ++t)
    echo_buffer_printf(&text, ", %%u%d", t);
  echo_buffer_printf(&text, " : " W);
  for (int t = 2; t <= n_layers; ++t)
    echo_buffer_printf(&text, ", " W);
  echo_buffer_printf(&text, "\n}\n");
  test_step_parse(step, echo_buffer_c_str(&text));
  echo_buffer_destroy(&text);
}

void test_step_destroy(TestStep *step)
{
  echo_context_destroy(step->ctx);
  echo_buffer_destroy(&step->text);
}

static void print_diagnostic(void *user, EchoContext *ctx, const EchoDiagnostic *diagnostic)
{
  (void)user;
  (void)ctx;
  if (diagnostic->severity == ECHO_ERROR)
    fprintf(stderr, "%s\n", diagnostic->message);
}

bool test_step_run(TestStep *step, const char *pipeline)
{
  EchoPassRegistry *registry = echo_pass_registry_create();
  echo_register_ir_passes(registry);
  echo_register_lowering_passes(registry);
  echo_register_echo_passes(registry);
  echo_context_set_diagnostic_handler(step->ctx, print_diagnostic, NULL);
  EchoPassManagerOptions options = {.verify_each = true};
  EchoPassManager *manager = echo_pass_manager_create(step->ctx, registry, &options);
  bool is_fine = echo_pass_manager_add_pipeline(manager, echo_str(pipeline)) &&
                 echo_pass_manager_run(manager, step->module);
  echo_pass_manager_destroy(manager);
  echo_pass_registry_destroy(registry);
  for (step->main = echo_op_body(step->module, 0)->first; !echo_op_is(step->main, "func.func");)
    step->main = step->main->next;
  return is_fine;
}

int64_t test_step_fact(const TestStep *step, const char *name)
{
  return echo_op_attr_i64(step->module, name, -1);
}

/* ---- running them symbolically ---- */

/* Four bytes of memory: which value, and which part of it. */
typedef struct Cell {
  uint64_t value;
  uint64_t part;
} Cell;

typedef struct Runner {
  EchoSymbolTable symbols;
  EchoMap hashes; /* tensor value -> hash */
  EchoMap memory; /* memref root (arena, argument, constant) -> index in cells */
  Cell *cells;
  size_t n_cells, capacity;
  uint64_t n_garbage;
} Runner;

static uint64_t get(Runner *runner, const EchoValue *value)
{
  return echo_map_get_or(&runner->hashes, echo_key(value), 0);
}

static uint64_t hash_op(const EchoOp *op, const uint64_t *operands)
{
  uint64_t hash = echo_hash_bytes(op->info->name, strlen(op->info->name), 7);
  hash = echo_hash_combine(hash, echo_key(op->properties));
  for (size_t i = 0; i < op->n_operands; ++i)
    hash = echo_hash_combine(hash, operands[i]);
  return echo_hash_combine(hash, echo_key(echo_op_result_type(op, 0)));
}

static void run_tensor_op(Runner *runner, const EchoOp *op);

/* A kernel on hashes: fills the results. */
static void run_kernel(Runner *runner, const EchoOp *kernel, const uint64_t *inputs,
                       uint64_t *results)
{
  const EchoBlock *body = echo_op_body(kernel, 0);
  for (uint32_t i = 0; i < body->n_args; ++i)
    echo_map_set(&runner->hashes, echo_key(echo_block_arg(body, i)), inputs[i]);
  for (const EchoOp *op = body->first; op != body->last; op = op->next)
    run_tensor_op(runner, op);
  for (uint32_t i = 0; i < body->last->n_operands; ++i)
    results[i] = get(runner, echo_op_operand(body->last, i));
}

static const EchoOp *callee(Runner *runner, const EchoOp *op)
{
  return echo_symbol_table_get_or_null(&runner->symbols,
                                       echo_op_attr_or_null(op, "callee")->as.symbol.root);
}

static void run_tensor_op(Runner *runner, const EchoOp *op)
{
  uint64_t operands[512], results[64];
  ECHO_CHECK(op->n_operands <= 512 && op->n_results <= 64, "too many operands for a test");
  for (size_t i = 0; i < op->n_operands; ++i)
    operands[i] = get(runner, echo_op_operand(op, i));
  if (echo_op_is(op, "kernel.call"))
    run_kernel(runner, callee(runner, op), operands, results);
  else if (echo_op_has_trait(op, ECHO_BARRIER) || echo_op_is(op, "stablehlo.reshape")) /* views */
    memcpy(results, operands, op->n_results * sizeof(uint64_t));
  else
    for (size_t i = 0; i < op->n_results; ++i)
      results[i] = echo_hash_combine(hash_op(op, operands), i);
  for (size_t i = 0; i < op->n_results; ++i)
    echo_map_set(&runner->hashes, echo_key(echo_op_result(op, i)), results[i]);
}

/* ---- on memory ---- */

static void add_memory(Runner *runner, const EchoValue *root, uint64_t bytes, uint64_t content)
{
  size_t n = (size_t)(bytes + 3) / 4;
  if (runner->n_cells + n > runner->capacity) {
    runner->capacity = 2 * (runner->n_cells + n);
    runner->cells = echo_realloc_array(runner->cells, runner->capacity, sizeof(Cell));
  }
  echo_map_set(&runner->memory, echo_key(root), runner->n_cells);
  for (size_t i = 0; i < n; ++i)
    runner->cells[runner->n_cells++] = (Cell){content, i};
}

static Cell *cells_of(Runner *runner, const EchoValue *memref)
{
  const EchoOp *def = echo_value_def_or_null(memref);
  while (def != NULL && echo_op_is(def, "plan.view")) {
    memref = echo_op_operand(def, 0);
    def = echo_value_def_or_null(memref);
  }
  size_t offset = 0;
  if (def != NULL && echo_op_is(def, "plan.buffer")) {
    offset = (size_t)echo_op_attr_i64(def, "offset", 0) / 4;
    memref = echo_op_operand(def, 0);
  }
  return runner->cells + echo_map_get_or(&runner->memory, echo_key(memref), 0) + offset;
}

static size_t n_cells_of(const EchoValue *memref)
{
  return (size_t)(echo_type_static_bytes(memref->type) + 3) / 4;
}

static uint64_t load(Runner *runner, const EchoValue *memref)
{
  const Cell *cells = cells_of(runner, memref);
  for (size_t i = 0; i < n_cells_of(memref); ++i)
    if (cells[i].value != cells[0].value || cells[i].part != i)
      return 0xbad0000000000000u + ++runner->n_garbage;
  return cells[0].value;
}

static void store(Runner *runner, const EchoValue *memref, uint64_t value)
{
  Cell *cells = cells_of(runner, memref);
  for (size_t i = 0; i < n_cells_of(memref); ++i)
    cells[i] = (Cell){value, i};
}

static void run_planned_op(Runner *runner, const EchoOp *op)
{
  uint64_t inputs[512], results[64];
  if (echo_op_is(op, "plan.arena")) {
    add_memory(runner, echo_op_result(op, 0), echo_type_static_bytes(echo_op_result_type(op, 0)),
               0xdead);
  } else if (echo_op_is(op, "plan.constant")) {
    EchoValue *data = echo_op_result(op, 0);
    add_memory(runner, data, echo_type_static_bytes(data->type),
               echo_key(echo_op_attr_or_null(op, "value")));
  } else if (echo_op_is(op, "plan.copy")) {
    store(runner, echo_op_operand(op, 1), load(runner, echo_op_operand(op, 0)));
  } else if (echo_op_is(op, "kernel.launch")) {
    size_t n_inputs = (size_t)echo_op_attr_i64(op, "n_inputs", 0);
    for (size_t i = 0; i < n_inputs; ++i)
      inputs[i] = load(runner, echo_op_operand(op, i));
    run_kernel(runner, callee(runner, op), inputs, results);
    for (size_t i = n_inputs; i < op->n_operands; ++i)
      store(runner, echo_op_operand(op, i), results[i - n_inputs]);
  }
}

static int64_t arg_fact(const EchoOp *function, uint32_t argument, const char *name)
{
  const EchoAttr *all = echo_op_attr_or_null(function, "arg_attrs");
  const EchoAttr *fact =
      all != NULL ? echo_dictionary_get_or_null(all->as.array.elements[argument], name) : NULL;
  return fact != NULL && fact->kind == ECHO_ATTR_INTEGER ? fact->as.integer.value : -1;
}

static size_t run_planned(Runner *runner, const EchoOp *function, uint64_t *hashes)
{
  const EchoBlock *body = echo_op_body(function, 0);
  for (uint32_t i = 0; i < body->n_args; ++i)
    add_memory(runner, echo_block_arg(body, i),
               echo_type_static_bytes(echo_block_arg(body, i)->type), 1000u + i);
  for (const EchoOp *op = body->first; op != body->last; op = op->next)
    run_planned_op(runner, op);
  size_t n = 0;
  for (uint32_t i = 0; i < body->n_args; ++i) {
    int64_t result = arg_fact(function, i, "tf.aliasing_output");
    if (result < 0)
      result = arg_fact(function, i, "plan.result");
    if (result < 0)
      continue;
    hashes[result] = load(runner, echo_block_arg(body, i));
    n = n > (size_t)result + 1 ? n : (size_t)result + 1;
  }
  return n;
}

size_t test_step_results(const TestStep *step, uint64_t *hashes)
{
  Runner runner = {0};
  echo_symbol_table_create(&runner.symbols, step->module);
  const EchoBlock *body = echo_op_body(step->main, 0);
  size_t n = 0;
  if (body->n_args != 0 && echo_type_is_memref(echo_block_arg(body, 0)->type)) {
    n = run_planned(&runner, step->main, hashes);
  } else {
    for (uint32_t i = 0; i < body->n_args; ++i)
      echo_map_set(&runner.hashes, echo_key(echo_block_arg(body, i)), 1000u + i);
    for (const EchoOp *op = body->first; op != body->last; op = op->next)
      run_tensor_op(&runner, op);
    for (; n < body->last->n_operands; ++n)
      hashes[n] = get(&runner, echo_op_operand(body->last, n));
  }
  echo_symbol_table_destroy(&runner.symbols);
  echo_map_destroy(&runner.hashes);
  echo_map_destroy(&runner.memory);
  echo_free(runner.cells);
  return n;
}
