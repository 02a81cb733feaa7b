/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/echo-run/inputs.h"

#include "dialects/stablehlo/refine.h"
#include "ir/symbol.h"
#include "jit/data/npy.h"
#include "jit/data/parts.h"
#include "tools/echo-run/ranks.h"

/* ---- drawing ---- */

#define DRAWN_DEVIATION 0.1
#define DRAWN_INTEGERS 8 /* few, so that they index and count safely */

static uint64_t next_random(uint64_t *state)
{
  *state += UINT64_C(0x9e3779b97f4a7c15);
  return echo_hash_u64(*state);
}

/* The sum of four uniforms of 16 bits, scaled to deviation 1: near enough to normal, and the same
 * bits on every machine. */
static double next_normal(uint64_t *state)
{
  uint64_t bits = next_random(state);
  uint64_t sum =
      (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48 & 0xffff);
  return ((double)sum - 131070) * (1.7320508075688772 / 65536);
}

void inputs_draw(EchoTensor *tensor, uint64_t seed, uint64_t stream)
{
  uint64_t state = echo_hash_combine(echo_hash_u64(seed + 1), stream);
  bool is_float = echo_element_is_float(tensor->kind);
  int64_t range = tensor->kind == ECHO_ELEMENT_I1 ? 2 : DRAWN_INTEGERS;
  for (int64_t i = 0; i < tensor->n_elements; i++)
    if (is_float)
      echo_tensor_set_f64(tensor, i, DRAWN_DEVIATION * next_normal(&state));
    else
      echo_tensor_set_i64(tensor, i, (int64_t)(next_random(&state) >> 32) % range);
}

/* ---- names and shapes ---- */

/* "arg12" -> 12, "res3" -> 3. */
static bool parse_numbered(EchoStr name, const char *prefix, size_t n, size_t *number)
{
  uint64_t value;
  size_t size = strlen(prefix);
  if (!echo_str_starts_with(name, prefix) ||
      !echo_str_to_u64((EchoStr){name.data + size, name.size - size}, &value) || value >= n)
    return false;
  *number = (size_t)value;
  return true;
}

static void append_shape(EchoBuffer *out, const EchoType *type)
{
  EchoBuffer text = {0};
  static const char *const NAMES[ECHO_N_ELEMENT_KINDS] = {"?",   "i1",   "i8",   "i16",  "i32",
                                                          "i64", "ui8",  "ui16", "ui32", "ui64",
                                                          "f16", "bf16", "f32",  "f64"};
  for (size_t i = 0; i < echo_type_rank(type); i++)
    echo_buffer_printf(&text, "%lldx", (long long)echo_type_dim(type, i));
  echo_buffer_printf(out, "tensor<%s%s>", echo_buffer_c_str(&text),
                     NAMES[echo_type_element_kind(type)]);
  echo_buffer_destroy(&text);
}

/* Same element kind, and the same dimensions behind `skip` leading ones of `given`. */
static bool has_shape(const EchoType *given, const EchoType *wanted, size_t skip)
{
  if (echo_type_element_kind(given) != echo_type_element_kind(wanted) ||
      echo_type_rank(given) != echo_type_rank(wanted) + skip)
    return false;
  for (size_t i = 0; i < echo_type_rank(wanted); i++)
    if (echo_type_dim(given, i + skip) != echo_type_dim(wanted, i))
      return false;
  return true;
}

static bool refuse_shape(EchoBuffer *error, EchoStr name, const EchoType *given,
                         const EchoType *wanted, bool is_feed)
{
  echo_buffer_printf(error, "array '%.*s' is ", ECHO_STR_ARG(name));
  append_shape(error, given);
  echo_buffer_printf(error, ", but the argument is ");
  append_shape(error, wanted);
  if (is_feed)
    echo_buffer_append_c(error, ", and a feed has one dimension more in front: the steps");
  return false;
}

static bool refuse_name(EchoBuffer *error, EchoStr name, size_t n_args)
{
  echo_buffer_printf(error, "array '%.*s' names no argument: main has %zu", ECHO_STR_ARG(name),
                     n_args);
  if (n_args != 0)
    echo_buffer_printf(error, ", arg0 to arg%zu", n_args - 1);
  return false;
}

