/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The plug-in itself, its client, and the devices that a client is made of. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/version.h"
#include "dialects/stablehlo/vhlo/vhlo.h"
#include "jit/driver/register.h"
#include "pjrt/plugin_t.h"

const char ECHO_PJRT_PLATFORM[] = "echo";
static const char VERSION[] = "echo " ECHO_VERSION_TEXT;
static const char KIND[] = "cpu";

/* ---- the plug-in ---- */

PJRT_Error *Echo_PJRT_Plugin_Initialize(PJRT_Plugin_Initialize_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, extension_start);
  return NULL;
}

PJRT_Error *Echo_PJRT_Plugin_Attributes(PJRT_Plugin_Attributes_Args *args)
{
  static const int64_t CURRENT[] = {ECHO_VHLO_NEWEST_MAJOR, ECHO_VHLO_NEWEST_MINOR, 0};
  static const int64_t MINIMUM[] = {0, 9, 0};
#define NAMED(text, ...)                                                                           \
  .struct_size = sizeof(PJRT_NamedValue), .name = text, .name_size = sizeof text - 1, __VA_ARGS__
  static PJRT_NamedValue attributes[] = {
      {NAMED("xla_version", .type = PJRT_NamedValue_kInt64, .int64_value = 2, .value_size = 1)},
      {NAMED("stablehlo_current_version", .type = PJRT_NamedValue_kInt64List,
             .int64_array_value = CURRENT, .value_size = 3)},
      {NAMED("stablehlo_minimum_version", .type = PJRT_NamedValue_kInt64List,
             .int64_array_value = MINIMUM, .value_size = 3)},
  };
  ECHO_PJRT_CHECK_ARGS(args, num_attributes);
  args->attributes = attributes;
  args->num_attributes = sizeof attributes / sizeof *attributes;
  return NULL;
}

/* ---- what the environment says ---- */

static PJRT_Error *read_environment(EchoPjrtOptions *options)
{
  const char *devices = getenv("ECHO_CPU_DEVICES");
  PJRT_Error *error = devices != NULL && *devices != '\0'
                          ? echo_pjrt_options_set(options, ECHO_STR("devices"), echo_str(devices))
                          : NULL;
  return error != NULL ? error : echo_pjrt_options_parse(options, echo_str(getenv("ECHO_OPTIONS")));
}

static size_t n_devices_of(const EchoPjrtOptions *options)
{
  return options->n_devices != 0 ? (size_t)options->n_devices : 1;
}

/* ---- the topology ---- */

void echo_pjrt_topology_init(PJRT_TopologyDescription *topology, size_t n_devices, bool is_own)
{
  *topology = (PJRT_TopologyDescription){
      .n_devices = n_devices,
      .descriptions = echo_alloc_zero(n_devices, sizeof *topology->descriptions),
      .list = echo_alloc_zero(n_devices, sizeof *topology->list),
      .is_own = is_own};
  echo_pjrt_add(topology, ECHO_PJRT_TOPOLOGY);
  for (size_t i = 0; i < n_devices; i++) {
    PJRT_DeviceDescription *description = &topology->descriptions[i];
    description->id = (int)i;
    snprintf(description->text, sizeof description->text, "EchoDevice(id=%zu)", i);
    topology->list[i] = description;
    echo_pjrt_add(description, ECHO_PJRT_DESCRIPTION);
  }
}

void echo_pjrt_topology_destroy(PJRT_TopologyDescription *topology)
{
  echo_pjrt_remove(topology, ECHO_PJRT_TOPOLOGY);
  for (size_t i = 0; i < topology->n_devices; i++)
    echo_pjrt_remove(&topology->descriptions[i], ECHO_PJRT_DESCRIPTION);
  echo_free(topology->descriptions);
  echo_free(topology->list);
}

/* Of as many devices as the environment asks for. */
PJRT_Error *Echo_PJRT_TopologyDescription_Create(PJRT_TopologyDescription_Create_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, topology);
  EchoPjrtOptions options = {0};
  PJRT_Error *error = read_environment(&options);
  if (error == NULL) {
    args->topology = echo_alloc(sizeof *args->topology);
    echo_pjrt_topology_init(args->topology, n_devices_of(&options), true);
  }
  echo_pjrt_options_destroy(&options);
  return error;
}

