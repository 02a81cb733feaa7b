/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What can be asked of an executable. */
#include "pjrt/plugin_t.h"

/* ---- loaded executables ---- */

PJRT_Error *Echo_PJRT_LoadedExecutable_Destroy(PJRT_LoadedExecutable_Destroy_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, executable);
  if (args->executable == NULL)
    return NULL;
  ECHO_PJRT_CHECK(echo_pjrt_remove(args->executable, ECHO_PJRT_LOADED),
                  "'executable' is not a live object");
  echo_pjrt_program_release(args->executable->program);
  echo_free(args->executable);
  return NULL;
}

PJRT_Error *Echo_PJRT_LoadedExecutable_GetExecutable(PJRT_LoadedExecutable_GetExecutable_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, executable);
  ECHO_PJRT_CHECK_LIVE(args->loaded_executable, ECHO_PJRT_LOADED);
  args->executable =
      echo_pjrt_executable_create(echo_pjrt_program_retain(args->loaded_executable->program));
  return NULL;
}

ECHO_PJRT_GETTER(LoadedExecutable_AddressableDevices, num_addressable_devices, executable,
                 ECHO_PJRT_LOADED, {
                   args->addressable_devices = args->executable->program->devices;
                   args->num_addressable_devices = args->executable->program->n_ranks;
                 })

PJRT_Error *Echo_PJRT_LoadedExecutable_Delete(PJRT_LoadedExecutable_Delete_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, executable);
  ECHO_PJRT_CHECK_LIVE(args->executable, ECHO_PJRT_LOADED);
  args->executable->is_deleted = true;
  return NULL;
}

ECHO_PJRT_GETTER(LoadedExecutable_IsDeleted, is_deleted, executable, ECHO_PJRT_LOADED,
                 { args->is_deleted = args->executable->is_deleted; })

ECHO_PJRT_GETTER(LoadedExecutable_Fingerprint, executable_fingerprint_size, executable,
                 ECHO_PJRT_LOADED, {
                   args->executable_fingerprint = args->executable->program->fingerprint.data;
                   args->executable_fingerprint_size = args->executable->program->fingerprint.size;
                 })

static void delete_assignment(PJRT_DeviceAssignmentSerialized *bytes)
{
  echo_pjrt_bytes_destroy(bytes);
}

static void append_varint(EchoBuffer *out, uint64_t value)
{
  for (; value >= 0x80; value >>= 7)
    echo_buffer_append_char(out, (char)(0x80 | (value & 0x7f)));
  echo_buffer_append_char(out, (char)value);
}

/* A DeviceAssignmentProto: replica_count, computation_count, for each partition the devices of its
 * replicas. */
PJRT_Error *
Echo_PJRT_LoadedExecutable_GetDeviceAssignment(PJRT_LoadedExecutable_GetDeviceAssignment_Args *args)
{
  enum { REPLICAS = 0x08, PARTITIONS = 0x10, PARTITION = 0x1a, IDS = 0x0a };
  ECHO_PJRT_CHECK_ARGS(args, serialized_device_assignment_deleter);
  ECHO_PJRT_CHECK_LIVE(args->executable, ECHO_PJRT_LOADED);
  const EchoPjrtProgram *program = args->executable->program;
  EchoBuffer *bytes = echo_pjrt_bytes_create(), ids = {0}, partition = {0};
  echo_buffer_append_char(bytes, REPLICAS);
  append_varint(bytes, program->n_replicas);
  echo_buffer_append_char(bytes, PARTITIONS);
  append_varint(bytes, program->n_partitions);
  for (uint64_t p = 0; p < program->n_partitions; p++) {
    echo_buffer_clear(&ids);
    echo_buffer_clear(&partition);
    for (uint64_t r = 0; r < program->n_replicas; r++)
      append_varint(&ids, (uint64_t)program->devices[r * program->n_partitions + p]->id);
    echo_buffer_append_char(&partition, IDS);
    append_varint(&partition, ids.size);
    echo_buffer_append_str(&partition, echo_buffer_str(&ids));
    echo_buffer_append_char(bytes, PARTITION);
    append_varint(bytes, partition.size);
    echo_buffer_append_str(bytes, echo_buffer_str(&partition));
  }
  echo_buffer_destroy(&ids);
  echo_buffer_destroy(&partition);
  args->serialized_bytes = bytes->data;
  args->serialized_bytes_size = bytes->size;
  args->serialized_device_assignment = (PJRT_DeviceAssignmentSerialized *)(void *)bytes;
  args->serialized_device_assignment_deleter = delete_assignment;
  return NULL;
}