/* An array that is whole becomes this process's part of it. */
static void take_part(EchoContext *ctx, EchoNamedTensor *named, const EchoType *wanted,
                      const EchoAttr *parts, size_t skip)
{
  EchoTensor *part = has_shape(named->tensor->type, wanted, skip)
                         ? NULL
                         : ranks_cut_or_null(ctx, named->tensor, wanted, parts, skip);
  if (part == NULL)
    return;
  echo_tensor_destroy(named->tensor);
  named->tensor = part;
}

/* ---- files ---- */

/* A lone .npy is the argument that its file is named after ("arg3.npy"), else the one of its place
 * among the files. */
static EchoStr lone_name(const char *path, size_t place, EchoBuffer *name)
{
  const char *slash = strrchr(path, '/');
  const char *stem = slash != NULL ? slash + 1 : path;
  EchoStr text = {stem, strcspn(stem, ".")};
  size_t number;
  echo_buffer_clear(name);
  if (parse_numbered(text, "arg", SIZE_MAX, &number))
    echo_buffer_append_str(name, text);
  else
    echo_buffer_printf(name, "arg%zu", place);
  return echo_buffer_str(name);
}

static bool read_files(EchoContext *ctx, const EchoStringList *paths, EchoTensorSet *set,
                       EchoBuffer *error)
{
  EchoBuffer name = {0};
  bool ok = true;
  for (size_t i = 0; i < paths->size && ok; i++)
    ok = echo_tensor_set_read(ctx, paths->data[i], lone_name(paths->data[i], i, &name), set, error);
  echo_buffer_destroy(&name);
  return ok;
}

static bool take_inputs(EchoContext *ctx, const Signature *signature, Inputs *inputs,
                        EchoBuffer *error)
{
  for (size_t i = 0; i < inputs->files.list.size; i++) {
    EchoNamedTensor *named = &inputs->files.list.data[i];
    size_t arg;
    if (!parse_numbered(named->name, "arg", signature->n_args, &arg))
      return refuse_name(error, named->name, signature->n_args);
    take_part(ctx, named, signature->arg_types[arg], inputs->parts[arg], 0);
    if (!has_shape(named->tensor->type, signature->arg_types[arg], 0))
      return refuse_shape(error, named->name, named->tensor->type, signature->arg_types[arg],
                          false);
    if (inputs->args[arg] != NULL) {
      echo_buffer_printf(error, "argument %zu is given twice", arg);
      return false;
    }
    inputs->args[arg] = named->tensor;
    inputs->args[arg]->type = signature->arg_types[arg]; /* signedness as the program has it */
    named->tensor = NULL;
  }
  return true;
}

/* ---- shapes that the files say ---- */

static bool is_static(const EchoType *type)
{
  return !echo_type_is_shaped(type) || echo_type_has_static_shape(type);
}

static bool say_missing(EchoContext *ctx, const EchoType *type, size_t arg, EchoBuffer *error)
{
  echo_buffer_printf(error,
                     "argument %zu is %s, a shape that is not known: --inputs must have an array "
                     "arg%zu of that rank",
                     arg, echo_type_text(ctx, type), arg);
  return false;
}

static bool refine_from(EchoOp *main, const EchoTensorSet *files, EchoBuffer *error)
{
  EchoContext *ctx = echo_op_context(main);
  const EchoBlock *body = echo_op_body(main, 0);
  for (size_t i = 0; i < files->list.size; i++) {
    const EchoNamedTensor *named = &files->list.data[i];
    size_t arg;
    if (!parse_numbered(named->name, "arg", body->n_args, &arg))
      return refuse_name(error, named->name, body->n_args);
    EchoValue *value = echo_block_arg(body, arg);
    echo_value_set_type(value, echo_stablehlo_refine_type(ctx, value->type, named->tensor->type));
  }
  for (size_t i = 0; i < body->n_args; i++)
    if (!is_static(echo_block_arg(body, i)->type))
      return say_missing(ctx, echo_block_arg(body, i)->type, i, error);
  return true;
}

/* The function's type says what its arguments have become. */
static void retype(EchoOp *main, const EchoType *was)
{
  const EchoBlock *body = echo_op_body(main, 0);
  const EchoType **inputs = echo_alloc_array(body->n_args + 1u, sizeof *inputs);
  for (size_t i = 0; i < body->n_args; i++)
    inputs[i] = echo_block_arg(body, i)->type;
  EchoContext *ctx = echo_op_context(main);
  const EchoType *type = echo_type_function(ctx, inputs, body->n_args, was->as.function.results,
                                            was->as.function.n_results);
  echo_op_set_attr(main, "function_type", echo_attr_type(ctx, type));
  echo_free(inputs);
}