PJRT_Error *Echo_PJRT_TopologyDescription_Destroy(PJRT_TopologyDescription_Destroy_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, topology);
  if (args->topology == NULL)
    return NULL;
  ECHO_PJRT_CHECK_LIVE(args->topology, ECHO_PJRT_TOPOLOGY);
  if (!args->topology->is_own) /* the client's */
    return NULL;
  echo_pjrt_topology_destroy(args->topology);
  echo_free(args->topology);
  return NULL;
}

ECHO_PJRT_GETTER(TopologyDescription_PlatformName, platform_name_size, topology, ECHO_PJRT_TOPOLOGY,
                 {
                   args->platform_name = ECHO_PJRT_PLATFORM;
                   args->platform_name_size = strlen(ECHO_PJRT_PLATFORM);
                 })

ECHO_PJRT_GETTER(TopologyDescription_PlatformVersion, platform_version_size, topology,
                 ECHO_PJRT_TOPOLOGY, {
                   args->platform_version = VERSION;
                   args->platform_version_size = sizeof VERSION - 1;
                 })

ECHO_PJRT_GETTER(TopologyDescription_GetDeviceDescriptions, num_descriptions, topology,
                 ECHO_PJRT_TOPOLOGY, {
                   args->descriptions = args->topology->list;
                   args->num_descriptions = args->topology->n_devices;
                 })

ECHO_PJRT_GETTER(TopologyDescription_Attributes, num_attributes, topology, ECHO_PJRT_TOPOLOGY, {
  args->attributes = NULL;
  args->num_attributes = 0;
})

static void delete_topology_bytes(PJRT_SerializedTopology *bytes)
{
  echo_pjrt_bytes_destroy(bytes);
}

PJRT_Error *Echo_PJRT_TopologyDescription_Serialize(PJRT_TopologyDescription_Serialize_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, serialized_topology_deleter);
  ECHO_PJRT_CHECK_LIVE(args->topology, ECHO_PJRT_TOPOLOGY);
  EchoBuffer *bytes = echo_pjrt_bytes_create();
  echo_buffer_printf(bytes, "%s %zu", ECHO_PJRT_PLATFORM, args->topology->n_devices);
  args->serialized_bytes = bytes->data;
  args->serialized_bytes_size = bytes->size;
  args->serialized_topology = (PJRT_SerializedTopology *)(void *)bytes;
  args->serialized_topology_deleter = delete_topology_bytes;
  return NULL;
}

PJRT_Error *
Echo_PJRT_TopologyDescription_Deserialize(PJRT_TopologyDescription_Deserialize_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, topology);
  ECHO_PJRT_CHECK(args->serialized_topology != NULL, "'serialized_topology' is NULL");
  EchoStr bytes = {args->serialized_topology, args->serialized_topology_size};
  size_t head = strlen(ECHO_PJRT_PLATFORM) + 1;
  uint64_t n = 0;
  ECHO_PJRT_CHECK(bytes.size > head && memcmp(bytes.data, ECHO_PJRT_PLATFORM, head - 1) == 0 &&
                      bytes.data[head - 1] == ' ' &&
                      echo_str_to_u64((EchoStr){bytes.data + head, bytes.size - head}, &n) &&
                      n >= 1 && n <= ECHO_PJRT_MAX_DEVICES,
                  "the topology of another platform");
  args->topology = echo_alloc(sizeof *args->topology);
  echo_pjrt_topology_init(args->topology, (size_t)n, true);
  return NULL;
}

/* ---- the client ---- */

EchoPjrtCore *echo_pjrt_core_retain(EchoPjrtCore *core)
{
  atomic_fetch_add(&core->n_references, 1);
  return core;
}

