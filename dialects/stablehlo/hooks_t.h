/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The hooks that stablehlo rows name: reference evaluation (evaluate/), folding (fold.c), gradients
 * (gradient/), element lowering (emit/) and cost (cost.c). One name an op or family,
 * echo_hlo_<hook>_<op>. Those of unary and binary rows read what the row says of scalars
 * (rows/elementwise_t.h). */
#ifndef ECHO_DIALECTS_STABLEHLO_HOOKS_T_H
#define ECHO_DIALECTS_STABLEHLO_HOOKS_T_H

#include "dialects/interfaces/element.h"
#include "dialects/interfaces/evaluate.h"
#include "dialects/interfaces/gradient.h"
#include "dialects/stablehlo/opcode.h"

#define ECHO_HLO_EVALUATE(name) EchoEvaluateFn echo_hlo_evaluate_##name
ECHO_HLO_EVALUATE(unary);
ECHO_HLO_EVALUATE(binary);
ECHO_HLO_EVALUATE(complex); /* refuses, as its other hooks */
ECHO_HLO_EVALUATE(convert);
ECHO_HLO_EVALUATE(bitcast_convert);
ECHO_HLO_EVALUATE(clamp);
ECHO_HLO_EVALUATE(compare);
ECHO_HLO_EVALUATE(reduce_precision);
ECHO_HLO_EVALUATE(select);
ECHO_HLO_EVALUATE(broadcast);
ECHO_HLO_EVALUATE(broadcast_in_dim);
ECHO_HLO_EVALUATE(concatenate);
ECHO_HLO_EVALUATE(constant);
ECHO_HLO_EVALUATE(dynamic_slice);
ECHO_HLO_EVALUATE(dynamic_update_slice);
ECHO_HLO_EVALUATE(gather);
ECHO_HLO_EVALUATE(get_dimension_size);
ECHO_HLO_EVALUATE(iota);
ECHO_HLO_EVALUATE(pad);
ECHO_HLO_EVALUATE(reshape);
ECHO_HLO_EVALUATE(reverse);
ECHO_HLO_EVALUATE(scatter);
ECHO_HLO_EVALUATE(slice);
ECHO_HLO_EVALUATE(transpose);
ECHO_HLO_EVALUATE(batch_norm_grad);
ECHO_HLO_EVALUATE(batch_norm_inference);
ECHO_HLO_EVALUATE(batch_norm_training);
ECHO_HLO_EVALUATE(cholesky);
ECHO_HLO_EVALUATE(convolution);
ECHO_HLO_EVALUATE(dot);
ECHO_HLO_EVALUATE(dot_general);
ECHO_HLO_EVALUATE(map);
ECHO_HLO_EVALUATE(reduce);
ECHO_HLO_EVALUATE(reduce_window);
ECHO_HLO_EVALUATE(rng_bit_generator);
ECHO_HLO_EVALUATE(select_and_scatter);
ECHO_HLO_EVALUATE(sort);
ECHO_HLO_EVALUATE(triangular_solve);
ECHO_HLO_EVALUATE(case);
ECHO_HLO_EVALUATE(composite);
ECHO_HLO_EVALUATE(custom_call);
ECHO_HLO_EVALUATE(if);
ECHO_HLO_EVALUATE(optimization_barrier);
ECHO_HLO_EVALUATE(while);
#undef ECHO_HLO_EVALUATE

#define ECHO_HLO_FOLD(name) EchoFoldFn echo_hlo_fold_##name
ECHO_HLO_FOLD(constants); /* an ECHO_EXACT op of constants */
/* The others also know identities: */
ECHO_HLO_FOLD(binary);    /* with the row's neutral element */
ECHO_HLO_FOLD(same_type); /* to the type that the operand has */
ECHO_HLO_FOLD(select);
ECHO_HLO_FOLD(broadcast);
ECHO_HLO_FOLD(broadcast_in_dim);
ECHO_HLO_FOLD(concatenate);
ECHO_HLO_FOLD(pad);
ECHO_HLO_FOLD(reshape);
ECHO_HLO_FOLD(reverse);
ECHO_HLO_FOLD(slice); /* dynamic_slice too */
ECHO_HLO_FOLD(transpose);
#undef ECHO_HLO_FOLD