/* ---- executables ---- */

PJRT_Executable *echo_pjrt_executable_create(EchoPjrtProgram *program)
{
  PJRT_Executable *executable = echo_alloc_zero(1, sizeof *executable);
  executable->program = program;
  echo_pjrt_add(executable, ECHO_PJRT_EXECUTABLE);
  return executable;
}

PJRT_Error *Echo_PJRT_Executable_Destroy(PJRT_Executable_Destroy_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, executable);
  if (args->executable == NULL)
    return NULL;
  ECHO_PJRT_CHECK(echo_pjrt_remove(args->executable, ECHO_PJRT_EXECUTABLE),
                  "'executable' is not a live object");
  echo_pjrt_program_release(args->executable->program);
  echo_free(args->executable);
  return NULL;
}

ECHO_PJRT_GETTER(Executable_Name, executable_name_size, executable, ECHO_PJRT_EXECUTABLE, {
  args->executable_name = args->executable->program->name.data;
  args->executable_name_size = args->executable->program->name.size;
})

ECHO_PJRT_GETTER(Executable_NumReplicas, num_replicas, executable, ECHO_PJRT_EXECUTABLE,
                 { args->num_replicas = (size_t)args->executable->program->n_replicas; })

ECHO_PJRT_GETTER(Executable_NumPartitions, num_partitions, executable, ECHO_PJRT_EXECUTABLE,
                 { args->num_partitions = (size_t)args->executable->program->n_partitions; })

ECHO_PJRT_GETTER(Executable_NumOutputs, num_outputs, executable, ECHO_PJRT_EXECUTABLE,
                 { args->num_outputs = args->executable->program->n_results; })

/* What the code takes is not known: the loader does not say. */
ECHO_PJRT_GETTER(Executable_SizeOfGeneratedCodeInBytes, size_in_bytes, executable,
                 ECHO_PJRT_EXECUTABLE, { args->size_in_bytes = -1; })

PJRT_Error *Echo_PJRT_Executable_GetCostAnalysis(PJRT_Executable_GetCostAnalysis_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, properties);
  ECHO_PJRT_CHECK_LIVE(args->executable, ECHO_PJRT_EXECUTABLE);
  PJRT_Executable *executable = args->executable;
  static const char *const NAMES[] = {"flops", "bytes accessed"};
  double values[] = {executable->program->flops, executable->program->bytes_accessed};
  for (size_t i = 0; i < 2; i++)
    executable->cost[i] = (PJRT_NamedValue){.struct_size = sizeof(PJRT_NamedValue),
                                            .name = NAMES[i],
                                            .name_size = strlen(NAMES[i]),
                                            .type = PJRT_NamedValue_kFloat,
                                            .float_value = (float)values[i],
                                            .value_size = 1};
  args->properties = executable->cost;
  args->num_properties = 2;
  return NULL;
}

ECHO_PJRT_GETTER(Executable_OutputMemoryKinds, memory_kind_sizes, executable, ECHO_PJRT_EXECUTABLE,
                 {
                   args->num_outputs = args->executable->program->n_results;
                   args->memory_kinds = args->executable->program->memory_kinds;
                   args->memory_kind_sizes = args->executable->program->memory_kind_sizes;
                 })

ECHO_PJRT_GETTER(Executable_OutputElementTypes, num_output_types, executable, ECHO_PJRT_EXECUTABLE,
                 {
                   args->output_types = args->executable->program->result_types;
                   args->num_output_types = args->executable->program->n_results;
                 })

