/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <time.h>

#include "base/memory.h"
#include "jit/runtime/mpi.h"
#include "tools/echo-run/calibrate.h"

/* The smallest call is all latency; of the largest, latency is a thousandth on any link. */
enum { FEW_BYTES = 16, MANY_BYTES = 1 << 22, N_FEW = 400, N_MANY = 40 };

static double now_ns(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Of `n_tries` exchanges the shortest, by the process for which each took longest. */
static bool time_exchange(const char *own, char *all, uint64_t bytes, int n_tries, double *ns,
                          EchoBuffer *error)
{
  size_t n = (size_t)echo_mpi_size();
  double *of_all = echo_alloc_zero(n, sizeof *of_all);
  bool ok = true;
  for (int i = 0; i < n_tries && ok; i++) {
    ok = echo_mpi_all_gather(&(char){0}, all, 1, error); /* all are here */
    double begin = now_ns();
    ok = ok && echo_mpi_all_gather(own, all, bytes, error);
    double elapsed = now_ns() - begin, longest = 0;
    ok = ok && echo_mpi_all_gather(&elapsed, of_all, sizeof elapsed, error);
    for (size_t k = 0; k < n; k++)
      longest = of_all[k] > longest ? of_all[k] : longest;
    *ns = i == 0 || longest < *ns ? longest : *ns;
  }
  echo_free(of_all);
  return ok;
}

bool calibrate_link(EchoDeviceModel *model, EchoBuffer *error)
{
  size_t n = (size_t)echo_mpi_size();
  double few_ns = 0, many_ns = 0, others = (double)n - 1;
  if (n == 1)
    return true;
  char *own = echo_alloc_zero(MANY_BYTES, 1), *all = echo_alloc_zero(n, MANY_BYTES);
  bool ok = time_exchange(own, all, FEW_BYTES, N_FEW, &few_ns, error) &&
            time_exchange(own, all, MANY_BYTES, N_MANY, &many_ns, error);
  if (ok && many_ns <= few_ns) {
    echo_buffer_append_c(error, "the clock does not tell a long exchange from a short one");
    ok = false;
  }
  if (ok) {
    model->link_latency_ns = few_ns;
    model->link_bytes_per_s = others * (MANY_BYTES - FEW_BYTES) / (many_ns - few_ns) * 1e9;
  }
  echo_free(own);
  echo_free(all);
  return ok;
}
