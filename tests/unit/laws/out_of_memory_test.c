/* Law 6, where memory ends: whichever allocation fails, the hook is called once and nothing is
 * touched after it. Each attempt runs in a process of its own, which the default hook ends with
 * status 1. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "dialects/dialects.h"
#include "ir/diagnostics.h"
#include "ir/text.h"
#include "ir/verifier.h"
#include "tests/unit/suite.h"

static const char MODULE[] =
    "#map = affine_map<(d0) -> (d0 + 1)>\n"
    "func.func @f(%a: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {\n"
    "  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>\n"
    "  %1 = stablehlo.add %a, %0 : tensor<4x8xf32> loc(\"f.c\":1:2)\n"
    "  %2 = \"other.op\"(%1) {map = #map, list = [1 : i32, \"text\", dense<[1.0, 2.0]> : "
    "tensor<2xf32>]} : (tensor<4x8xf32>) -> tensor<4x8xf32>\n"
    "  return %2 : tensor<4x8xf32>\n"
    "}\n";

/* Parses, verifies, complains and prints. True when all went well. */
static bool work(void)
{
  EchoContext *ctx = echo_context_create();
  echo_register_dialects(ctx);
  echo_context_allow_unregistered(ctx, true);
  EchoOp *module = echo_parse_text_or_null(ctx, ECHO_STR("f.mlir"), ECHO_STR(MODULE));
  EchoBuffer text = {0};
  bool ok = module != NULL && echo_verify(module);
  if (ok) {
    echo_op_warning(module, "about %d", 1);
    echo_print_op(module, &(EchoPrintOptions){.debug_info = true}, &text);
    ok = text.size > 100;
  }
  echo_buffer_destroy(&text);
  echo_context_destroy(ctx);
  return ok;
}

enum { FINE = 0, OUT_OF_MEMORY = 1, WRONG = 2 };

static int status_with_failure_at(uint64_t n)
{
  fflush(NULL);
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
    echo_memory_fail_at(n);
    _exit(work() ? FINE : WRONG);
  }
  int status;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_msg(WIFEXITED(status), "killed by signal %d when allocation %llu failed",
                WTERMSIG(status), (unsigned long long)n);
  return WEXITSTATUS(status);
}

START_TEST(every_allocation_may_fail)
{
  ck_assert_int_eq(status_with_failure_at(0), FINE);
  uint64_t n = 1;
  int status;
  while ((status = status_with_failure_at(n)) == OUT_OF_MEMORY)
    ++n;
  ck_assert_int_eq(status, FINE); /* fewer than n allocations were made */
  ck_assert_uint_gt(n, 20);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("out_of_memory");
  TCase *cases = tcase_create("out_of_memory");
  tcase_set_timeout(cases, 300);
  tcase_add_test(cases, every_allocation_may_fail);
  suite_add_tcase(suite, cases);
  return echo_test_run(suite);
}
