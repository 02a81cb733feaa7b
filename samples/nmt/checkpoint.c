/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/nmt/checkpoint.h"

#include "dialects/stablehlo/build.h"
#include "jit/data/safetensors.h"
#include "samples/common/ranks.h"
#include "samples/common/session.h"

/* Name and type of buffer i of the state. */
static const EchoType *describe(EchoContext *ctx, const NmtModel *model, size_t i, EchoBuffer *name)
{
  static const char *const suffixes[] = {"", ".first", ".second"};
  size_t n = model->parameters.size;
  echo_buffer_clear(name);
  if (i == 3 * n) {
    echo_buffer_append_c(name, "step");
    return echo_hlo_scalar_type(ctx, echo_type_i32(ctx));
  }
  const SampleParameter *parameter = &model->parameters.data[i % n];
  echo_buffer_printf(name, "%s%s", parameter->name, suffixes[i / n]);
  const EchoType *type = parameter->type; /* perhaps of another context */
  return echo_hlo_tensor(ctx, type->as.shaped.dims, type->as.shaped.rank, echo_type_f32(ctx));
}

bool nmt_checkpoint_save(const char *path, EchoContext *ctx, const NmtModel *model,
                         const NmtState *state, EchoBuffer *error)
{
  EchoTensorSet set = {0};
  EchoBuffer name = {0};
  bool ok = true;
  for (size_t i = 0; i < state->n_buffers && ok; i++) {
    EchoTensor *tensor = echo_tensor_create(describe(ctx, model, i, &name), false);
    ok = sample_ranks_read(ctx, model->module, i, tensor->type, state->buffers[i], tensor->data,
                           error);
    bool is_new = echo_tensor_set_add(&set, echo_buffer_str(&name), tensor);
    ECHO_CHECK(is_new, "two parameters are named '%s'", echo_buffer_c_str(&name));
  }
  if (sample_ranks_is_first())
    ok = ok && echo_safetensors_write(path, &set, NULL, error);
  echo_buffer_destroy(&name);
  echo_tensor_set_destroy(&set);
  return ok;
}

static bool check(const EchoTensorSet *set, EchoContext *ctx, const NmtModel *model, size_t n,
                  const char *path, EchoBuffer *error)
{
  EchoBuffer name = {0};
  bool ok = set->list.size == n;
  if (!ok)
    echo_buffer_printf(error, "'%s' holds %zu tensors, the model has %zu", path, set->list.size, n);
  for (size_t i = 0; i < n && ok; i++) {
    const EchoType *type = describe(ctx, model, i, &name);
    const EchoTensor *tensor = echo_tensor_set_get_or_null(set, echo_buffer_str(&name));
    ok = tensor != NULL && tensor->type == type;
    if (!ok)
      echo_buffer_printf(error, "'%s': %s '%s', expected %s", path,
                         tensor == NULL ? "has no tensor" : "wrong type of",
                         echo_buffer_c_str(&name), echo_type_text(ctx, type));
  }
  echo_buffer_destroy(&name);
  return ok;
}

bool nmt_checkpoint_load(const char *path, EchoContext *ctx, const NmtModel *model, NmtState *state,
                         EchoBuffer *error)
{
  EchoTensorSet set = {0};
  EchoBuffer name = {0};
  bool ok = echo_safetensors_read(ctx, path, &set, NULL, error) &&
            check(&set, ctx, model, state->n_buffers, path, error);
  for (size_t i = 0; i < state->n_buffers && ok; i++) {
    describe(ctx, model, i, &name);
    const EchoTensor *tensor = echo_tensor_set_get_or_null(&set, echo_buffer_str(&name));
    sample_buffer_write(state->buffers[i], tensor->data);
  }
  echo_buffer_destroy(&name);
  echo_tensor_set_destroy(&set);
  return ok;
}