ECHO_PJRT_GETTER(Executable_OutputDimensions, dim_sizes, executable, ECHO_PJRT_EXECUTABLE, {
  args->num_outputs = args->executable->program->n_results;
  args->dims = args->executable->program->all_result_dims;
  args->dim_sizes = args->executable->program->n_result_dims;
})

ECHO_PJRT_GETTER(Executable_Fingerprint, executable_fingerprint_size, executable,
                 ECHO_PJRT_EXECUTABLE, {
                   args->executable_fingerprint = args->executable->program->fingerprint.data;
                   args->executable_fingerprint_size = args->executable->program->fingerprint.size;
                 })

/* The plan: what a run will take, to the byte. */
PJRT_Error *
Echo_PJRT_Executable_GetCompiledMemoryStats(PJRT_Executable_GetCompiledMemoryStats_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, host_temp_size_in_bytes);
  ECHO_PJRT_CHECK_LIVE(args->executable, ECHO_PJRT_EXECUTABLE);
  const EchoPjrtProgram *program = args->executable->program;
  const EchoExecutableMemory *memory = &program->memory;
  args->generated_code_size_in_bytes = 0;
  args->argument_size_in_bytes = program->on_device.args;
  args->output_size_in_bytes = program->on_device.results;
  args->alias_size_in_bytes = program->on_device.aliases;
  args->temp_size_in_bytes = (int64_t)(memory->arena_bytes + memory->constant_bytes);
  args->host_generated_code_size_in_bytes = 0;
  args->host_argument_size_in_bytes = program->in_host.args;
  args->host_output_size_in_bytes = program->in_host.results;
  args->host_alias_size_in_bytes = program->in_host.aliases;
  args->host_temp_size_in_bytes = program->host_temp_bytes;
  if (ECHO_PJRT_HAS(args, peak_memory_in_bytes))
    args->peak_memory_in_bytes = (int64_t)memory->peak_bytes;
  return NULL;
}

/* The program as it came: StableHLO, text or bytecode; for many devices, as each of them runs it,
 * and with marks where an argument lies otherwise than by rows. */
PJRT_Error *Echo_PJRT_Executable_OptimizedProgram(PJRT_Executable_OptimizedProgram_Args *args)
{
  static const char FORMAT[] = "mlir";
  ECHO_PJRT_CHECK_ARGS(args, program);
  ECHO_PJRT_CHECK_LIVE(args->executable, ECHO_PJRT_EXECUTABLE);
  ECHO_PJRT_CHECK(args->program != NULL && ECHO_PJRT_HAS(args->program, format_size),
                  "'program' is NULL, or its struct_size is too small");
  const EchoPjrtProgram *program = args->executable->program;
  EchoStr code = program->for_each.size != 0 ? echo_buffer_str(&program->for_each) : program->code;
  args->program->format = FORMAT;
  args->program->format_size = sizeof FORMAT - 1;
  if (args->program->code != NULL) {
    ECHO_PJRT_CHECK(args->program->code_size >= code.size, "%zu bytes for a program of %zu",
                    args->program->code_size, code.size);
    memcpy(args->program->code, code.data, code.size);
  }
  args->program->code_size = code.size;
  return NULL;
}

static void delete_options(PJRT_SerializedCompileOptions *bytes)
{
  echo_pjrt_bytes_destroy(bytes);
}

PJRT_Error *Echo_PJRT_Executable_GetCompileOptions(PJRT_Executable_GetCompileOptions_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, serialized_compile_options_deleter);
  ECHO_PJRT_CHECK_LIVE(args->executable, ECHO_PJRT_EXECUTABLE);
  EchoBuffer *bytes = echo_pjrt_bytes_create();
  echo_buffer_append_str(bytes, args->executable->program->options);
  args->serialized_bytes = echo_buffer_c_str(bytes);
  args->serialized_bytes_size = bytes->size;
  args->serialized_compile_options = (PJRT_SerializedCompileOptions *)(void *)bytes;
  args->serialized_compile_options_deleter = delete_options;
  return NULL;
}