void echo_pjrt_core_release(EchoPjrtCore *core)
{
  if (atomic_fetch_sub(&core->n_references, 1) != 1)
    return;
  for (size_t i = 0; i < core->n_devices; i++)
    echo_device_destroy(core->own_devices[i].cpu);
  echo_free(core->own_devices);
  echo_free(core->devices);
  echo_free(core->memories);
  echo_pass_registry_destroy(core->passes);
  echo_pjrt_options_destroy(&core->options);
  pthread_mutex_destroy(&core->run_lock);
  pthread_mutex_destroy(&core->arena_lock);
  pthread_mutex_destroy(&core->lock);
  pthread_cond_destroy(&core->changed);
  echo_vector_destroy(&core->tasks);
  echo_buffer_destroy(&core->version);
  echo_free(core);
}

static PJRT_Error *read_options(const PJRT_Client_Create_Args *args, EchoPjrtOptions *options)
{
  PJRT_Error *error = read_environment(options);
  for (size_t i = 0; error == NULL && args->create_options != NULL && i < args->num_options; i++) {
    const PJRT_NamedValue *value = &args->create_options[i];
    EchoBuffer text = {0};
    if (value->type == PJRT_NamedValue_kString && value->string_value != NULL)
      echo_buffer_append(&text, value->string_value, value->value_size);
    else if (value->type == PJRT_NamedValue_kInt64)
      echo_buffer_append_i64(&text, value->int64_value);
    if (value->name != NULL)
      error = echo_pjrt_options_set(options, (EchoStr){value->name, value->name_size},
                                    echo_buffer_str(&text));
    echo_buffer_destroy(&text);
  }
  return error;
}

/* Processors for each of the devices, at least one. */
static unsigned threads_of_each(const EchoPjrtOptions *options, size_t n_devices)
{
  if (options->n_threads != 0 || n_devices == 1)
    return (unsigned)options->n_threads;
  long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n > (long)n_devices ? (unsigned)n / (unsigned)n_devices : 1;
}

static void add_devices(EchoPjrtCore *core)
{
  size_t n = n_devices_of(&core->options);
  unsigned n_threads = threads_of_each(&core->options, n);
  core->client.core = core;
  core->n_devices = n;
  core->own_devices = echo_alloc_zero(n, sizeof *core->own_devices);
  core->devices = echo_alloc_zero(n, sizeof *core->devices);
  core->memories = echo_alloc_zero(n * ECHO_PJRT_N_MEMORIES, sizeof *core->memories);
  echo_pjrt_topology_init(&core->topology, n, false);
  for (size_t i = 0; i < n; i++) {
    PJRT_Device *device = &core->own_devices[i];
    *device = (PJRT_Device){.core = core,
                            .id = (int)i,
                            .cpu = echo_device_create_cpu(n_threads),
                            .description = core->topology.list[i]};
    core->devices[i] = device->devices[0] = device;
    echo_pjrt_add(device, ECHO_PJRT_DEVICE);
    echo_pjrt_memories_init(device);
    for (size_t k = 0; k < ECHO_PJRT_N_MEMORIES; k++)
      core->memories[i * ECHO_PJRT_N_MEMORIES + k] = device->memories[k];
  }
  echo_pjrt_add(&core->client, ECHO_PJRT_CLIENT);
}

PJRT_Error *Echo_PJRT_Client_Create(PJRT_Client_Create_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, client);
  EchoPjrtOptions options = {0};
  PJRT_Error *error = read_options(args, &options);
  if (error != NULL) {
    echo_pjrt_options_destroy(&options);
    return error;
  }
  EchoPjrtCore *core = echo_alloc_zero(1, sizeof *core);
  atomic_init(&core->n_references, 1);
  core->options = options;
  echo_buffer_printf(&core->version, "%s ", VERSION); /* clients keep what is compiled by this */
  echo_pjrt_append_key(&core->options, &core->version);
  core->passes = echo_pass_registry_create();
  echo_register_all(NULL, core->passes);
  pthread_mutex_init(&core->run_lock, NULL);
  pthread_mutex_init(&core->arena_lock, NULL);
  echo_pjrt_queue_start(core);
  add_devices(core);
  args->client = &core->client;
  return NULL;
}

