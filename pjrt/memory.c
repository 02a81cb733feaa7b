/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The memories of a device: its own, and two of the host's. All are the host's main memory, but
 * what was put into the host's counts as that, and a program's plan leaves it out. */
#include <stdio.h>

#include "pjrt/plugin_t.h"

const char *echo_pjrt_memory_kind(int kind)
{
  static const char *const NAMES[ECHO_PJRT_N_MEMORIES] = {
      [ECHO_PJRT_ON_DEVICE] = "device",
      [ECHO_PJRT_PINNED_HOST] = "pinned_host",
      [ECHO_PJRT_UNPINNED_HOST] = "unpinned_host",
  };
  return NAMES[kind];
}

int echo_pjrt_memory_kind_of(EchoStr name)
{
  for (int kind = 0; kind < ECHO_PJRT_N_MEMORIES; kind++)
    if (echo_str_is(name, echo_pjrt_memory_kind(kind)))
      return kind;
  return -1;
}

bool echo_pjrt_memory_is_host(int kind)
{
  return kind != ECHO_PJRT_ON_DEVICE;
}

void echo_pjrt_memories_init(PJRT_Device *device)
{
  for (int kind = 0; kind < ECHO_PJRT_N_MEMORIES; kind++) {
    PJRT_Memory *memory = device->memories[kind] = &device->own_memories[kind];
    *memory = (PJRT_Memory){.device = device, .kind = kind};
    snprintf(memory->text, sizeof memory->text, "EchoMemory(device=%d, kind=%s)", device->id,
             echo_pjrt_memory_kind(kind));
    echo_pjrt_add(memory, ECHO_PJRT_MEMORY);
  }
}

void echo_pjrt_memories_destroy(PJRT_Device *device)
{
  for (int kind = 0; kind < ECHO_PJRT_N_MEMORIES; kind++)
    echo_pjrt_remove(device->memories[kind], ECHO_PJRT_MEMORY);
}

EchoDeviceBuffer *echo_pjrt_memory_allocate(const PJRT_Memory *memory, uint64_t n_bytes)
{
  EchoDevice *cpu = memory->device->cpu;
  return echo_pjrt_memory_is_host(memory->kind)
             ? echo_device_host_buffer_create_or_null(NULL, cpu, n_bytes)
             : echo_device_buffer_create_or_null(NULL, cpu, n_bytes);
}

ECHO_PJRT_GETTER(Memory_Id, id, memory, ECHO_PJRT_MEMORY, {
  args->id = args->memory->device->id * ECHO_PJRT_N_MEMORIES + args->memory->kind;
})

ECHO_PJRT_GETTER(Memory_Kind, kind_size, memory, ECHO_PJRT_MEMORY, {
  args->kind = echo_pjrt_memory_kind(args->memory->kind);
  args->kind_size = strlen(args->kind);
})

ECHO_PJRT_GETTER(Memory_Kind_Id, kind_id, memory, ECHO_PJRT_MEMORY,
                 { args->kind_id = args->memory->kind; })

ECHO_PJRT_GETTER(Memory_DebugString, debug_string_size, memory, ECHO_PJRT_MEMORY, {
  args->debug_string = args->memory->text;
  args->debug_string_size = strlen(args->memory->text);
})

ECHO_PJRT_GETTER(Memory_ToString, to_string_size, memory, ECHO_PJRT_MEMORY, {
  args->to_string = args->memory->text;
  args->to_string_size = strlen(args->memory->text);
})

ECHO_PJRT_GETTER(Memory_AddressableByDevices, num_devices, memory, ECHO_PJRT_MEMORY, {
  args->devices = args->memory->device->devices;
  args->num_devices = 1;
})