bool inputs_refine_arguments(EchoOp *module, const EchoStringList *inputs, EchoBuffer *error)
{
  EchoContext *ctx = echo_op_context(module);
  EchoOp *main = echo_symbol_lookup_or_null(module, echo_attr_symbol(ctx, ECHO_STR("main")));
  const EchoAttr *type = main != NULL ? echo_op_attr_or_null(main, "function_type") : NULL;
  if (type == NULL || !echo_op_is(main, "func.func") || echo_region_is_empty(&main->regions[0]))
    return true; /* signature_read says what is wrong */
  bool is_known = true;
  for (size_t i = 0; i < echo_op_body(main, 0)->n_args; i++)
    is_known = is_known && is_static(echo_block_arg(echo_op_body(main, 0), i)->type);
  if (is_known)
    return true;
  EchoTensorSet files = {0};
  bool ok = read_files(ctx, inputs, &files, error) && refine_from(main, &files, error);
  if (ok)
    retype(main, type->as.type_value);
  echo_tensor_set_destroy(&files);
  return ok;
}

static bool take_slices(EchoContext *ctx, const Signature *signature, Inputs *inputs,
                        EchoBuffer *error)
{
  for (size_t i = 0; i < inputs->feed_files.list.size; i++) {
    EchoNamedTensor *named = &inputs->feed_files.list.data[i];
    size_t arg;
    if (!parse_numbered(named->name, "arg", signature->n_args, &arg))
      return refuse_name(error, named->name, signature->n_args);
    take_part(ctx, named, signature->arg_types[arg], inputs->parts[arg], 1);
    const EchoType *type = named->tensor->type;
    if (!has_shape(type, signature->arg_types[arg], 1))
      return refuse_shape(error, named->name, type, signature->arg_types[arg], true);
    if (signature->arg_alias[arg] >= 0) {
      echo_buffer_printf(error,
                         "argument %zu is fed from a file and takes result %lld of the step before",
                         arg, (long long)signature->arg_alias[arg]);
      return false;
    }
    inputs->slices[arg] = named->tensor;
    int64_t n = echo_type_dim(type, 0);
    if (inputs->n_slices < 0 || n < inputs->n_slices)
      inputs->n_slices = n;
  }
  return true;
}

/* "resI:argJ", where JAX's name may stand for resI; false when the text is no such pair at all. */
static bool is_result_feed(EchoStr text, EchoStr *result, EchoStr *arg)
{
  const char *colon = memrchr(text.data, ':', text.size);
  bool is_file = text.size >= 4 && memcmp(text.data + text.size - 4, ".npz", 4) == 0;
  if (colon == NULL || is_file)
    return false;
  *result = (EchoStr){text.data, (size_t)(colon - text.data)};
  *arg = (EchoStr){colon + 1, text.size - result->size - 1};
  return echo_str_starts_with(*arg, "arg");
}

bool inputs_is_result_feed(const char *text)
{
  EchoStr result, arg;
  return is_result_feed(echo_str(text), &result, &arg);
}

static bool add_result_feed(const Signature *signature, EchoStr result, EchoStr arg, Inputs *inputs,
                            EchoBuffer *error)
{
  ResultFeed feed;
  if (!signature_find_result(signature, result, &feed.result) ||
      !parse_numbered(arg, "arg", signature->n_args, &feed.arg)) {
    echo_buffer_printf(error, "--feed=%.*s:%.*s: main has %zu results and %zu arguments",
                       ECHO_STR_ARG(result), ECHO_STR_ARG(arg), signature->n_results,
                       signature->n_args);
    return false;
  }
  if (signature->result_types[feed.result] != signature->arg_types[feed.arg]) {
    echo_buffer_printf(error, "--feed=%.*s:%.*s: the result is ", ECHO_STR_ARG(result),
                       ECHO_STR_ARG(arg));
    append_shape(error, signature->result_types[feed.result]);
    echo_buffer_append_c(error, ", the argument is ");
    append_shape(error, signature->arg_types[feed.arg]);
    return false;
  }
  bool is_taken = signature->arg_alias[feed.arg] >= 0 || inputs->slices[feed.arg] != NULL;
  for (size_t i = 0; i < inputs->feeds.size; i++)
    is_taken |= inputs->feeds.data[i].arg == feed.arg;
  if (is_taken) {
    echo_buffer_printf(error, "argument %zu is fed twice", feed.arg);
    return false;
  }
  echo_vector_push(&inputs->feeds, feed);
  return true;
}

