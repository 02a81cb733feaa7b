/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The two worlds, and the run: each call in a child, what it did by its exit status. */
#include "tests/laws/doors/world.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

World here, there;

static bool run_nothing(EchoPassRun *run)
{
  run->keeps_all = true;
  return true;
}

static bool match_nothing(EchoRewriter *rewriter, EchoOp *op)
{
  (void)rewriter;
  (void)op;
  return false;
}

#define DIMS(...)                                                                                  \
  {                                                                                                \
    (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)       \
  }
const EchoDiagnostic DIAGNOSTIC = {.severity = ECHO_ERROR, .message = "message"};
const EchoDialect DIALECT = {.name = "fresh", .summary = "of no op"};
const EchoPass PASS = {.name = "fresh", .summary = "does nothing", .run = run_nothing};
const EchoPluginInfo PLUGIN = {
    .api_version = ECHO_PLUGIN_API_VERSION, .name = "fresh", .version = "1"};
static bool call_nothing(const EchoTargetCall *call)
{
  (void)call;
  return true;
}
const EchoCallTarget CALL_TARGET = {
    .name = "fresh", .summary = "does nothing", .run = call_nothing};
const EchoStageLowering LOWERING = {"fresh", "tensor", "cse"};
const EchoPattern PATTERN = {.op = "stablehlo.add", .apply = match_nothing, .summary = "nothing"};
const EchoDotDims DOT = {.lhs_contracting = DIMS(1), .rhs_contracting = DIMS(0)};
const EchoConvDims CONV = {0, 3, DIMS(1, 2), 2, 3, DIMS(0, 1), 0, 3, DIMS(1, 2)};
const EchoGatherDims GATHER = {.offset_dims = DIMS(1),
                               .collapsed_slice_dims = DIMS(0),
                               .start_index_map = DIMS(0),
                               .index_vector_dim = 1};
const EchoScatterDims SCATTER = {.update_window_dims = DIMS(1),
                                 .inserted_window_dims = DIMS(0),
                                 .scatter_dims_to_operand_dims = DIMS(0),
                                 .index_vector_dim = 1};
const EchoWindowDim WINDOWS[4] = {{1, 1, 1, 1, 0, 0, false},
                                  {1, 1, 1, 1, 0, 0, false},
                                  {1, 1, 1, 1, 0, 0, false},
                                  {1, 1, 1, 1, 0, 0, false}};

EchoValue *value(EchoOp *func, const char *type_text)
{
  EchoContext *ctx = echo_op_context(func);
  return echo_block_add_arg(ctx, echo_op_body(func, 0), echo_type_from_text(ctx, type_text),
                            echo_loc_unknown());
}

const EchoType *type(EchoContext *ctx, const char *text)
{
  return echo_type_from_text(ctx, text);
}

const EchoAttr *attribute(EchoContext *ctx, const char *text)
{
  return echo_attr_from_text(ctx, text);
}

bool take_text(void *user, EchoStr piece)
{
  (void)user;
  (void)piece;
  return true;
}

void pass_over(void *user)
{
  (void)user;
}

EchoWalkResult walk_on(void *user, EchoOp *op)
{
  (void)user;
  (void)op;
  return ECHO_WALK_CONTINUE;
}

static const char TEXT[] =
    "func.func @main(%x: tensor<4x8xf32>, %z: tensor<4x8xf32>, %y: tensor<8x4xf32>,\n"
    "                %index: index, %counter: tensor<i32>) {\n"
    "  %low = \"arith.constant\"() <{value = 0 : index}> : () -> index\n"
    "  \"scf.for\"(%low, %index, %index) ({\n"
    "  ^bb0(%i: index):\n"
    "    \"scf.yield\"() : () -> ()\n"
    "  }) : (index, index, index) -> ()\n"
    "  %sum = stablehlo.add %x, %x : tensor<4x8xf32>\n"
    "  return\n"
    "}\n";

static const char STEP[] = "func.func @main(%x: tensor<4x8xf32> {tf.aliasing_output = 0 : i32},\n"
                           "    %y: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {\n"
                           "  %0 = stablehlo.add %x, %y : tensor<4x8xf32>\n"
                           "  %1 = stablehlo.multiply %x, %y : tensor<4x8xf32>\n"
                           "  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>\n"
                           "}\n";

static void give_up(const World *w)
{
  for (size_t i = 0; i < echo_context_n_diagnostics(w->ctx); i++)
    puts(echo_context_diagnostic(w->ctx, i)->message);
  puts("the world does not stand");
  exit(1);
}

