/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lowering/model/lapack_calls_t.h"

#include <stdio.h>
#include <string.h>

#include "lowering/calls/custom_calls_t.h"
#include "lowering/model/chlo_to_stablehlo_t.h"

enum { MAX_OPERANDS = 4, MAX_ATTRIBUTES = 4 };

char echo_lapack_letter(const EchoType *type)
{
  if (!echo_type_is_tensor(type))
    return 0;
  const EchoType *element = echo_type_element(type);
  const bool is_complex = element->kind == ECHO_TYPE_COMPLEX;
  switch (echo_type_element_kind(is_complex ? echo_type_element(element) : type)) {
  case ECHO_ELEMENT_F32:
    return is_complex ? 'c' : 's';
  case ECHO_ELEMENT_F64:
    return is_complex ? 'z' : 'd';
  default:
    return 0;
  }
}

/* ---- attributes ---- */

/* The attribute of a word behind its '='; NULL where a key has no number, or counts too far. */
static const EchoAttr *attribute_or_null(EchoContext *ctx, const EchoOp *call, const char *word,
                                         EchoLapackReadFn *read)
{
  int64_t sum = 0, place = 1;
  const EchoType *type = NULL;
  for (size_t size; (size = strcspn(word, "+: ")) != 0; place *= 2) {
    int64_t number;
    if (!read(call, (EchoStr){word, size}, &number, &type))
      return NULL;
    sum += place * number;
    word += size;
    word += *word == '+';
  }
  if (*word != ':')
    return echo_attr_integer(ctx, type, sum);
  size_t n = strcspn(word + 1, " ");
  return sum >= 0 && sum < (int64_t)n
             ? echo_attr_integer(ctx, echo_type_integer(ctx, 8, ECHO_UNSIGNED), word[1 + sum])
             : NULL;
}

static const EchoAttr *dictionary_or_null(EchoContext *ctx, const EchoOp *call, const char *word,
                                          EchoLapackReadFn *read)
{
  EchoNamedAttr entries[MAX_ATTRIBUTES];
  size_t n = 0;
  for (; *word != '\0'; n++) {
    size_t size = strcspn(word, "=");
    entries[n] = (EchoNamedAttr){{word, size}, attribute_or_null(ctx, call, word + size + 1, read)};
    if (entries[n].value == NULL)
      return NULL;
    word += strcspn(word, " ");
    word += *word == ' ';
  }
  return echo_attr_dictionary(ctx, entries, n);
}

/* ---- layouts ---- */

/* Dimensions, the one whose neighbours are next to each other first: rows and columns, columns and
 * rows where matrices are transposed, the batch from its last. */
static const EchoAttr *layout(EchoContext *ctx, const EchoType *type, size_t n_batch,
                              bool is_transposed)
{
  int64_t order[ECHO_MAX_RANK], rank = (int64_t)echo_type_rank(type);
  for (int64_t i = 0; i < rank; i++)
    order[i] = rank - 1 - i;
  if ((size_t)rank == n_batch + 2 && !is_transposed) {
    order[0] = (int64_t)n_batch;
    order[1] = (int64_t)n_batch + 1;
  }
  return echo_attr_elements(ctx, echo_type_tensor(ctx, &rank, 1, echo_type_index(ctx), NULL), order,
                            (size_t)rank * sizeof *order, false);
}

/* Whether value i lies so, where the call says how. */
static bool lies_so(const EchoOp *call, const char *name, size_t i, const EchoAttr *layout)
{
  const EchoAttr *list = echo_op_attr_or_null(call, name);
  return list == NULL || list->kind != ECHO_ATTR_ARRAY || i >= list->as.array.size ||
         list->as.array.elements[i] == layout;
}

/* ---- the call ---- */

typedef struct Call {
  const EchoType *types[ECHO_LAPACK_MAX_RESULTS];
  const EchoAttr *of_operands[MAX_OPERANDS], *of_results[ECHO_LAPACK_MAX_RESULTS];
  size_t n_batch, n_results;
} Call;

static const EchoType *turned(EchoContext *ctx, const EchoType *type)
{
  int64_t dims[ECHO_MAX_RANK];
  size_t rank = echo_type_rank(type);
  memcpy(dims, type->as.shaped.dims, rank * sizeof *dims);
  dims[rank - 2] = echo_type_dim(type, rank - 1);
  dims[rank - 1] = echo_type_dim(type, rank - 2);
  return echo_hlo_tensor(ctx, dims, rank, echo_type_element(type));
}

/* As many singular vectors as values, in rows of `type`'s length ('v') or columns ('u'). */
static const EchoType *vectors(EchoContext *ctx, const EchoType *type, char what)
{
  int64_t dims[ECHO_MAX_RANK];
  size_t rank = echo_type_rank(type);
  memcpy(dims, type->as.shaped.dims, rank * sizeof *dims);
  int64_t m = dims[rank - 2], n = dims[rank - 1];
  dims[what == 'u' ? rank - 1 : rank - 2] = m < n ? m : n;
  return echo_hlo_tensor(ctx, dims, rank, echo_type_element(type));
}

static const EchoType *result_type(EchoContext *ctx, const EchoOp *op, EchoValue *const *operands,
                                   size_t n_batch, char what)
{
  if (what >= '0' && what <= '9')
    return echo_op_result_type(op, (uint32_t)(what - '0'));
  if (what >= 'A' && what <= 'J')
    return turned(ctx, echo_op_result_type(op, (uint32_t)(what - 'A')));
  const EchoType *first = operands[0]->type;
  if (what == 'u' || what == 'v')
    return vectors(ctx, first, what);
  return what == 'i' ? echo_hlo_tensor(ctx, first->as.shaped.dims, n_batch,
                                       echo_type_integer(ctx, 32, ECHO_SIGNLESS))
                     : operands[what - 'a']->type;
}

