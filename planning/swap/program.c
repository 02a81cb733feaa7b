/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "planning/swap/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void echo_swap_program_destroy(EchoSwapProgram *program)
{
  echo_vector_destroy(&program->start_ns);
  echo_vector_destroy(&program->blocks);
  echo_vector_destroy(&program->accesses);
  echo_vector_destroy(&program->inner_bytes);
}

EchoSwapTransfer echo_swap_transfer_of(const EchoDeviceModel *device)
{
  return (EchoSwapTransfer){1e9 / device->copy_out_bytes_per_s, device->copy_out_latency_ns,
                            1e9 / device->copy_in_bytes_per_s, device->copy_in_latency_ns};
}

static int by_block_and_step(const void *a, const void *b)
{
  const EchoSwapAccess *x = a, *y = b;
  if (x->block != y->block)
    return x->block < y->block ? -1 : 1;
  return x->step < y->step ? -1 : x->step > y->step;
}

static void sort_accesses(EchoSwapProgram *program)
{
  EchoSwapAccess *accesses = program->accesses.data;
  size_t n = 0;
  qsort(accesses, program->accesses.size, sizeof *accesses, by_block_and_step);
  for (size_t i = 0; i < program->accesses.size; ++i) {
    if (n != 0 && by_block_and_step(&accesses[n - 1], &accesses[i]) == 0)
      accesses[n - 1].writes |= accesses[i].writes;
    else
      accesses[n++] = accesses[i];
  }
  program->accesses.size = n;
}

/* A block with its accesses. */
typedef struct Row {
  EchoSwapBlock block;
  const EchoSwapAccess *accesses;
  uint32_t n_accesses, block_number;
} Row;

static int by_accesses(const void *a, const void *b)
{
  const Row *x = a, *y = b;
  for (uint32_t i = 0; i < x->n_accesses && i < y->n_accesses; ++i) {
    const EchoSwapAccess *p = &x->accesses[i], *q = &y->accesses[i];
    if (p->step != q->step)
      return p->step < q->step ? -1 : 1;
    if (p->writes != q->writes)
      return p->writes ? -1 : 1;
  }
  if (x->n_accesses != y->n_accesses)
    return x->n_accesses < y->n_accesses ? -1 : 1;
  if (x->block.size_bytes != y->block.size_bytes)
    return x->block.size_bytes < y->block.size_bytes ? -1 : 1;
  if (x->block.is_state != y->block.is_state)
    return x->block.is_state ? -1 : 1;
  return x->block_number < y->block_number ? -1 : x->block_number > y->block_number;
}

void echo_swap_program_sort(EchoSwapProgram *program)
{
  size_t n_blocks = program->blocks.size, n = 0;
  if (program->accesses.size == 0)
    return;
  sort_accesses(program);
  Row *rows = echo_alloc_zero(n_blocks + 1, sizeof *rows);
  EchoSwapAccess *accesses = echo_alloc_array(program->accesses.size, sizeof *accesses);
  memcpy(accesses, program->accesses.data, program->accesses.size * sizeof *accesses);
  for (uint32_t b = 0; b < n_blocks; ++b)
    rows[b] = (Row){.block = program->blocks.data[b], .block_number = b};
  for (size_t i = 0; i < program->accesses.size; ++i) {
    Row *row = &rows[accesses[i].block];
    if (row->n_accesses++ == 0)
      row->accesses = &accesses[i];
  }
  qsort(rows, n_blocks, sizeof *rows, by_accesses);
  for (uint32_t b = 0; b < n_blocks; ++b) {
    program->blocks.data[b] = rows[b].block;
    for (uint32_t i = 0; i < rows[b].n_accesses; ++i) {
      program->accesses.data[n] = rows[b].accesses[i];
      program->accesses.data[n++].block = b;
    }
  }
  echo_free(accesses);
  echo_free(rows);
}

uint64_t echo_swap_program_state_bytes(const EchoSwapProgram *program)
{
  uint64_t bytes = 0;
  for (size_t b = 0; b < program->blocks.size; ++b)
    bytes += program->blocks.data[b].is_state ? program->blocks.data[b].size_bytes : 0;
  return bytes;
}

int64_t *echo_swap_program_live_bytes(const EchoSwapProgram *program)
{
  size_t n_steps = program->inner_bytes.size;
  int64_t *live = echo_alloc_zero(n_steps + 2, sizeof *live);
  live[0] = (int64_t)echo_swap_program_state_bytes(program);
  for (size_t i = 0; i < program->accesses.size; ++i) {
    const EchoSwapAccess *access = &program->accesses.data[i];
    const EchoSwapBlock *block = &program->blocks.data[access->block];
    bool is_first = i == 0 || access[-1].block != access->block;
    bool is_last = i + 1 == program->accesses.size || access[1].block != access->block;
    if (is_first && !block->is_state)
      live[access->step] += (int64_t)block->size_bytes;
    if (is_last && !block->is_state)
      live[access->step + 1] -= (int64_t)block->size_bytes;
  }
  for (size_t s = 1; s < n_steps; ++s)
    live[s] += live[s - 1];
  for (size_t s = 0; s < n_steps; ++s)
    live[s] += program->inner_bytes.data[s];
  return live;
}
