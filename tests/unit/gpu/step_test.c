/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a step asks of the driver. */
#include "jit/runtime/cuda/code_t.h"
#include "tests/unit/suite.h"

static CUresult (*real_event_create)(CUevent *event, unsigned flags);
static CUresult (*real_event_destroy)(CUevent event);
static int n_events;

static CUresult count_create(CUevent *event, unsigned flags)
{
  n_events++;
  return real_event_create(event, flags);
}

static CUresult count_destroy(CUevent event)
{
  n_events--;
  return real_event_destroy(event);
}

/* A value goes to the host and back: what the first step makes, later ones use. */
START_TEST(a_step_makes_nothing_that_the_last_one_had)
{
  EchoBuffer error = {0};
  EchoContext *ctx = echo_context_create();
  EchoCuda *cuda = echo_cuda_create_or_null(0, &error);
  ck_assert_msg(cuda != NULL, "%s", echo_buffer_c_str(&error));
  real_event_create = cuda->driver.event_create;
  real_event_destroy = cuda->driver.event_destroy;
  cuda->driver.event_create = count_create;
  cuda->driver.event_destroy = count_destroy;
  int in = 41, out = 0;
  void *address = ECHO_CUDA_METHODS.allocate(ctx, cuda, sizeof in), *host = NULL;
  ck_assert_ptr_nonnull(address);
  ck_assert_int_eq(cuda->driver.host_alloc(&host, sizeof in, 0), CUDA_SUCCESS);
  const uint32_t slots[] = {0};
  EchoInstruction swap = {.kind = ECHO_RUN_SWAP, .slots = slots, .n_slots = 1, .is_out = true};
  swap.n_bytes = sizeof in;
  EchoInstruction back = swap;
  back.is_out = false;
  back.event = 1;
  EchoInstruction instructions[] = {
      swap, {.kind = ECHO_RUN_WAIT, .event = 0}, back, {.kind = ECHO_RUN_WAIT, .event = 1}};
  EchoProgram program = {.main = {instructions, 4}, .n_events = 2};
  EchoCudaCode code = {.cuda = cuda};
  for (int step = 0; step < 3; step++) {
    in++;
    ck_assert(ECHO_CUDA_METHODS.write(ctx, cuda, address, &in, sizeof in));
    ck_assert(echo_cuda_program_run(ctx, &code, &program, &address, host, NULL));
    ck_assert(ECHO_CUDA_METHODS.read(ctx, cuda, address, &out, sizeof out));
    ck_assert_int_eq(out, in);
    ck_assert_int_eq(*(int *)host, in);
    ck_assert_int_eq(n_events, 4); /* one a swap, two of the compute stream */
  }
  echo_cuda_code_destroy(&code);
  ck_assert_int_eq(n_events, 0);
  ECHO_CUDA_METHODS.release(cuda, address);
  cuda->driver.host_free(host);
  echo_cuda_destroy(cuda);
  echo_context_destroy(ctx);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("gpu/step");
  TCase *tests = tcase_create("step");
  tcase_add_test(tests, a_step_makes_nothing_that_the_last_one_had);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