static void make_ir(World *w)
{
  w->module = echo_parse_text_or_null(w->ctx, ECHO_STR("world.mlir"), ECHO_STR(TEXT));
  if (w->module == NULL)
    give_up(w);
  w->func = echo_op_body(w->module, 0)->first;
  w->block = echo_op_body(w->func, 0);
  w->arith = w->block->first;
  w->loop = w->arith->next;
  w->region = &w->loop->regions[0];
  w->op = w->loop->next;
  w->last = w->op->next;
  EchoValue **const args[] = {&w->x, &w->z, &w->y, &w->index, &w->counter};
  for (size_t i = 0; i < sizeof args / sizeof args[0]; i++)
    *args[i] = echo_block_arg(w->block, i);
  w->low = echo_op_result(w->arith, 0);
  w->sum = echo_op_result(w->op, 0);
  w->values[0] = w->values[1] = w->gaps[0] = w->x;
  w->indices[0] = w->indices[1] = w->index;
  w->starts[0] = w->starts[1] = w->counter;
  w->builder = echo_builder_before(w->last);
  w->detached_block = echo_block_create(w->ctx);
  EchoBuilder nowhere = {.ctx = w->ctx};
  w->detached = echo_build_op(&nowhere, "func.return", NULL, 0, NULL, 0, NULL, 0);
  w->empty = echo_build_op_with_regions(&nowhere, "builtin.module", NULL, 0, NULL, 0, NULL, 0, 1);
  w->branch = echo_op_create(&(EchoOpState){.ctx = w->ctx,
                                            .info = w->detached->info,
                                            .successors = &w->detached_block,
                                            .n_successors = 1});
}

static void make_attributes(World *w)
{
  const int64_t dims[] = {4, 8}, ints[] = {0, 1};
  const int32_t zero_i32 = 0;
  const float zero = 0;
  w->f32 = echo_type_f32(w->ctx);
  w->i32 = echo_type_i32(w->ctx);
  w->i64 = echo_type_i64(w->ctx);
  w->tensor = w->x->type;
  w->tensor_i32 = type(w->ctx, "tensor<4xi32>");
  w->memref_type = echo_type_memref(w->ctx, dims, 2, w->f32, NULL, NULL);
  w->function_type = echo_type_function(w->ctx, &w->tensor, 1, &w->tensor, 1);
  w->types[0] = w->types[1] = w->type_gaps[1] = w->tensor;
  w->unit = echo_attr_unit(w->ctx);
  w->dictionary = echo_attr_dictionary(w->ctx, NULL, 0);
  w->elements = echo_attr_elements(w->ctx, w->tensor, &zero, sizeof zero, true);
  w->integers = echo_attr_elements(w->ctx, w->tensor_i32, &zero_i32, sizeof zero_i32, true);
  w->ints = echo_attr_i64_array(w->ctx, ints, 2);
  w->place = echo_attr_location_file(w->ctx, ECHO_STR("f"), 1, 2);
  w->symbol = echo_attr_symbol(w->ctx, ECHO_STR("main"));
  w->resource = echo_attr_dense_resource(w->ctx, w->tensor, ECHO_STR("key"));
  w->type_word = echo_attr_string(w->ctx, ECHO_STR("f32"));
  w->attrs[0] = w->attrs[1] = w->attr_gaps[0] = w->place;
  w->strings[0] = w->strings[1] = w->type_word;
  w->dim = w->exprs[0] = w->exprs[1] = w->expr_gaps[0] = echo_affine_dim(w->ctx, 0);
  w->entries[0] = (EchoNamedAttr){ECHO_STR("name"), w->unit};
  w->bad_entries[0] = (EchoNamedAttr){ECHO_STR("name"), NULL};
  w->attr_args[0] = (EchoAttrArg){"mark", w->unit};
  w->bad_attr_args[0] = (EchoAttrArg){NULL, w->unit};
  w->func_args[0] = (EchoAttrArg){"sym_name", w->type_word};
  w->func_args[1] = (EchoAttrArg){"function_type", echo_attr_type(w->ctx, w->function_type)};
  w->func_args[2] = (EchoAttrArg){"kind", echo_attr_string(w->ctx, ECHO_STR("map"))};
  w->part[0] = (EchoTextPart){0, 1, w->unit, NULL};
  w->bad_part[0] = (EchoTextPart){0, 1, NULL, NULL};
  w->loc = echo_loc_from_attr(w->place);
  w->spec = echo_context_op_spec_or_null(w->ctx, w->op->info);
}

