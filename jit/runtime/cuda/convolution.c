/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/cuda/convolution_t.h"

#include "jit/runtime/cuda/code_t.h"

enum {
  N_CANDIDATES = 4, /* plans that are timed of each reading: */
  N_LISTED = 32,    /* the first of so many that fit the workspace, in the library's order */
  N_FIRST_WORDS = 2 /* of a choice: the reading, the engine's number; then its knobs */
};

typedef struct EchoCudaConvolution {
  EchoCudaLibraryCall call; /* first */
  EchoConvolution shape;
  EchoCudnnPlan plan;
  cudnnStatus_t *tried; /* where a failure is put while it is one of many ways; else NULL */
} EchoCudaConvolution;

static void destroy(EchoCuda *cuda, EchoCudaLibraryCall *call)
{
  EchoCudaConvolution *convolution = (EchoCudaConvolution *)call;
  (void)cuda;
  echo_cudnn_plan_destroy(&convolution->plan);
  echo_free(convolution);
}

static bool convolve(EchoContext *ctx, EchoCuda *cuda, const EchoCudaLibraryCall *call,
                     const CUdeviceptr *operands, CUdeviceptr workspace)
{
  const EchoCudaConvolution *convolution = (const EchoCudaConvolution *)call;
  void *addresses[ECHO_CUDNN_TENSORS];
  for (size_t i = 0; i < ECHO_CUDNN_TENSORS; i++)
    addresses[i] = (void *)(uintptr_t)operands[i];
  cudnnStatus_t status =
      echo_cudnn_execute(&convolution->plan, addresses, (void *)(uintptr_t)workspace);
  if (status == CUDNN_STATUS_SUCCESS)
    return true;
  if (convolution->tried == NULL)
    return echo_error(ctx, echo_loc_unknown(), "cudnnBackendExecute: %s",
                      echo_cudnn_of(cuda)->status_name(status));
  *convolution->tried = status;
  return false;
}

static const EchoCudaLibraryMethods METHODS = {.enqueue = convolve, .destroy = destroy};

/* ---- what is asked for ---- */

/* The same sums as ours but for their order, the same in each run: nothing that is added up as it
 * comes, in less than the type of the sums, of rounded operands or of what is made of several of
 * them. Tensor cores round f32 to tf32. */
static unsigned allowed_notes(const EchoConvolution *c)
{
  unsigned allowed = 1u << CUDNN_NUMERICAL_NOTE_STRICT_NAN_PROP;
  if (echo_type_element_kind(c->factor) != ECHO_ELEMENT_F32 || c->allows_tf32)
    allowed |= 1u << CUDNN_NUMERICAL_NOTE_TENSOR_CORE;
  return allowed;
}

static uint64_t operand_bytes(const EchoType *type, const int64_t *sizes, size_t rank)
{
  uint64_t bytes = echo_type_element_bytes(type);
  for (size_t i = 0; i < rank; i++)
    bytes *= (uint64_t)sizes[i];
  return bytes;
}

static void describe_operands(const EchoConvolution *c, EchoCudaLibraryOperand *operands)
{
  int64_t sizes[ECHO_CONVOLUTION_RANK];
  size_t rank = 3 + c->n_spatial;
  echo_kernel_convolution_input_sizes(c, sizes);
  operands[0] = (EchoCudaLibraryOperand){c->input.argument, c->input.alignment,
                                         operand_bytes(c->factor, sizes, rank)};
  echo_kernel_convolution_window_sizes(c, sizes);
  operands[1] = (EchoCudaLibraryOperand){c->window.argument, c->window.alignment,
                                         operand_bytes(c->factor, sizes, rank)};
  echo_kernel_convolution_result_sizes(c, sizes);
  operands[2] = (EchoCudaLibraryOperand){c->out.argument, c->out.alignment,
                                         operand_bytes(c->result, sizes, rank)};
}

static void append_strides(const EchoConvolutionOperand *operand, size_t rank, EchoBuffer *key)
{
  echo_buffer_append_char(key, ',');
  for (size_t i = 0; i < rank; i++)
    echo_buffer_printf(key, " %lld", (long long)operand->strides[i]);
}

/* All that the time of either may depend on. */
static void print_key(EchoContext *ctx, EchoCuda *cuda, const EchoConvolution *c, EchoBuffer *key)
{
  echo_buffer_printf(key, "%s, %s, ", cuda->name, cuda->target);
  echo_cudnn_describe(echo_cudnn_of(cuda), key);
  echo_buffer_printf(key, ": %lld x %lld x %lld to %lld of %s to %s%s%s", (long long)c->n_groups,
                     (long long)c->batch, (long long)c->input_features, (long long)c->features,
                     echo_type_text(ctx, c->factor), echo_type_text(ctx, c->result),
                     c->is_reversed ? ", reversed" : "", c->allows_tf32 ? ", tf32" : "");
  for (size_t i = 0; i < c->n_spatial; i++) {
    const EchoConvolutionDim *d = &c->dims[i];
    echo_buffer_printf(key, ", %lld / %lld by %lld / %lld to %lld from %lld by %lld",
                       (long long)d->input, (long long)d->base_dilation, (long long)d->window,
                       (long long)d->window_dilation, (long long)d->result, (long long)-d->padding,
                       (long long)d->stride);
  }
  append_strides(&c->input, 3 + c->n_spatial, key);
  append_strides(&c->window, 3 + c->n_spatial, key);
  append_strides(&c->out, 3 + c->n_spatial, key);
}