#define ECHO_HLO_DIFFERENTIATE(name) EchoDifferentiateFn echo_hlo_differentiate_##name
ECHO_HLO_DIFFERENTIATE(unary);
ECHO_HLO_DIFFERENTIATE(binary);
ECHO_HLO_DIFFERENTIATE(complex);
ECHO_HLO_DIFFERENTIATE(convert);
ECHO_HLO_DIFFERENTIATE(clamp);
ECHO_HLO_DIFFERENTIATE(reduce_precision);
ECHO_HLO_DIFFERENTIATE(select);
ECHO_HLO_DIFFERENTIATE(broadcast);
ECHO_HLO_DIFFERENTIATE(broadcast_in_dim);
ECHO_HLO_DIFFERENTIATE(concatenate);
ECHO_HLO_DIFFERENTIATE(dynamic_slice);
ECHO_HLO_DIFFERENTIATE(dynamic_update_slice);
ECHO_HLO_DIFFERENTIATE(gather);
ECHO_HLO_DIFFERENTIATE(pad);
ECHO_HLO_DIFFERENTIATE(reshape);
ECHO_HLO_DIFFERENTIATE(reverse);
ECHO_HLO_DIFFERENTIATE(scatter);
ECHO_HLO_DIFFERENTIATE(slice);
ECHO_HLO_DIFFERENTIATE(transpose);
ECHO_HLO_DIFFERENTIATE(batch_norm_grad);
ECHO_HLO_DIFFERENTIATE(batch_norm_inference);
ECHO_HLO_DIFFERENTIATE(batch_norm_training);
ECHO_HLO_DIFFERENTIATE(cholesky);
ECHO_HLO_DIFFERENTIATE(convolution);
ECHO_HLO_DIFFERENTIATE(dot);
ECHO_HLO_DIFFERENTIATE(dot_general);
ECHO_HLO_DIFFERENTIATE(map);
ECHO_HLO_DIFFERENTIATE(reduce);
ECHO_HLO_DIFFERENTIATE(reduce_window);
ECHO_HLO_DIFFERENTIATE(select_and_scatter);
ECHO_HLO_DIFFERENTIATE(sort);
ECHO_HLO_DIFFERENTIATE(triangular_solve);
ECHO_HLO_DIFFERENTIATE(case);
ECHO_HLO_DIFFERENTIATE(if);
ECHO_HLO_DIFFERENTIATE(optimization_barrier);
ECHO_HLO_DIFFERENTIATE(while);
/* No gradient flows: compare, iota, is_finite, floor, rng_bit_generator … */
ECHO_HLO_DIFFERENTIATE(zero);
#undef ECHO_HLO_DIFFERENTIATE

#define ECHO_HLO_EMIT(name) EchoEmitElementFn echo_hlo_emit_##name
ECHO_HLO_EMIT(unary);
ECHO_HLO_EMIT(binary);
ECHO_HLO_EMIT(complex);
ECHO_HLO_EMIT(convert);
ECHO_HLO_EMIT(bitcast_convert);
ECHO_HLO_EMIT(clamp);
ECHO_HLO_EMIT(compare);
ECHO_HLO_EMIT(reduce_precision);
ECHO_HLO_EMIT(select);
ECHO_HLO_EMIT(broadcast);
ECHO_HLO_EMIT(broadcast_in_dim);
ECHO_HLO_EMIT(concatenate);
ECHO_HLO_EMIT(constant);
ECHO_HLO_EMIT(dynamic_slice);
ECHO_HLO_EMIT(dynamic_update_slice);
ECHO_HLO_EMIT(gather);
ECHO_HLO_EMIT(get_dimension_size);
ECHO_HLO_EMIT(iota);
ECHO_HLO_EMIT(pad);
ECHO_HLO_EMIT(reshape);
ECHO_HLO_EMIT(reverse);
ECHO_HLO_EMIT(slice);
ECHO_HLO_EMIT(transpose);
ECHO_HLO_EMIT(optimization_barrier);
#undef ECHO_HLO_EMIT

#define ECHO_HLO_COST(name) EchoCostFn echo_hlo_cost_##name
ECHO_HLO_COST(flops);           /* one an element */
ECHO_HLO_COST(transcendentals); /* one an element */
ECHO_HLO_COST(division);
ECHO_HLO_COST(root);
ECHO_HLO_COST(inverse_root);
ECHO_HLO_COST(extremum); /* maximum, minimum */
ECHO_HLO_COST(angle);    /* sine, cube root … */
ECHO_HLO_COST(remainder);
ECHO_HLO_COST(power);
ECHO_HLO_COST(movement); /* bytes only */
ECHO_HLO_COST(slice);    /* bytes of what it keeps */
ECHO_HLO_COST(free);     /* reshape, barrier, tuple: nothing at all */
ECHO_HLO_COST(algebra);  /* n^3 for n x n */
ECHO_HLO_COST(convolution);
ECHO_HLO_COST(dot_general);
ECHO_HLO_COST(gather);
ECHO_HLO_COST(scatter);
ECHO_HLO_COST(reduce);
ECHO_HLO_COST(reduce_window);
ECHO_HLO_COST(select_and_scatter);
ECHO_HLO_COST(sort);
ECHO_HLO_COST(batch_norm);
ECHO_HLO_COST(rng_bit_generator);
ECHO_HLO_COST(
    control_flow); /* case, if: the costliest branch; while: trip count times body where known */
#undef ECHO_HLO_COST

/* What stablehlo adds to canonicalize (canonicalize.c); once a context. */
void echo_hlo_add_canonicalizations(EchoContext *ctx);

#endif