static void make_parts(World *w)
{
  w->state = (EchoOpState){.ctx = w->ctx,
                           .info = w->op->info,
                           .loc = w->loc,
                           .operands = w->values,
                           .n_operands = 2,
                           .result_types = w->types,
                           .n_results = 1};
  w->call = (EchoLibraryCall){.library = ECHO_STR("blas"), .symbol = ECHO_STR("f")};
  w->library =
      echo_kernel_library_create(w->ctx, w->loc, ECHO_STR("l"), w->function_type, &w->call);
  w->kernel =
      echo_kernel_func_create(w->ctx, w->loc, ECHO_STR("k"), ECHO_KERNEL_MAP, w->function_type);
  w->tensor_data = echo_tensor_from_elements(w->elements);
  echo_tensor_set_add(&w->set, ECHO_STR("here"), echo_tensor_clone(w->tensor_data));
  echo_symbol_table_create(&w->symbols, w->module);
  w->dominance = echo_dominance_create(w->module);
  echo_device_model_default(&w->model);
  echo_pass_registry_add_alias(w->passes, "alias", "cse by another name", "cse");
}

static EchoOp *to_stage(World *w, EchoStage stage, const char *target)
{
  EchoOp *module = echo_op_clone(w->step_module, NULL);
  EchoCompileOptions options = {.target = target};
  echo_compile_to_stage(w->ctx, w->passes, module, stage, &options, NULL);
  return module;
}

static void make_step(World *w)
{
  const EchoPassManagerOptions options = {.verify_each = true};
  w->step_module = echo_parse_text_or_null(w->ctx, ECHO_STR("step.mlir"), ECHO_STR(STEP));
  w->step_main = echo_op_body(w->step_module, 0)->first;
  w->planned = to_stage(w, ECHO_STAGE_PLANNED, NULL);
  w->loops = to_stage(w, ECHO_STAGE_LOOPS, NULL);
  w->gpu_loops = to_stage(w, ECHO_STAGE_LOOPS, "sm_80");
  echo_memory_timeline_create(&w->timeline, w->planned);
  w->manager = echo_pass_manager_create(w->ctx, w->passes, &options);
  w->device = echo_device_create_cpu(1);
  w->step = echo_compile_or_null(w->ctx, w->passes, w->device, echo_op_clone(w->step_module, NULL),
                                 NULL, NULL);
  w->buffer = echo_device_buffer_create_or_null(w->ctx, w->device, 128);
  for (size_t i = 0; i < 2; i++)
    w->args[i] = echo_device_buffer_create_or_null(w->ctx, w->device, 128);
}

/* Files that check_doors.py finds beside the program, or that are written there. */
static EchoStr read_file(const char *path)
{
  EchoBuffer error = {0};
  EchoFile file = {0};
  if (!echo_file_read(path, &file, &error))
    puts(echo_buffer_c_str(&error));
  return (EchoStr){file.data, file.size};
}

static void make_files(World *w)
{
  EchoBuffer npy = {0}, error = {0};
  echo_npy_append(w->tensor_data, &npy);
  w->npy = echo_buffer_str(&npy);
  echo_npz_write("in.npz", &w->set, ECHO_NPZ_STORED, &error);
  echo_safetensors_write("in.safetensors", &w->set, NULL, &error);
  w->npz = read_file("in.npz");
  w->safetensors = read_file("in.safetensors");
  w->object = read_file("door.o");
  w->path = "step.mlir";
  w->plugin_path = "./plugin.so";
  w->loader = echo_loader_create_or_null(w->ctx);
  w->filled_loader = echo_loader_create_or_null(w->ctx);
  echo_loader_add_object(w->filled_loader, w->ctx, w->object);
  w->stream = echo_copy_stream_create();
}

static void create(World *w)
{
  w->ctx = echo_context_create();
  w->passes = echo_pass_registry_create();
  echo_register_all(w->ctx, w->passes);
  make_ir(w);
  make_attributes(w);
  make_parts(w);
  make_step(w);
  make_files(w);
  if (echo_context_n_diagnostics(w->ctx) == 0 && w->step != NULL && echo_verify(w->module))
    return;
  give_up(w);
}

/* ---- one call ---- */

enum {
  SURVIVED = 0x40,
  PANICKED = 0x20,
  ANSWERED = 1,
  SPOKE = 2,
  NAMED = 4,
  LEFT_OPS = 8,
  NEUTRAL = 16
};