/* ---- choices ---- */

static EchoLibraryChoice choice_of(EchoConvolutionReading reading, const EchoCudnnEngine *engine,
                                   uint64_t workspace_bytes)
{
  EchoLibraryChoice choice = {.is_library = true,
                              .workspace_bytes = workspace_bytes,
                              .n_words = N_FIRST_WORDS + 2 * engine->n_knobs,
                              .words = {(uint64_t)reading, (uint64_t)engine->index}};
  for (size_t i = 0; i < engine->n_knobs; i++)
    for (size_t k = 0; k < 2; k++)
      choice.words[N_FIRST_WORDS + 2 * i + k] = (uint64_t)engine->knobs[i][k];
  return choice;
}
_Static_assert(N_FIRST_WORDS + 2 * ECHO_CUDNN_KNOBS <= ECHO_CHOICE_WORDS, "each knob has words");

/* False where the words are none that choice_of makes. */
static bool parse_choice(const EchoLibraryChoice *choice, EchoConvolutionReading *reading,
                         EchoCudnnEngine *engine)
{
  const uint64_t *words = choice->words;
  if (choice->n_words < N_FIRST_WORDS || (choice->n_words - N_FIRST_WORDS) % 2 != 0 ||
      words[0] >= ECHO_N_CONVOLUTION_READINGS)
    return false;
  *reading = (EchoConvolutionReading)words[0];
  *engine = (EchoCudnnEngine){.index = (int64_t)words[1],
                              .n_knobs = (choice->n_words - N_FIRST_WORDS) / 2};
  if (engine->n_knobs > ECHO_CUDNN_KNOBS)
    return false;
  for (size_t i = 0; i < engine->n_knobs; i++)
    for (size_t k = 0; k < 2; k++)
      engine->knobs[i][k] = (int64_t)words[N_FIRST_WORDS + 2 * i + k];
  return true;
}

static void say_failure(const EchoCudnn *dnn, const char *call, cudnnStatus_t status,
                        EchoBuffer *none)
{
  echo_buffer_clear(none);
  echo_buffer_printf(none, "%s: %s", call, dnn->status_name(status));
}

static void say_status(const EchoCudnnPlan *plan, EchoBuffer *none)
{
  if (plan->status != CUDNN_STATUS_SUCCESS)
    say_failure(plan->dnn, plan->call, plan->status, none);
}

/* The plan of an engine, within the workspace that there is; false: it has none, *none says why. */
static bool make_plan(EchoCuda *cuda, EchoCudaConvolution *convolution,
                      const EchoCudnnConvolution *read, const EchoCudnnEngine *engine,
                      EchoBuffer *none)
{
  EchoCudnnPlan *plan = &convolution->plan;
  echo_cudnn_plan_destroy(plan);
  if (!echo_cudnn_plan(plan, echo_cudnn_of(cuda), read, engine)) {
    say_status(plan, none);
    return false;
  }
  if (plan->workspace_bytes > echo_cuda_most_workspace(cuda)) {
    echo_buffer_clear(none);
    echo_buffer_printf(none, "a workspace of %llu bytes is more than %llu",
                       (unsigned long long)plan->workspace_bytes,
                       (unsigned long long)echo_cuda_most_workspace(cuda));
    return false;
  }
  convolution->call.workspace_bytes = plan->workspace_bytes;
  return true;
}

/* As it was chosen; false where that is no plan now. */
static bool take_choice(EchoCuda *cuda, EchoCudaConvolution *convolution,
                        const EchoLibraryChoice *choice, EchoBuffer *none)
{
  EchoConvolutionReading reading;
  EchoCudnnConvolution read;
  EchoCudnnEngine engine;
  return parse_choice(choice, &reading, &engine) &&
         echo_convolution_read(&convolution->shape, reading, &read) &&
         make_plan(cuda, convolution, &read, &engine, none);
}

/* ---- who is faster ---- */

/* The ways to do it as one of the library's operations. */
typedef struct Ways {
  EchoCudnnConvolution read;
  size_t n;
  EchoCudnnEngine engines[N_LISTED];
} Ways;

/* Answers how many there are of all readings. */
static size_t list_ways(EchoCuda *cuda, const EchoConvolution *shape, Ways *ways, EchoBuffer *none)
{
  size_t n = 0;
  for (int i = 0; i < ECHO_N_CONVOLUTION_READINGS; i++) {
    EchoCudnnPlan plan = {0};
    ways[i].n = 0;
    if (!echo_convolution_read(shape, (EchoConvolutionReading)i, &ways[i].read))
      continue;
    ways[i].n = echo_cudnn_list(&plan, echo_cudnn_of(cuda), &ways[i].read, allowed_notes(shape),
                                ways[i].engines, N_LISTED);
    if (ways[i].n == 0)
      say_status(&plan, none);
    echo_cudnn_plan_destroy(&plan);
    n += ways[i].n;
  }
  return n;
}

