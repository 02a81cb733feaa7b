/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The three readers of the rows of arith and math say the same: each op on every combination of
 * types that it takes, on special and random values, folded, simulated, and compiled as a scalar
 * and as lanes of a vector: bit for bit, but where targets may differ. */
#include <math.h>
#include <stdio.h>

#include "base/float_mode.h"
#include "codegen/codegen.h"
#include "codegen/loader.h"
#include "dialects/dialects.h"
#include "dialects/interfaces/scalar.h"
#include "ir/diagnostics.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"
#include "lowering/math/expand_math_t.h"
#include "lowering/simulate/simulate_gpu.h"
#include "tests/unit/suite.h"

enum { N = TEST_SIZE(1024, 128), N_FOLDED = TEST_SIZE(256, 64), N_THREADS = 64 };

static const char *const TYPES[] = {"i1",    "i5",  "i8",   "i16", "i32", "i64",
                                    "index", "f16", "bf16", "f32", "f64"};
enum { N_TYPES = sizeof TYPES / sizeof TYPES[0] };

/* One op on one choice of types. */
typedef struct Variant {
  EchoContext *ctx;
  const EchoOpInfo *info;
  const EchoType *operands[ECHO_SCALAR_MAX_OPERANDS], *results[ECHO_SCALAR_MAX_RESULTS];
  size_t n_operands, n_results;
  int64_t predicate; /* -1: none */
  uint64_t *in[ECHO_SCALAR_MAX_OPERANDS], *want[ECHO_SCALAR_MAX_RESULTS];
  EchoScalarOutcome *outcomes;
} Variant;

/* ---- text ---- */

static void append_types(EchoBuffer *text, EchoContext *ctx, const EchoType *const *types, size_t n,
                         const char *before, const char *after)
{
  for (size_t i = 0; i < n; ++i)
    echo_buffer_printf(text, "%s%s%s%s", i == 0 ? "" : ", ", before, echo_type_text(ctx, types[i]),
                       after);
}

/* "%r0, %r1 = "arith.…"(%x0, %x1) <{…}> : (T, T) -> (T, T)"; before and after: around each type. */
static void append_op(EchoBuffer *text, const Variant *v, const char *before, const char *after)
{
  echo_buffer_append_c(text, v->n_results == 2 ? "%r0, %r1 = " : "%r0 = ");
  echo_buffer_printf(text, "\"%s\"(%s)", v->info->name,
                     v->n_operands == 1   ? "%x0"
                     : v->n_operands == 2 ? "%x0, %x1"
                                          : "%x0, %x1, %x2");
  if (v->predicate >= 0)
    echo_buffer_printf(text, " <{predicate = %lld : i64}>", (long long)v->predicate);
  echo_buffer_append_c(text, " : (");
  append_types(text, v->ctx, v->operands, v->n_operands, before, after);
  echo_buffer_append_c(text, ") -> (");
  append_types(text, v->ctx, v->results, v->n_results, before, after);
  echo_buffer_append_c(text, ")\n");
}

/* The loads, the op and the stores for element %i. */
static void append_element(EchoBuffer *text, const Variant *v, bool is_vector)
{
  for (size_t i = 0; i < v->n_operands; ++i) {
    const char *type = echo_type_text(v->ctx, v->operands[i]);
    echo_buffer_printf(text,
                       "%%%c%zu = \"memref.load\"(%%a%zu, %%i) : (memref<%dx%s>, index) -> %s\n",
                       is_vector ? 's' : 'x', i, i, N, type, type);
    if (is_vector)
      echo_buffer_printf(text, "%%x%zu = \"vector.broadcast\"(%%s%zu) : (%s) -> vector<4x%s>\n", i,
                         i, type, type);
  }
  append_op(text, v, is_vector ? "vector<4x" : "", is_vector ? ">" : "");
  for (size_t i = 0; i < v->n_results; ++i) {
    const char *type = echo_type_text(v->ctx, v->results[i]);
    if (is_vector)
      echo_buffer_printf(text,
                         "%%y%zu = \"vector.extract\"(%%r%zu) <{static_position = array<i64: 3>}> "
                         ": (vector<4x%s>) -> %s\n",
                         i, i, type, type);
    echo_buffer_printf(
        text, "\"memref.store\"(%%%c%zu, %%o%zu, %%i) : (%s, memref<%dx%s>, index) -> ()\n",
        is_vector ? 'y' : 'r', i, i, type, N, type);
  }
}