/* False where values lie otherwise. */
static bool describe(EchoContext *ctx, const EchoOp *op, const EchoLapackForm *form,
                     EchoValue *const *operands, size_t n_operands, Call *call)
{
  bool ok = true;
  call->n_results = strlen(form->results);
  for (size_t i = 0; i < n_operands; i++) {
    const EchoType *type = operands[i]->type;
    call->of_operands[i] = layout(ctx, type, call->n_batch, false);
    const EchoAttr *told = layout(ctx, type, call->n_batch, form->is_transposed);
    for (uint32_t k = 0; k < op->n_operands; k++)
      if (echo_op_operand(op, k) == operands[i])
        ok &= lies_so(op, "operand_layouts", k, told);
  }
  for (size_t i = 0; i < call->n_results; i++) {
    char what = form->results[i];
    if (what >= 'A' && what <= 'J' &&
        echo_type_rank(echo_op_result_type(op, (uint32_t)(what - 'A'))) < 2)
      return false;
    call->types[i] = result_type(ctx, op, operands, call->n_batch, what);
    call->of_results[i] = layout(ctx, call->types[i], call->n_batch, false);
    const EchoAttr *told = layout(ctx, call->types[i], call->n_batch, form->is_transposed);
    if (what >= '0' && what <= '9')
      ok &= lies_so(op, "result_layouts", (size_t)(what - '0'), told);
  }
  return ok;
}

bool echo_lapack_call(EchoBuilder *builder, const EchoOp *op, const EchoLapackForm *form,
                      EchoValue *const *operands, size_t n_operands, size_t rank,
                      EchoLapackReadFn *read, EchoValue **results)
{
  EchoContext *ctx = builder->ctx;
  char letter = echo_lapack_letter(operands[0]->type);
  if (letter == 0 || !echo_type_has_static_shape(operands[0]->type) ||
      echo_type_rank(operands[0]->type) < rank)
    return false;
  Call call = {.n_batch = echo_type_rank(operands[0]->type) - rank};
  const EchoAttr *config = dictionary_or_null(ctx, op, form->attributes, read);
  if (config == NULL || !describe(ctx, op, form, operands, n_operands, &call))
    return false;
  char target[32];
  snprintf(target, sizeof target, "lapack_%c%s_ffi", letter, form->routine);
  EchoOp *made =
      echo_hlo_custom_call(builder, target, operands, n_operands, call.types, call.n_results);
  if (made == NULL)
    return false;
  echo_op_set_attr(made, "mhlo.backend_config", config);
  echo_op_set_attr(made, "operand_layouts", echo_attr_array(ctx, call.of_operands, n_operands));
  echo_op_set_attr(made, "result_layouts", echo_attr_array(ctx, call.of_results, call.n_results));
  for (size_t i = 0; i < call.n_results; i++)
    results[i] = echo_op_result(made, (uint32_t)i);
  return true;
}

/* The matrices transposed, and conjugated. */
static EchoValue *adjoint(EchoBuilder *b, EchoValue *x)
{
  int64_t order[ECHO_MAX_RANK];
  size_t rank = echo_type_rank(x->type);
  for (size_t i = 0; i < rank; i++)
    order[i] = (int64_t)i;
  order[rank - 2] = (int64_t)rank - 1;
  order[rank - 1] = (int64_t)rank - 2;
  x = echo_hlo_transpose(b, x, order);
  return echo_type_element(x->type)->kind == ECHO_TYPE_COMPLEX
             ? echo_hlo_complex(b, echo_hlo_real(b, x), echo_hlo_negate(b, echo_hlo_imag(b, x)))
             : x;
}

void echo_lapack_results(EchoBuilder *builder, const EchoOp *call, const EchoLapackForm *form,
                         EchoValue *const *made, EchoValue **results)
{
  for (uint32_t i = 0; i < call->n_results; i++) {
    const char *at = strchr(form->results, (char)('0' + i));
    const char *turned_at = strchr(form->results, (char)('A' + i));
    results[i] = at != NULL          ? made[at - form->results]
                 : turned_at != NULL ? adjoint(builder, made[turned_at - form->results])
                                     : echo_chlo_zeros(builder, echo_op_result_type(call, i));
  }
}

/* ---- any call ---- */

static bool has_static_tensors(const EchoOp *call)
{
  bool ok = call->n_results <= ECHO_LAPACK_MAX_RESULTS;
  for (uint32_t i = 0; i < call->n_operands; i++)
    ok = ok && echo_type_is_tensor(echo_op_operand_type(call, i)) &&
         echo_type_has_static_shape(echo_op_operand_type(call, i));
  for (uint32_t i = 0; i < call->n_results; i++)
    ok = ok && echo_type_is_tensor(echo_op_result_type(call, i)) &&
         echo_type_has_static_shape(echo_op_result_type(call, i));
  return ok;
}

bool echo_replace_call(EchoRewriter *rewriter, EchoOp *call, EchoCallLowerFn *lower)
{
  EchoValue *results[ECHO_LAPACK_MAX_RESULTS];
  if (echo_is_call_target(call) || !has_static_tensors(call))
    return false;
  const EchoAttr *of_call = rewriter->builder.attrs; /* what the call is told is not the ops' */
  rewriter->builder.attrs = NULL;
  bool is_lowered = lower(&rewriter->builder, call, results);
  rewriter->builder.attrs = of_call;
  if (is_lowered)
    echo_rewriter_replace(rewriter, call, results);
  return is_lowered;
}