/* Those of one reading that have a plan; *least and *choice become those of what is faster. Answers
 * how many there were; negative after diagnostics. */
static int time_ways(const EchoCudaTrial *trial, EchoCudaConvolution *convolution,
                     EchoConvolutionReading reading, const Ways *ways, float *least,
                     EchoLibraryChoice *choice, EchoBuffer *none)
{
  int n_timed = 0;
  float once = 0;
  for (size_t i = 0; i < ways->n && n_timed < N_CANDIDATES; i++) {
    if (!make_plan(trial->cuda, convolution, &ways->read, &ways->engines[i], none))
      continue;
    cudnnStatus_t status = CUDNN_STATUS_SUCCESS;
    convolution->tried = &status;
    bool ok = echo_cuda_trial_time(trial, &convolution->call, &once);
    convolution->tried = NULL;
    if (status != CUDNN_STATUS_SUCCESS) {
      say_failure(convolution->plan.dnn, "cudnnBackendExecute", status, none);
      continue;
    }
    if (!ok)
      return -1;
    n_timed++;
    if (once >= *least)
      continue;
    *least = once;
    *choice = choice_of(reading, &ways->engines[i], convolution->call.workspace_bytes);
  }
  return n_timed;
}

/* Ours where nothing of the library's is faster. */
static bool time_all(const EchoCudaTrial *trial, EchoCudaConvolution *convolution, const Ways *ways,
                     EchoLibraryChoice *choice, EchoBuffer *none)
{
  float least = 0;
  int n_timed = 0;
  if (!echo_cuda_trial_time(trial, NULL, &least))
    return false;
  for (int i = 0; i < ECHO_N_CONVOLUTION_READINGS; i++) {
    int n =
        time_ways(trial, convolution, (EchoConvolutionReading)i, &ways[i], &least, choice, none);
    if (n < 0)
      return false;
    n_timed += n;
  }
  if (n_timed != 0) /* it has a way: why it has no other is nobody's business */
    echo_buffer_clear(none);
  return true;
}

static bool measure(EchoContext *ctx, EchoCuda *cuda, EchoCudaConvolution *convolution,
                    const EchoCudaKernel *own, EchoLibraryChoice *choice, EchoBuffer *none)
{
  Ways ways[ECHO_N_CONVOLUTION_READINGS];
  EchoCudaTrial trial;
  *choice = (EchoLibraryChoice){0};
  if (list_ways(cuda, &convolution->shape, ways, none) == 0)
    return true;
  bool ok = echo_cuda_trial_begin(&trial, ctx, cuda, own, &convolution->call) &&
            time_all(&trial, convolution, ways, choice, none);
  echo_cuda_trial_end(&trial);
  return ok;
}

/* True: *convolution has the plan that was chosen, or choice->is_library is false. */
static bool decide(EchoContext *ctx, EchoCuda *cuda, EchoCudaConvolution *convolution,
                   const EchoCudaKernel *own, const char *cache_dir, EchoLibraryChoice *choice,
                   EchoBuffer *none)
{
  EchoCudnn *dnn = echo_cudnn_of(cuda);
  EchoBuffer key = {0};
  bool ok = true;
  print_key(ctx, cuda, &convolution->shape, &key);
  bool is_known = echo_library_choice(&dnn->choices, cache_dir, echo_buffer_str(&key), choice);
  if (!is_known) {
    ok = measure(ctx, cuda, convolution, own, choice, none);
    if (ok)
      echo_library_choose(&dnn->choices, cache_dir, echo_buffer_str(&key), choice);
  }
  if (ok && choice->is_library && !take_choice(cuda, convolution, choice, none))
    choice->is_library = false;
  echo_buffer_destroy(&key);
  return ok;
}

bool echo_cuda_convolution_create(EchoContext *ctx, EchoCuda *cuda, const EchoConvolution *shape,
                                  const EchoCudaKernel *own, const char *cache_dir,
                                  EchoCudaLibraryCall **call, EchoBuffer *none)
{
  EchoLibraryChoice choice = {0};
  EchoBuffer why = {0};
  EchoCudaConvolution *made = echo_alloc_zero(1, sizeof *made);
  made->call.methods = &METHODS;
  made->shape = *shape;
  describe_operands(shape, made->call.operands);
  *call = NULL;
  bool ok = decide(ctx, cuda, made, own, cache_dir, &choice, &why);
  if (ok && choice.is_library)
    *call = &made->call;
  else
    destroy(cuda, &made->call);
  if (*call == NULL && why.size != 0 && none->size == 0)
    echo_buffer_append_str(none, echo_buffer_str(&why));
  echo_buffer_destroy(&why);
  return ok;
}