static void append_arguments(EchoBuffer *text, const Variant *v)
{
  for (size_t i = 0; i < v->n_operands; ++i)
    echo_buffer_printf(text, "%s%%a%zu: memref<%dx%s>", i == 0 ? "" : ", ", i, N,
                       echo_type_text(v->ctx, v->operands[i]));
  for (size_t i = 0; i < v->n_results; ++i)
    echo_buffer_printf(text, ", %%o%zu: memref<%dx%s>", i, N,
                       echo_type_text(v->ctx, v->results[i]));
}

static void append_host(EchoBuffer *text, const Variant *v, bool is_vector)
{
  echo_buffer_append_c(text, "func.func @k(");
  append_arguments(text, v);
  echo_buffer_printf(text,
                     ") attributes {kernel.kind = \"map\"} {\n"
                     "%%n = \"arith.constant\"() <{value = %d : index}> : () -> index\n"
                     "%%c1 = \"arith.constant\"() <{value = 1 : index}> : () -> index\n"
                     "%%c0 = \"arith.constant\"() <{value = 0 : index}> : () -> index\n"
                     "\"scf.parallel\"(%%c0, %%n, %%c1) <{operandSegmentSizes = array<i32: 1, 1, "
                     "1, 0>}> ({\n^bb0(%%i: index):\n",
                     N);
  append_element(text, v, is_vector);
  echo_buffer_append_c(text, "\"scf.reduce\"() : () -> ()\n}) : (index, index, index) -> ()\n"
                             "return\n}\n");
}

static void append_device(EchoBuffer *text, const Variant *v)
{
  char memref[32];
  snprintf(memref, sizeof memref, "memref<%dx", N);
  echo_buffer_append_c(text, "\"gpu.module\"() <{sym_name = \"m\"}> ({\n\"gpu.func\"() "
                             "<{function_type = (");
  append_types(text, v->ctx, v->operands, v->n_operands, memref, ">");
  echo_buffer_append_c(text, ", ");
  append_types(text, v->ctx, v->results, v->n_results, memref, ">");
  echo_buffer_printf(text,
                     ") -> (), known_block_size = array<i32: %d, 1, 1>, known_grid_size = "
                     "array<i32: %d, 1, 1>}> ({\n^bb0(",
                     N_THREADS, N / N_THREADS);
  append_arguments(text, v);
  echo_buffer_printf(text,
                     "):\n%%w = \"arith.constant\"() <{value = %d : index}> : () -> index\n"
                     "%%b = \"gpu.block_id\"() <{dimension = #gpu<dim x>}> : () -> index\n"
                     "%%t = \"gpu.thread_id\"() <{dimension = #gpu<dim x>}> : () -> index\n"
                     "%%f = \"arith.muli\"(%%b, %%w) : (index, index) -> index\n"
                     "%%i = \"arith.addi\"(%%f, %%t) : (index, index) -> index\n",
                     N_THREADS);
  append_element(text, v, false);
  echo_buffer_append_c(text, "\"gpu.return\"() : () -> ()\n}) {gpu.kernel, sym_name = \"k\", "
                             "workgroup_attributions = 0 : i64} : () -> ()\n"
                             "\"gpu.module_end\"() : () -> ()\n}) : () -> ()\n");
}

/* Copied by the context: the byte behind it is no NUL. */
static EchoOp *parse_or_null(EchoContext *ctx, EchoBuffer *text)
{
  echo_buffer_append_char(text, '\n');
  EchoStr copied = {text->data, text->size - 1};
  EchoOp *module = echo_parse_text_or_null(ctx, ECHO_STR("k"), copied);
  return module != NULL && echo_verify(module) ? module : NULL;
}