static bool read_feeds(EchoContext *ctx, const Signature *signature, const EchoStringList *feeds,
                       Inputs *inputs, EchoBuffer *error)
{
  EchoStringList paths = {0};
  EchoStr result, arg;
  for (size_t i = 0; i < feeds->size; i++)
    if (!is_result_feed(echo_str(feeds->data[i]), &result, &arg))
      echo_vector_push(&paths, feeds->data[i]);
  bool ok = read_files(ctx, &paths, &inputs->feed_files, error) &&
            take_slices(ctx, signature, inputs, error);
  for (size_t i = 0; i < feeds->size && ok; i++)
    if (is_result_feed(echo_str(feeds->data[i]), &result, &arg))
      ok = add_result_feed(signature, result, arg, inputs, error);
  echo_vector_destroy(&paths);
  return ok;
}

/* Processes draw the whole, so that it does not depend on their number. */
static void draw_argument(EchoContext *ctx, Inputs *inputs, size_t i, uint64_t seed)
{
  EchoTensor *arg = inputs->args[i], *part = NULL;
  const EchoType *type = inputs->parts[i] != NULL
                             ? echo_parts_whole_type(ctx, arg->type, inputs->parts[i])
                             : arg->type;
  if (type != arg->type) {
    EchoTensor *whole = echo_tensor_create(type, false);
    inputs_draw(whole, seed, i);
    part = ranks_cut_or_null(ctx, whole, arg->type, inputs->parts[i], 0);
    echo_tensor_destroy(whole);
  }
  if (part == NULL) {
    inputs_draw(arg, seed, i);
    return;
  }
  echo_tensor_destroy(arg);
  inputs->args[i] = part;
}

/* Moments and counters of an optimizer start at zero; a negative one would have no square root. */
void inputs_complete(EchoContext *ctx, Inputs *inputs, const Signature *signature, uint64_t seed)
{
  for (size_t i = 0; i < signature->n_args; i++) {
    if (inputs->args[i] != NULL)
      continue;
    bool is_optimizer = echo_str_is(signature->arg_roles[i], "optimizer");
    inputs->args[i] = echo_tensor_create(signature->arg_types[i], is_optimizer);
    if (inputs->slices[i] != NULL) {
      memcpy(inputs->args[i]->data, inputs->slices[i]->data,
             (size_t)echo_tensor_bytes(inputs->args[i]));
      continue;
    }
    if (!is_optimizer)
      draw_argument(ctx, inputs, i, seed);
    inputs->n_drawn++;
  }
}

bool inputs_read(EchoContext *ctx, const Signature *signature, const EchoStringList *inputs,
                 const EchoStringList *feeds, Inputs *out, EchoBuffer *error)
{
  *out = (Inputs){.n_args = signature->n_args, .n_slices = -1, .parts = out->parts};
  out->args = echo_alloc_zero(signature->n_args + 1, sizeof(EchoTensor *));
  out->slices = echo_alloc_zero(signature->n_args + 1, sizeof(EchoTensor *));
  if (!read_files(ctx, inputs, &out->files, error) || !take_inputs(ctx, signature, out, error) ||
      !read_feeds(ctx, signature, feeds, out, error))
    return false;
  if (out->n_slices == 0) {
    echo_buffer_append_c(error, "the feed holds no steps");
    return false;
  }
  return true;
}

void inputs_destroy(Inputs *inputs)
{
  for (size_t i = 0; i < inputs->n_args && inputs->args != NULL; i++)
    echo_tensor_destroy(inputs->args[i]);
  echo_free(inputs->args);
  echo_free(inputs->slices);
  echo_vector_destroy(&inputs->feeds);
  echo_tensor_set_destroy(&inputs->files);
  echo_tensor_set_destroy(&inputs->feed_files);
}

const void *inputs_slice(const Inputs *inputs, const Signature *signature, size_t arg, int64_t step)
{
  uint64_t bytes = echo_type_static_bytes(signature->arg_types[arg]);
  return (const char *)inputs->slices[arg]->data + (uint64_t)step * bytes;
}