static size_t n_ops(const EchoBlock *block)
{
  size_t n = 0;
  for (const EchoOp *op = block->first; op != NULL; op = op->next)
    n++;
  return n;
}

/* What was said since: in a context's diagnostics, or appended to the text of an error. */
static const char *last_word(size_t before_here, size_t before_there)
{
  size_t n = echo_context_n_diagnostics(here.ctx), m = echo_context_n_diagnostics(there.ctx);
  if (n > before_here)
    return echo_context_diagnostic(here.ctx, n - 1)->message;
  if (m > before_there)
    return echo_context_diagnostic(there.ctx, m - 1)->message;
  return here.said.size != 0 ? echo_buffer_c_str(&here.said) : NULL;
}

/* "'name'", "'name[0]'", "'name->size'", "'options->name'". */
static bool names(const char *message, const char *parameter)
{
  size_t size = strlen(parameter);
  for (const char *at = message; (at = strstr(at, parameter)) != NULL; at++)
    if (at != message && strchr("'>", at[-1]) != NULL && strchr("'[.-", at[size]) != NULL)
      return true;
  return false;
}

static void die_by_panic(void *user, const char *file, int line, const char *message,
                         const void *subject)
{
  (void)user;
  (void)file;
  (void)line;
  (void)subject;
  if (getenv("DOORS_VERBOSE") != NULL)
    fprintf(stderr, "    panic: %s\n", message);
  _exit(PANICKED);
}

static void run_in_child(const Call *call)
{
  size_t n_here = echo_context_n_diagnostics(here.ctx);
  size_t n_there = echo_context_n_diagnostics(there.ctx), n = n_ops(here.block);
  echo_panic_set_handler(die_by_panic, NULL);
  alarm(20);
  Answer answer = call->run();
  const char *word = last_word(n_here, n_there);
  int status = SURVIVED | (answer == YES ? ANSWERED : 0) | (answer == NEITHER ? NEUTRAL : 0) |
               (word != NULL ? SPOKE : 0) | (n_ops(here.block) != n ? LEFT_OPS : 0);
  if (word != NULL && call->parameter != NULL && names(word, call->parameter))
    status |= NAMED;
  if (word != NULL && getenv("DOORS_VERBOSE") != NULL)
    fprintf(stderr, "    %s: %s\n", call->function, word);
  _exit(status);
}

static int run_apart(const Call *call)
{
  fflush(NULL);
  pid_t child = fork();
  if (child == 0)
    run_in_child(call);
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

/* ---- what is asked of it ---- */

static const char *complaint_or_null(const Call *call, int status)
{
  if (WIFSIGNALED(status))
    return strsignal(WTERMSIG(status));
  int did = WEXITSTATUS(status);
  if (did == PANICKED)
    return call->panics ? NULL : "panics";
  if ((did & SURVIVED) == 0)
    return "exits";
  bool is_yes = (did & ANSWERED) != 0, spoke = (did & SPOKE) != 0;
  if (call->parameter == NULL) /* all is well */
    return spoke                                              ? "refuses what is good"
           : is_yes || (did & NEUTRAL) != 0 || call->is_quiet ? NULL
                                                              : "answers no to what is good";
  if (call->is_taken)
    return spoke ? "refuses a default" : NULL;
  if (is_yes)
    return spoke ? "complains, and answers" : call->is_quiet ? NULL : "takes it";
  if ((did & LEFT_OPS) != 0)
    return "leaves ops behind";
  if (call->is_quiet)
    return NULL;
  if (!spoke)
    return "says nothing";
  return (did & NAMED) != 0 || call->is_free ? NULL : "does not name it";
}

int main(int argc, char **argv)
{
  size_t n_bad = 0, n_run = 0;
  create(&here);
  create(&there);
  for (size_t i = 0; i < N_CALLS; i++) {
    const Call *call = &CALLS[i];
    if (argc > 1 && strcmp(argv[1], call->function) != 0)
      continue;
    const char *complaint = complaint_or_null(call, run_apart(call));
    n_run++;
    if (complaint == NULL)
      continue;
    n_bad++;
    printf("%s(%s), '%s' %s: %s\n", call->function, call->arguments,
           call->parameter != NULL ? call->parameter : "all", call->how, complaint);
  }
  printf("%zu calls, %zu bad\n", n_run, n_bad);
  return n_bad == 0 && n_run != 0 ? 0 : 1;
}