static EchoOp *parse(EchoContext *ctx, EchoBuffer *text)
{
  EchoOp *module = parse_or_null(ctx, text);
  ck_assert_msg(module != NULL, "bad text:\n%s", echo_buffer_c_str(text));
  echo_buffer_destroy(text);
  return module;
}

static EchoOp *find(EchoOp *module, const char *name)
{
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op))
    if (echo_op_is(op, name))
      return op;
  return NULL;
}

/* ---- values ---- */

static uint64_t next_random(uint64_t *state)
{
  uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static uint32_t width_of(const EchoType *type)
{
  return type->kind == ECHO_TYPE_INDEX ? 64 : echo_type_bit_width(type);
}

static uint64_t cut(const EchoType *type, uint64_t bits)
{
  return width_of(type) >= 64 ? bits : bits & ((UINT64_C(1) << width_of(type)) - 1);
}

static uint64_t special_int(const EchoType *type, uint64_t choice)
{
  uint64_t lowest = UINT64_C(1) << (width_of(type) - 1);
  const uint64_t values[] = {0,
                             1,
                             2,
                             3,
                             7,
                             0 - UINT64_C(1),
                             0 - UINT64_C(2),
                             lowest,
                             lowest - 1,
                             lowest + 1,
                             width_of(type) - 1,
                             width_of(type)};
  return cut(type, values[choice % (sizeof values / sizeof values[0])]);
}

/* Both zeros, ones, halves, limits of this format and of integers, infinities, a quiet NaN. */
static uint64_t special_float(const EchoType *type, uint64_t choice)
{
  static const double VALUES[] = {0.0,
                                  1.0,
                                  0.5,
                                  1.5,
                                  2.5,
                                  3.0,
                                  7.25,
                                  127.5,
                                  128.0,
                                  255.5,
                                  65504.,
                                  65520,
                                  0x1p-24,
                                  0x1p31,
                                  0x1p32,
                                  0x1p63,
                                  0x1p64,
                                  0x1p-126,
                                  0x1p-133,
                                  0x1p-149,
                                  0x1.fffffep127,
                                  0x1p-1022,
                                  INFINITY,
                                  NAN,
                                  0x1.fffffffffffffp52,
                                  0x1p-1074};
  double value = VALUES[choice / 2 % (sizeof VALUES / sizeof VALUES[0])];
  uint64_t bits = echo_float_from_f64(type->as.float_kind, choice % 2 == 0 ? value : -value);
  return bits;
}

static bool is_nan(const EchoType *type, uint64_t bits)
{
  return type->kind == ECHO_TYPE_FLOAT && isnan(echo_float_to_f64(type->as.float_kind, bits));
}

static uint64_t random_value(const EchoType *type, uint64_t *state)
{
  uint64_t bits = next_random(state), kind = next_random(state) % 4;
  bool is_float = type->kind == ECHO_TYPE_FLOAT;
  if (kind == 0)
    return is_float ? special_float(type, bits) : special_int(type, bits);
  if (kind == 1) { /* small */
    double small = ldexp((double)(bits >> 11), -50) - 4;
    return is_float ? echo_float_from_f64(type->as.float_kind, small) : cut(type, bits % 16 - 8);
  }
  bits = cut(type, bits);
  /* signalling NaNs are not written by any op */
  return is_nan(type, bits) ? special_float(type, 0) : bits;
}

/* What a target that computes in f32 would round twice: 1 + ulp + half an ulp, less a little. */
static const uint64_t F16_TIE[] = {0x2401, 0x27fe, 0x3c01};

/* Operands and what the meaning gives; where that is poison, other operands unless `with_poison`.
 */
static void fill(Variant *v, const EchoScalar *scalar, const EchoScalarCase *at, bool with_poison)
{
  uint64_t state = 1;
  for (size_t i = 0; i < N; ++i) {
    uint64_t in[ECHO_SCALAR_MAX_OPERANDS] = {0}, out[ECHO_SCALAR_MAX_RESULTS] = {0};
    for (int round = 0; round == 0 || v->outcomes[i] == ECHO_SCALAR_POISON; ++round) {
      for (size_t k = 0; k < v->n_operands; ++k)
        in[k] = random_value(v->operands[k], &state);
      if (i == 0 && v->n_operands == 3 && v->operands[0] == echo_type_from_text(v->ctx, "f16"))
        memcpy(in, F16_TIE, sizeof F16_TIE);
      EchoFloatMode before = echo_float_mode_set(true); /* as folds and kernels have it */
      v->outcomes[i] = scalar->evaluate(at, in, out);
      echo_float_mode_restore(before);
      if (round >= 100000)
        ck_abort_msg("%s is poison whatever its operands", v->info->name);
      if (with_poison)
        break;
    }
    for (size_t k = 0; k < v->n_operands; ++k)
      v->in[k][i] = in[k];
    for (size_t k = 0; k < v->n_results; ++k)
      v->want[k][i] = out[k];
  }
}

/* Check writes down every assertion that holds: of elements, only what fails is one. */
static void check_element(const Variant *v, const char *reader, size_t i, size_t k, uint64_t got)
{
  const EchoType *type = v->results[k];
  uint64_t want = v->want[k][i];
  bool fine = got == want;
  if (v->outcomes[i] == ECHO_SCALAR_LOOSE)
    fine =
        (is_nan(type, got) && is_nan(type, want)) ||
        echo_float_to_f64(type->as.float_kind, got) == echo_float_to_f64(type->as.float_kind, want);
  if (!fine)
    ck_abort_msg(
        "%s of %s -> %s, predicate %d, result %zu of (%#llx, %#llx, %#llx): %s gives %#llx, "
        "the row %#llx",
        v->info->name, echo_type_text(v->ctx, v->operands[v->n_operands - 1]),
        echo_type_text(v->ctx, type), (int)v->predicate, k, (unsigned long long)v->in[0][i],
        (unsigned long long)(v->n_operands > 1 ? v->in[1][i] : 0),
        (unsigned long long)(v->n_operands > 2 ? v->in[2][i] : 0), reader, (unsigned long long)got,
        (unsigned long long)want);
}

/* ---- folding ---- */

static const EchoAttr *attr_of(EchoContext *ctx, const EchoType *type, uint64_t bits)
{
  return type->kind == ECHO_TYPE_FLOAT ? echo_attr_float_bits(ctx, type, bits)
                                       : echo_attr_integer(ctx, type, (int64_t)bits);
}

static uint64_t bits_of(const EchoAttr *attr)
{
  return attr->kind == ECHO_ATTR_FLOAT ? attr->as.floating.bits
                                       : cut(attr->type, (uint64_t)attr->as.integer.value);
}

/* What `results` says of operand values and constants, as bits. */
static uint64_t folded_bits(const Variant *v, const EchoOp *op, const EchoFoldResult *result,
                            size_t i)
{
  if (result->attr != NULL)
    return bits_of(result->attr);
  for (size_t k = 0; k < v->n_operands; ++k)
    if (result->value == echo_op_operand(op, k))
      return v->in[k][i];
  ck_assert_msg(false, "%s folds to nothing", v->info->name);
  return 0;
}

static void check_fold(const Variant *v, EchoOp *op)
{
  for (size_t i = 0; i < N_FOLDED; ++i) {
    const EchoAttr *constants[ECHO_SCALAR_MAX_OPERANDS];
    EchoFoldResult results[ECHO_SCALAR_MAX_RESULTS] = {{0}};
    for (size_t k = 0; k < v->n_operands; ++k)
      constants[k] = attr_of(v->ctx, v->operands[k], v->in[k][i]);
    bool folds = v->info->fold(op, constants, results);
    /* x / 1 is x, though 1 is -1 in an i1, and lowest / -1 poison, which may be anything */
    bool is_operand = v->outcomes[i] == ECHO_SCALAR_POISON && folds && results[0].value != NULL;
    if (!is_operand && folds != (v->outcomes[i] == ECHO_SCALAR_DEFINED))
      ck_abort_msg("%s: folds %d, outcome %d", v->info->name, folds, (int)v->outcomes[i]);
    if (is_operand)
      continue;
    for (size_t k = 0; k < v->n_results && folds; ++k)
      check_element(v, "the fold", i, k, folded_bits(v, op, &results[k], i));
  }
}

/* ---- running ---- */

/* Operands and results as a kernel sees them. */
typedef struct Memory {
  void *buffers[ECHO_SCALAR_MAX_OPERANDS + ECHO_SCALAR_MAX_RESULTS];
  size_t n;
} Memory;

static void *new_buffer(const EchoType *type, const uint64_t *bits)
{
  size_t bytes = echo_type_element_bytes(type);
  char *data = aligned_alloc(64, N * 8);
  memset(data, 0xa5, N * 8);
  for (size_t i = 0; i < N && bits != NULL; ++i)
    memcpy(data + i * bytes, &bits[i], bytes);
  return data;
}

static Memory memory_of(const Variant *v)
{
  Memory memory = {.n = v->n_operands + v->n_results};
  for (size_t k = 0; k < v->n_operands; ++k)
    memory.buffers[k] = new_buffer(v->operands[k], v->in[k]);
  for (size_t k = 0; k < v->n_results; ++k)
    memory.buffers[v->n_operands + k] = new_buffer(v->results[k], NULL);
  return memory;
}

static void check_memory(const Variant *v, Memory *memory, const char *reader)
{
  for (size_t k = 0; k < v->n_results; ++k) {
    size_t bytes = echo_type_element_bytes(v->results[k]);
    for (size_t i = 0; i < N; ++i) {
      uint64_t got = 0;
      memcpy(&got, (char *)memory->buffers[v->n_operands + k] + i * bytes, bytes);
      check_element(v, reader, i, k, cut(v->results[k], got));
    }
  }
  for (size_t k = 0; k < memory->n; ++k)
    free(memory->buffers[k]);
}

static void check_simulator(const Variant *v)
{
  EchoBuffer text = {0};
  append_device(&text, v);
  EchoOp *module = parse(v->ctx, &text);
  echo_expand_math(module);
  Memory memory = memory_of(v);
  bool fine = echo_simulate_gpu(v->ctx, find(module, "gpu.func"), memory.buffers);
  ck_assert_msg(fine, "%s is not simulated", v->info->name);
  check_memory(v, &memory, "the simulator");
}

/* What code for a host is not generated for, and says so: one rounding must stay one. */
static const char *refusal_or_null(const Variant *v, bool is_vector)
{
  const EchoType *from = v->operands[v->n_operands - 1], *to = v->results[0];
  EchoScalarOpcode opcode = echo_scalar_opcode(v->info);
  bool from_bf16 = from->kind == ECHO_TYPE_FLOAT && from->as.float_kind == ECHO_BF16;
  bool to_bf16 = to->kind == ECHO_TYPE_FLOAT && to->as.float_kind == ECHO_BF16;
  if (opcode == ECHO_ARITH_SELECT || opcode == ECHO_ARITH_BITCAST || opcode == ECHO_ARITH_EXTF)
    return NULL;
  if (opcode == ECHO_ARITH_TRUNCF && (from->as.float_kind != ECHO_F64 || !to_bf16))
    return from->as.float_kind == ECHO_F64 && to->as.float_kind == ECHO_F16
               ? "does not round f64 to f16: go through f32"
               : NULL;
  if (opcode == ECHO_ARITH_TRUNCF)
    return "does not round f64 to bf16: go through f32";
  if (opcode == ECHO_MATH_FMA && to->as.float_kind == ECHO_F16)
    return "does not round f16 once: go through f32";
  if (is_vector && (opcode == ECHO_ARITH_MULUI_EXTENDED || opcode == ECHO_ARITH_MULSI_EXTENDED))
    return "is translated for scalars only";
  return from_bf16 ? "does not compute in bf16: extend to f32 first"
         : to_bf16 ? "does not compute in bf16: go through f32"
                   : NULL;
}

/* Whether there is code; else that it is refused as it should be. */
static bool compile(EchoContext *ctx, EchoOp *module, const char *refusal,
                    EchoCompiledModule *compiled)
{
  EchoCodegenOptions options = {0};
  bool fine = echo_codegen_compile(ctx, module, &options, compiled);
  size_t n = echo_context_n_diagnostics(ctx);
  const char *message = fine ? "" : echo_context_diagnostic(ctx, n - 1)->message;
  ck_assert_msg(fine == (refusal == NULL) && (fine || strstr(message, refusal) != NULL),
                "'%s' for '%s'", message, refusal != NULL ? refusal : "");
  return fine;
}

static void check_code(const Variant *v, bool is_vector)
{
  EchoBuffer text = {0};
  append_host(&text, v, is_vector);
  EchoOp *module = parse(v->ctx, &text);
  EchoCompiledModule compiled;
  echo_expand_math(module);
  if (!compile(v->ctx, module, refusal_or_null(v, is_vector), &compiled))
    return;
  EchoLoader *loader = echo_loader_create_or_null(v->ctx);
  void *address = NULL;
  EchoKernelFn *run = NULL;
  ck_assert(loader != NULL && echo_loader_add_object(loader, v->ctx, compiled.kernels[0].object));
  ck_assert(echo_loader_lookup(loader, v->ctx, compiled.kernels[0].phases[0].symbol, &address));
  memcpy(&run, &address, sizeof run);
  Memory memory = memory_of(v);
  EchoFloatMode before = echo_float_mode_set(true);
  run(memory.buffers, 0, compiled.kernels[0].phases[0].n_tasks);
  echo_float_mode_restore(before);
  check_memory(v, &memory, is_vector ? "a compiled vector" : "compiled code");
  echo_loader_destroy(loader);
  echo_compiled_module_destroy(&compiled);
}

/* ---- every row ---- */

static void ignore(void *user, EchoContext *ctx, const EchoDiagnostic *diagnostic)
{
  (void)user, (void)ctx, (void)diagnostic;
}

/* The op alone, on a function's arguments; NULL where it does not take these types. */
static EchoOp *op_or_null(const Variant *v)
{
  EchoBuffer text = {0};
  echo_buffer_append_c(&text, "func.func @f(");
  for (size_t k = 0; k < v->n_operands; ++k)
    echo_buffer_printf(&text, "%s%%x%zu: %s", k == 0 ? "" : ", ", k,
                       echo_type_text(v->ctx, v->operands[k]));
  echo_buffer_append_c(&text, ") {\n");
  append_op(&text, v, "", "");
  echo_buffer_append_c(&text, "return\n}\n");
  EchoOp *module = parse_or_null(v->ctx, &text);
  echo_buffer_destroy(&text);
  return module != NULL ? find(module, v->info->name) : NULL;
}

/* Elementary functions only where they are exact, and expanded. */
static bool runs(const EchoScalar *scalar, const EchoType *type)
{
  bool is_narrow = type->kind == ECHO_TYPE_FLOAT && echo_type_bit_width(type) < 32;
  return !scalar->is_expanded || (scalar->f32_error == 0 && !is_narrow);
}

static bool check_variant(Variant *v)
{
  EchoScalarCase at;
  EchoOp *op = op_or_null(v);
  if (op == NULL)
    return false;
  const EchoScalar *scalar = echo_scalar_or_null(op, &at);
  ck_assert_ptr_nonnull(scalar);
  fill(v, scalar, &at, true);
  check_fold(v, op);
  if (!runs(scalar, v->results[0]))
    return true;
  fill(v, scalar, &at, false);
  check_simulator(v);
  check_code(v, false);
  if (!scalar->is_expanded)
    check_code(v, true);
  return true;
}

/* The row on one choice of types: i1 where it says so, else from and to. */
static bool check_types(const EchoScalar *scalar, const char *from, const char *to,
                        int64_t predicate)
{
  static uint64_t in[ECHO_SCALAR_MAX_OPERANDS][N], want[ECHO_SCALAR_MAX_RESULTS][N];
  static EchoScalarOutcome outcomes[N];
  Variant v = {.ctx = echo_context_create(),
               .info = scalar->info,
               .predicate = predicate,
               .outcomes = outcomes};
  echo_register_dialects(v.ctx);
  echo_context_set_diagnostic_handler(v.ctx, ignore, NULL);
  const EchoOpSpec *spec = echo_context_op_spec_or_null(v.ctx, v.info);
  v.n_operands = spec->n_operands;
  v.n_results = spec->n_results;
  for (size_t k = 0; k < v.n_operands; ++k) {
    bool is_bool = echo_str_is(spec->operands[k].constraint_name, "bool-like");
    v.operands[k] = echo_type_from_text(v.ctx, is_bool ? "i1" : from);
    v.in[k] = in[k];
  }
  for (size_t k = 0; k < v.n_results; ++k) {
    bool is_bool = echo_str_is(spec->results[k].constraint_name, "bool-like");
    v.results[k] = echo_type_from_text(v.ctx, is_bool ? "i1" : to);
    v.want[k] = want[k];
  }
  bool is_taken = check_variant(&v);
  echo_context_destroy(v.ctx);
  return is_taken;
}

START_TEST(readers_agree)
{
  const EchoScalar *scalar = &ECHO_SCALARS[_i];
  EchoScalarOpcode opcode = echo_scalar_opcode(scalar->info);
  int64_t n_predicates = opcode == ECHO_ARITH_CMPI   ? (int64_t)ECHO_N_CMPI_PREDICATES
                         : opcode == ECHO_ARITH_CMPF ? (int64_t)ECHO_N_CMPF_PREDICATES
                                                     : 0;
  int n_taken = 0;
  ck_assert_int_eq(opcode, _i);
  if (opcode == ECHO_ARITH_CONSTANT) {
    ck_assert(scalar->evaluate == NULL);
    return;
  }
  for (size_t from = 0; from < N_TYPES; ++from)
    for (size_t to = 0; to < N_TYPES; ++to)
      for (int64_t p = n_predicates != 0 ? 0 : -1; p < n_predicates; ++p)
        if (n_predicates == 0 || to == 0)
          n_taken += check_types(scalar, TYPES[from], TYPES[to], p);
  ck_assert_int_gt(n_taken, 0);
}
END_TEST

/* A rounding mode other than to nearest even is in no reader. */
START_TEST(refuses_other_roundings)
{
  Variant v = {.ctx = echo_context_create(),
               .info = ECHO_SCALARS[ECHO_ARITH_TRUNCF].info,
               .n_operands = 1,
               .n_results = 1,
               .predicate = -1};
  echo_register_dialects(v.ctx);
  echo_context_set_diagnostic_handler(v.ctx, ignore, NULL);
  v.operands[0] = echo_type_f64(v.ctx);
  v.results[0] = echo_type_f32(v.ctx);
  for (int64_t mode = 0; mode <= 1; ++mode) {
    EchoBuffer text = {0};
    EchoScalarCase at;
    EchoCompiledModule compiled;
    append_host(&text, &v, false);
    EchoOp *module = parse(v.ctx, &text), *op = find(module, "arith.truncf");
    echo_op_set_attr(op, "roundingmode", echo_attr_i32(v.ctx, (int32_t)mode));
    ck_assert((echo_scalar_or_null(op, &at) != NULL) == (mode == 0));
    if (compile(v.ctx, module, mode == 0 ? NULL : "rounds to nearest even only", &compiled))
      echo_compiled_module_destroy(&compiled);
  }
  echo_context_destroy(v.ctx);
}
END_TEST

/* ---- by hand ---- */

static uint64_t evaluate(EchoScalarOpcode opcode, const char *from, const char *to,
                         const uint64_t *in)
{
  EchoContext *ctx = echo_context_create();
  EchoScalarCase at = {echo_type_from_text(ctx, from), echo_type_from_text(ctx, to), 0};
  uint64_t out = 0;
  ck_assert_int_eq(ECHO_SCALARS[opcode].evaluate(&at, in, &out), ECHO_SCALAR_DEFINED);
  echo_context_destroy(ctx);
  return out;
}

/* Just beside the middle of two results, by less than an f64 between holds. */
START_TEST(rounds_once)
{
  ck_assert_uint_eq(evaluate(ECHO_MATH_FMA, "f16", "f16", F16_TIE), 0x3c01);
  const uint64_t bf16_tie[] = {0x3fc0, 0x3f81, 0x8d80}; /* 1.5 * (1 + 2^-7) - 2^-100 */
  ck_assert_uint_eq(evaluate(ECHO_MATH_FMA, "bf16", "bf16", bf16_tie), 0x3fc1);
  const uint64_t above[] = {(UINT64_C(1) << 62) + (UINT64_C(1) << 54) + 1};
  ck_assert_uint_eq(evaluate(ECHO_ARITH_SITOFP, "i64", "bf16", above), 0x5e81);
  ck_assert_uint_eq(evaluate(ECHO_ARITH_UITOFP, "i64", "bf16", above), 0x5e81);
  const uint64_t below[] = {0 - above[0]};
  ck_assert_uint_eq(evaluate(ECHO_ARITH_SITOFP, "i64", "bf16", below), 0xde81);
}
END_TEST

/* What LLVM and PTX leave open is named, not chosen. */
START_TEST(leaves_open)
{
  EchoContext *ctx = echo_context_create();
  const EchoType *f32 = echo_type_f32(ctx), *i8 = echo_type_from_text(ctx, "i8");
  const EchoScalarCase floats = {f32, f32, 0}, ints = {i8, i8, 0}, to_int = {f32, i8, 0};
  const uint64_t zeros[] = {0, 0x80000000}, nan[] = {0x7fc00000, 0}, overflow[] = {0x80, 0xff};
  const uint64_t division[] = {1, 0}, shift[] = {1, 8}, large[] = {0x43800000}; /* 256 */
  uint64_t out = 0;
#define OUTCOME(opcode, at, in) ECHO_SCALARS[opcode].evaluate(&(at), in, &out)
  ck_assert_int_eq(OUTCOME(ECHO_ARITH_MAXNUMF, floats, zeros), ECHO_SCALAR_LOOSE);
  ck_assert_int_eq(OUTCOME(ECHO_ARITH_MAXIMUMF, floats, zeros), ECHO_SCALAR_DEFINED);
  ck_assert_int_eq(OUTCOME(ECHO_ARITH_ADDF, floats, nan), ECHO_SCALAR_LOOSE);
  ck_assert_int_eq(OUTCOME(ECHO_ARITH_NEGF, floats, nan), ECHO_SCALAR_DEFINED);
  ck_assert_int_eq(OUTCOME(ECHO_MATH_EXP, floats, zeros), ECHO_SCALAR_LOOSE);
  ck_assert_int_eq(OUTCOME(ECHO_ARITH_DIVSI, ints, division), ECHO_SCALAR_POISON);
  ck_assert_int_eq(OUTCOME(ECHO_ARITH_REMSI, ints, overflow), ECHO_SCALAR_POISON);
  ck_assert_int_eq(OUTCOME(ECHO_ARITH_MULI, ints, overflow), ECHO_SCALAR_DEFINED);
  ck_assert_int_eq(OUTCOME(ECHO_ARITH_SHLI, ints, shift), ECHO_SCALAR_POISON);
  ck_assert_int_eq(OUTCOME(ECHO_ARITH_FPTOUI, to_int, large), ECHO_SCALAR_POISON);
  ck_assert_int_eq(OUTCOME(ECHO_ARITH_FPTOUI, to_int, nan), ECHO_SCALAR_POISON);
  echo_context_destroy(ctx);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("exec/scalar");
  TCase *tests = tcase_create("rows");
  tcase_set_timeout(tests, 600);
  tcase_add_loop_test(tests, readers_agree, 0, ECHO_N_SCALAR_OPCODES);
  tcase_add_test(tests, refuses_other_roundings);
  tcase_add_test(tests, rounds_once);
  tcase_add_test(tests, leaves_open);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
