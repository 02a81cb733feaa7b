/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a link of this machine takes: the shortest of many exchanges in which each process sends the
 * others a part, by size, as the first half of an all_reduce is. For the link of a device model;
 * mpicc link.c && mpirun -n 2 ./a.out */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N_TRIES = 400, MAX_BYTES = 1 << 24 };

int main(int argc, char **argv)
{
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char *from = calloc(MAX_BYTES, 1), *to = calloc(MAX_BYTES, 1);
  for (int bytes = 8 * size; bytes <= MAX_BYTES; bytes *= 8) {
    double best = 1e9;
    for (int i = 0; i < (bytes > 1 << 20 ? N_TRIES / 10 : N_TRIES); i++) {
      MPI_Barrier(MPI_COMM_WORLD);
      double begin = MPI_Wtime(), own, longest;
      MPI_Alltoall(from, bytes / size, MPI_BYTE, to, bytes / size, MPI_BYTE, MPI_COMM_WORLD);
      own = MPI_Wtime() - begin;
      MPI_Allreduce(&own, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      best = longest < best ? longest : best;
    }
    if (rank == 0)
      printf("%d processes, %9d bytes each: %10.2f us\n", size, bytes, best * 1e6);
  }
  free(from);
  free(to);
  return MPI_Finalize();
}
