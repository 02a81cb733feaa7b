/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --unroll-maps: a short loop that computes nothing but maps of large values is written out
 * (planning/loops/unroll.h). The rounds of a random generator are such a loop in what JAX exports
 * for a CPU: five kernels that each read and write two words for every element, where one needs to
 * write a bit. It is no offer to --echo but a form of the step: what is random is then a map of its
 * key, which fuses, is made again and runs in chunks like any other. A loop that carries less than
 * a chunk (--chunk-rows) is left: its kernel is compiled once for all iterations. */
#include "lowering/lowering.h"
#include "planning/loops/unroll.h"

static bool run(EchoPassRun *pass)
{
  int64_t max_ops, min_bytes;
  size_t n = 0;
  if (!echo_pass_option_i64(pass, "max-ops", &max_ops) ||
      !echo_pass_option_i64(pass, "min-bytes", &min_bytes))
    return false;
  if (max_ops < 0 || min_bytes < 0)
    return echo_op_error(pass->op, "max-ops and min-bytes are not negative");
  for (EchoOp *op = echo_op_body(pass->op, 0)->first; op != NULL; op = op->next)
    if (echo_op_is(op, "func.func") && op->regions[0].first != NULL)
      n += echo_loop_unroll_maps(op, (uint64_t)min_bytes, (uint64_t)max_ops);
  pass->keeps_all = n == 0;
  echo_pass_count(pass, "loops", n);
  return true;
}

static const EchoPassOption OPTIONS[] = {
    {"max-ops", "ops that all iterations of a loop may have", "512"},
    {"min-bytes", "bytes that a loop carries", "1048576"},
    {NULL, NULL, NULL}};

static const EchoPassStatistic STATISTICS[] = {{"loops", "loops of maps that are written out"},
                                               {NULL, NULL}};

const EchoPass ECHO_PASS_UNROLL_MAPS = {
    .name = "unroll-maps",
    .summary = "write out short loops that compute nothing but maps",
    .anchor = "builtin.module",
    .options = OPTIONS,
    .statistics = STATISTICS,
    .run = run,
};
