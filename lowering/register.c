/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which passes this folder has. */
#include "lowering/lowering.h"

void echo_register_lowering_passes(EchoPassRegistry *registry)
{
  echo_pass_registry_add(registry, &ECHO_PASS_SET_STAGE);
  echo_pass_registry_add(registry, &ECHO_PASS_FLATTEN_TUPLES);
  echo_pass_registry_add(registry, &ECHO_PASS_REFINE_SHAPES);
  echo_pass_registry_add(registry, &ECHO_PASS_NN_TO_STABLEHLO);
  echo_pass_registry_add(registry, &ECHO_PASS_CHLO_TO_STABLEHLO);
  echo_pass_registry_add(registry, &ECHO_PASS_SELECT_MASKS);
  echo_pass_registry_add(registry, &ECHO_PASS_WHOLE_WINDOWS);
  echo_pass_registry_add(registry, &ECHO_PASS_WIDEN_ELEMENTS);
  echo_pass_registry_add(registry, &ECHO_PASS_SPLIT_COMPLEX);
  echo_pass_registry_add(registry, &ECHO_PASS_READ_SHARDINGS);
  echo_pass_registry_add(registry, &ECHO_PASS_PARTITION);
  echo_pass_registry_add(registry, &ECHO_PASS_SHARD_STATE);
  echo_pass_registry_add(registry, &ECHO_PASS_LOWER_COLLECTIVES);
  echo_pass_registry_add(registry, &ECHO_PASS_RANDOM_STATE);
  echo_pass_registry_add(registry, &ECHO_PASS_CALL_TARGETS);
  echo_pass_registry_add(registry, &ECHO_PASS_LOWER_CUSTOM_CALLS);
  echo_pass_registry_add(registry, &ECHO_PASS_DIFFERENTIATE);
  echo_pass_registry_add(registry, &ECHO_PASS_EXPAND_BATCH_NORM);
  echo_pass_registry_add(registry, &ECHO_PASS_LOWER_ALGEBRA);
  echo_pass_registry_add(registry, &ECHO_PASS_FORWARD_MOVEMENT);
  echo_pass_registry_add(registry, &ECHO_PASS_SINK_UPDATES);
  echo_pass_registry_add(registry, &ECHO_PASS_FORWARD_SLICES);
  echo_pass_registry_add(registry, &ECHO_PASS_SUM_ROWS);
  echo_pass_registry_add(registry, &ECHO_PASS_SINK_TRANSPOSES);
  echo_pass_registry_add(registry, &ECHO_PASS_SINK_REDUCTIONS);
  echo_pass_registry_add(registry, &ECHO_PASS_JOIN_REDUCTIONS);
  echo_pass_registry_add(registry, &ECHO_PASS_UNROLL_MAPS);
  echo_pass_registry_add(registry, &ECHO_PASS_ROUND_OPERANDS);
  echo_pass_registry_add(registry, &ECHO_PASS_KEEP_ROW_ORDER);
  echo_pass_registry_add(registry, &ECHO_PASS_ROWS_FIRST);
  echo_pass_registry_add(registry, &ECHO_PASS_CHUNK_ROWS);
  echo_pass_registry_add(registry, &ECHO_PASS_WIDEN_SORTS);
  echo_pass_registry_add(registry, &ECHO_PASS_CONTRACT_CONVOLUTIONS);
  echo_pass_registry_add(registry, &ECHO_PASS_REVERSE_WINDOWS);
  echo_pass_registry_add(registry, &ECHO_PASS_SPLIT_PADS);
  echo_pass_registry_add(registry, &ECHO_PASS_SPLIT_REDUCTIONS);
  echo_pass_registry_add(registry, &ECHO_PASS_ISOLATE_REGIONS);
  echo_pass_registry_add(registry, &ECHO_PASS_ROLL_LOOPS);
  echo_pass_registry_add(registry, &ECHO_PASS_MERGE_RECOMPUTED);
  echo_pass_registry_add(registry, &ECHO_PASS_UNROLL_LOOPS);
  echo_pass_registry_add(registry, &ECHO_PASS_REUSE_ARRAYS);
  echo_pass_registry_add(registry, &ECHO_PASS_SCHEDULE);
  echo_pass_registry_add(registry, &ECHO_PASS_FUSE);
  echo_pass_registry_add(registry, &ECHO_PASS_BUFFERIZE);
  echo_pass_registry_add(registry, &ECHO_PASS_SWAP);
  echo_pass_registry_add(registry, &ECHO_PASS_BUCKET_COLLECTIVES);
  echo_pass_registry_add(registry, &ECHO_PASS_OVERLAP_CALLS);
  echo_pass_registry_add(registry, &ECHO_PASS_PLAN_MEMORY);
  echo_pass_registry_add(registry, &ECHO_PASS_VERIFY_PLAN);
  echo_pass_registry_add(registry, &ECHO_PASS_LOWER_KERNELS);
  echo_pass_registry_add(registry, &ECHO_PASS_EXPAND_MATH);
}