PJRT_Error *Echo_PJRT_Client_Destroy(PJRT_Client_Destroy_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, client);
  if (args->client == NULL)
    return NULL;
  ECHO_PJRT_CHECK(echo_pjrt_remove(args->client, ECHO_PJRT_CLIENT),
                  "'client' is not a live object");
  EchoPjrtCore *core = args->client->core;
  for (size_t i = 0; i < core->n_devices; i++) {
    echo_pjrt_remove(core->devices[i], ECHO_PJRT_DEVICE);
    echo_pjrt_memories_destroy(core->devices[i]);
  }
  echo_pjrt_topology_destroy(&core->topology);
  echo_pjrt_queue_stop(core);
  echo_pjrt_core_release(core);
  return NULL;
}

ECHO_PJRT_GETTER(Client_PlatformName, platform_name_size, client, ECHO_PJRT_CLIENT, {
  args->platform_name = ECHO_PJRT_PLATFORM;
  args->platform_name_size = strlen(ECHO_PJRT_PLATFORM);
})

ECHO_PJRT_GETTER(Client_ProcessIndex, process_index, client, ECHO_PJRT_CLIENT,
                 { args->process_index = 0; })

ECHO_PJRT_GETTER(Client_PlatformVersion, platform_version_size, client, ECHO_PJRT_CLIENT, {
  args->platform_version = echo_buffer_c_str(&args->client->core->version);
  args->platform_version_size = args->client->core->version.size;
})

ECHO_PJRT_GETTER(Client_TopologyDescription, topology, client, ECHO_PJRT_CLIENT,
                 { args->topology = &args->client->core->topology; })

ECHO_PJRT_GETTER(Client_Devices, num_devices, client, ECHO_PJRT_CLIENT, {
  args->devices = args->client->core->devices;
  args->num_devices = args->client->core->n_devices;
})

ECHO_PJRT_GETTER(Client_AddressableDevices, num_addressable_devices, client, ECHO_PJRT_CLIENT, {
  args->addressable_devices = args->client->core->devices;
  args->num_addressable_devices = args->client->core->n_devices;
})

PJRT_Error *Echo_PJRT_Client_LookupDevice(PJRT_Client_LookupDevice_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, device);
  ECHO_PJRT_CHECK_LIVE(args->client, ECHO_PJRT_CLIENT);
  const EchoPjrtCore *core = args->client->core;
  ECHO_PJRT_CHECK(args->id >= 0 && (size_t)args->id < core->n_devices,
                  "there is no device of id %d", args->id);
  args->device = core->devices[args->id];
  return NULL;
}

PJRT_Error *Echo_PJRT_Client_LookupAddressableDevice(PJRT_Client_LookupAddressableDevice_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, addressable_device);
  ECHO_PJRT_CHECK_LIVE(args->client, ECHO_PJRT_CLIENT);
  const EchoPjrtCore *core = args->client->core;
  ECHO_PJRT_CHECK(args->local_hardware_id >= 0 && (size_t)args->local_hardware_id < core->n_devices,
                  "there is no device of id %d", args->local_hardware_id);
  args->addressable_device = core->devices[args->local_hardware_id];
  return NULL;
}

ECHO_PJRT_GETTER(Client_AddressableMemories, num_addressable_memories, client, ECHO_PJRT_CLIENT, {
  args->addressable_memories = args->client->core->memories;
  args->num_addressable_memories = args->client->core->n_devices * ECHO_PJRT_N_MEMORIES;
})

PJRT_Error *Echo_PJRT_Client_DefaultDeviceAssignment(PJRT_Client_DefaultDeviceAssignment_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, default_assignment);
  ECHO_PJRT_CHECK_LIVE(args->client, ECHO_PJRT_CLIENT);
  int64_t n = (int64_t)args->num_replicas * args->num_partitions;
  size_t n_devices = args->client->core->n_devices;
  ECHO_PJRT_CHECK(args->num_replicas >= 1 && args->num_partitions >= 1 && (size_t)n <= n_devices,
                  "a program for %d times %d devices: there %s %zu", args->num_replicas,
                  args->num_partitions, n_devices == 1 ? "is" : "are", n_devices);
  ECHO_PJRT_CHECK(args->default_assignment_size >= (size_t)n && args->default_assignment != NULL,
                  "no room for the assignment");
  for (int64_t i = 0; i < n; i++)
    args->default_assignment[i] = (int)i;
  return NULL;
}

/* ---- device descriptions ---- */

ECHO_PJRT_GETTER(DeviceDescription_Id, id, device_description, ECHO_PJRT_DESCRIPTION,
                 { args->id = args->device_description->id; })

ECHO_PJRT_GETTER(DeviceDescription_ProcessIndex, process_index, device_description,
                 ECHO_PJRT_DESCRIPTION, { args->process_index = 0; })

ECHO_PJRT_GETTER(DeviceDescription_Attributes, attributes, device_description,
                 ECHO_PJRT_DESCRIPTION, {
                   args->attributes = NULL;
                   args->num_attributes = 0;
                 })

ECHO_PJRT_GETTER(DeviceDescription_Kind, device_kind_size, device_description,
                 ECHO_PJRT_DESCRIPTION, {
                   args->device_kind = KIND;
                   args->device_kind_size = sizeof KIND - 1;
                 })

ECHO_PJRT_GETTER(DeviceDescription_DebugString, debug_string_size, device_description,
                 ECHO_PJRT_DESCRIPTION, {
                   args->debug_string = args->device_description->text;
                   args->debug_string_size = strlen(args->device_description->text);
                 })

ECHO_PJRT_GETTER(DeviceDescription_ToString, to_string_size, device_description,
                 ECHO_PJRT_DESCRIPTION, {
                   args->to_string = args->device_description->text;
                   args->to_string_size = strlen(args->device_description->text);
                 })

/* ---- devices ---- */

ECHO_PJRT_GETTER(Device_GetDescription, device_description, device, ECHO_PJRT_DEVICE,
                 { args->device_description = args->device->description; })

ECHO_PJRT_GETTER(Device_IsAddressable, is_addressable, device, ECHO_PJRT_DEVICE,
                 { args->is_addressable = true; })

ECHO_PJRT_GETTER(Device_LocalHardwareId, local_hardware_id, device, ECHO_PJRT_DEVICE,
                 { args->local_hardware_id = args->device->id; })

ECHO_PJRT_GETTER(Device_AddressableMemories, num_memories, device, ECHO_PJRT_DEVICE, {
  args->memories = args->device->memories;
  args->num_memories = ECHO_PJRT_N_MEMORIES;
})

ECHO_PJRT_GETTER(Device_DefaultMemory, memory, device, ECHO_PJRT_DEVICE,
                 { args->memory = args->device->memories[ECHO_PJRT_ON_DEVICE]; })

PJRT_Error *Echo_PJRT_Device_MemoryStats(PJRT_Device_MemoryStats_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, peak_pool_bytes_is_set);
  ECHO_PJRT_CHECK_LIVE(args->device, ECHO_PJRT_DEVICE);
  const EchoDevice *device = args->device->cpu;
  args->bytes_in_use = (int64_t)echo_device_bytes(device);
  args->peak_bytes_in_use = (int64_t)echo_device_peak_bytes(device);
  args->peak_bytes_in_use_is_set = true;
  /* Every device's memory is the machine's. */
  long n_pages = sysconf(_SC_PHYS_PAGES), page_size = sysconf(_SC_PAGESIZE);
  args->bytes_limit_is_set = n_pages > 0 && page_size > 0;
  args->bytes_limit = args->bytes_limit_is_set ? (int64_t)n_pages * page_size : 0;
  args->num_allocs_is_set = args->largest_alloc_size_is_set = args->bytes_reserved_is_set =
      args->peak_bytes_reserved_is_set = args->bytes_reservable_limit_is_set =
          args->largest_free_block_bytes_is_set = args->pool_bytes_is_set =
              args->peak_pool_bytes_is_set = false;
  return NULL;
}
