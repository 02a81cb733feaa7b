/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Options from the environment, from a client's create_options and from JAX's compiler_options,
 * which come as a protocol buffer (CompileOptionsProto). */
#include "pjrt/plugin_t.h"

void echo_pjrt_options_copy(EchoPjrtOptions *to, const EchoPjrtOptions *from)
{
  *to = (EchoPjrtOptions){.is_off = from->is_off,
                          .keeps_denormals = from->keeps_denormals,
                          .n_threads = from->n_threads,
                          .n_devices = from->n_devices,
                          .seed = from->seed};
  echo_buffer_append_str(&to->echo, echo_buffer_str(&from->echo));
  echo_buffer_append_str(&to->report, echo_buffer_str(&from->report));
  echo_buffer_append_str(&to->cache, echo_buffer_str(&from->cache));
}

void echo_pjrt_options_destroy(EchoPjrtOptions *options)
{
  echo_buffer_destroy(&options->echo);
  echo_buffer_destroy(&options->report);
  echo_buffer_destroy(&options->cache);
}

static PJRT_Error *set_text(EchoBuffer *to, EchoStr value)
{
  echo_buffer_clear(to);
  echo_buffer_append_str(to, value);
  return NULL;
}

/* Replaces "key=…" of the echo pass's options, or adds it. */
static void set_echo(EchoBuffer *echo, EchoStr key, EchoStr value)
{
  EchoBuffer all = {0};
  EchoStr rest = echo_buffer_str(echo);
  while (rest.size != 0) {
    const char *comma = memchr(rest.data, ',', rest.size);
    EchoStr item = {rest.data, comma != NULL ? (size_t)(comma - rest.data) : rest.size};
    rest.data += item.size + (comma != NULL);
    rest.size -= item.size + (comma != NULL);
    bool is_same = item.size >= key.size && memcmp(item.data, key.data, key.size) == 0 &&
                   (item.size == key.size || item.data[key.size] == '=');
    if (!is_same)
      echo_buffer_printf(&all, "%s%.*s", all.size != 0 ? "," : "", ECHO_STR_ARG(item));
  }
  echo_buffer_printf(&all, "%s%.*s", all.size != 0 ? "," : "", ECHO_STR_ARG(key));
  if (value.size != 0)
    echo_buffer_printf(&all, "=%.*s", ECHO_STR_ARG(value));
  echo_buffer_destroy(echo);
  *echo = all;
}

PJRT_Error *echo_pjrt_options_set(EchoPjrtOptions *options, EchoStr key, EchoStr value)
{
  if (echo_str_is(key, "report"))
    return set_text(&options->report, value);
  if (echo_str_is(key, "cache"))
    return set_text(&options->cache, value);
  if (echo_str_is(key, "threads"))
    return echo_str_to_u64(value, &options->n_threads) && options->n_threads <= 1024
               ? NULL
               : echo_pjrt_error(PJRT_Error_Code_INVALID_ARGUMENT, "threads=%.*s is no number",
                                 ECHO_STR_ARG(value));
  if (echo_str_is(key, "seed"))
    return echo_str_to_u64(value, &options->seed)
               ? NULL
               : echo_pjrt_error(PJRT_Error_Code_INVALID_ARGUMENT, "seed=%.*s is no number",
                                 ECHO_STR_ARG(value));
  if (echo_str_is(key, "devices"))
    return echo_str_to_u64(value, &options->n_devices) && options->n_devices >= 1 &&
                   options->n_devices <= ECHO_PJRT_MAX_DEVICES
               ? NULL
               : echo_pjrt_error(PJRT_Error_Code_INVALID_ARGUMENT,
                                 "devices=%.*s is no number from 1 to %d", ECHO_STR_ARG(value),
                                 (int)ECHO_PJRT_MAX_DEVICES);
  if (echo_str_is(key, "denormals")) {
    options->keeps_denormals = echo_str_is(value, "keep");
    return options->keeps_denormals || echo_str_is(value, "flush")
               ? NULL
               : echo_pjrt_error(PJRT_Error_Code_INVALID_ARGUMENT,
                                 "denormals=%.*s is none of flush, keep", ECHO_STR_ARG(value));
  }
  if (echo_str_is(key, "off") || echo_str_is(key, "on")) {
    options->is_off = echo_str_is(key, "off");
    return NULL;
  }
  if (echo_str_is(key, "swap") && !echo_str_is(value, "off"))
    return echo_pjrt_error(PJRT_Error_Code_UNIMPLEMENTED,
                           "swap=%.*s: state would wait in host memory, but a client's buffers are "
                           "in the device's",
                           ECHO_STR_ARG(value));
  options->is_off = false;
  set_echo(&options->echo, key, value);
  return NULL;
}

PJRT_Error *echo_pjrt_options_parse(EchoPjrtOptions *options, EchoStr text)
{
  PJRT_Error *error = NULL;
  while (text.size != 0 && error == NULL) {
    const char *comma = memchr(text.data, ',', text.size);
    EchoStr item = {text.data, comma != NULL ? (size_t)(comma - text.data) : text.size};
    text.data += item.size + (comma != NULL);
    text.size -= item.size + (comma != NULL);
    item = echo_str_trim(item);
    if (item.size == 0)
      continue;
    const char *equals = memchr(item.data, '=', item.size);
    EchoStr key = {item.data, equals != NULL ? (size_t)(equals - item.data) : item.size};
    EchoStr value = {item.data + key.size + 1, equals != NULL ? item.size - key.size - 1 : 0};
    error = echo_pjrt_options_set(options, key, equals != NULL ? value : (EchoStr){"", 0});
  }
  return error;
}

/* ---- protocol buffers ---- */

typedef struct Field {
  uint64_t number, varint;
  int wire;
  EchoStr bytes; /* of wire type 2 */
} Field;

static bool read_varint(EchoStr *text, uint64_t *value)
{
  *value = 0;
  for (unsigned shift = 0; shift < 64 && text->size != 0; shift += 7) {
    unsigned char byte = (unsigned char)*text->data++;
    text->size--;
    *value |= (uint64_t)(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0)
      return true;
  }
  return false;
}

static bool skip(EchoStr *text, uint64_t n)
{
  if (n > text->size)
    return false;
  text->data += n;
  text->size -= (size_t)n;
  return true;
}

/* The next field of a message; false where it is none. */
static bool read_field(EchoStr *text, Field *field)
{
  uint64_t tag, size;
  *field = (Field){0};
  if (!read_varint(text, &tag))
    return false;
  field->number = tag >> 3;
  field->wire = (int)(tag & 7);
  switch (field->wire) {
  case 0:
    return read_varint(text, &field->varint);
  case 1:
    field->bytes = (EchoStr){text->data, 8};
    return skip(text, 8);
  case 2:
    if (!read_varint(text, &size))
      return false;
    field->bytes = (EchoStr){text->data, (size_t)size};
    return skip(text, size);
  case 5:
    field->bytes = (EchoStr){text->data, 4};
    return skip(text, 4);
  default:
    return false;
  }
}

static PJRT_Error *broken(void)
{
  return echo_pjrt_error(PJRT_Error_Code_INVALID_ARGUMENT,
                         "the compile options are no CompileOptionsProto");
}

/* OptionOverrideProto: a string, a bool, an int or a double. */
static bool override_text(EchoStr message, EchoBuffer *text)
{
  Field field;
  while (message.size != 0) {
    if (!read_field(&message, &field))
      return false;
    double number;
    if (field.wire == 2)
      echo_buffer_append_str(text, field.bytes);
    else if (field.wire == 0 && field.number == 2)
      echo_buffer_append_c(text, field.varint != 0 ? "true" : "false");
    else if (field.wire == 0)
      echo_buffer_append_i64(text, (int64_t)field.varint);
    else if (field.wire == 1) {
      memcpy(&number, field.bytes.data, sizeof number);
      echo_buffer_printf(text, "%.17g", number);
    }
  }
  return true;
}

/* XLA's own: its flags, and how much effort to spend where. They have no meaning here. */
static bool is_of_xla(EchoStr key)
{
  static const char *const NAMES[] = {"exec_time_optimization_effort", "memory_fitting_effort",
                                      "optimization_level", "memory_fitting_level"};
  bool is_known = echo_str_starts_with(key, "xla_");
  for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
    is_known |= echo_str_is(key, NAMES[i]);
  return is_known;
}

/* An entry of env_option_overrides: "echo_budget" is budget, "echo" takes all of ECHO_OPTIONS;
 * others are XLA's. */
static PJRT_Error *read_override(EchoPjrtOptions *options, EchoStr entry)
{
  EchoStr key = {0};
  EchoBuffer value = {0};
  bool fine = true;
  while (fine && entry.size != 0) {
    Field field;
    fine = read_field(&entry, &field);
    if (fine && field.number == 1)
      key = field.bytes;
    else if (fine && field.number == 2)
      fine = override_text(field.bytes, &value);
  }
  PJRT_Error *error = fine ? NULL : broken();
  if (fine && echo_str_is(key, "echo")) {
    error = echo_pjrt_options_parse(options, echo_buffer_str(&value));
  } else if (fine && echo_str_starts_with(key, "echo_")) {
    key.data += strlen("echo_");
    key.size -= strlen("echo_");
    error = echo_pjrt_options_set(options, key, echo_buffer_str(&value));
  } else if (fine && !is_of_xla(key)) {
    error = echo_pjrt_error(PJRT_Error_Code_INVALID_ARGUMENT, "No such compile option: '%.*s'",
                            ECHO_STR_ARG(key));
  }
  echo_buffer_destroy(&value);
  return error;
}

/* A repeated number, packed into bytes or one a field. */
static bool read_ids(EchoPjrtAssignment *assignment, const Field *field)
{
  if (field->wire == 0)
    echo_vector_push(&assignment->ids, field->varint);
  EchoStr packed = field->bytes;
  uint64_t id;
  while (field->wire == 2 && packed.size != 0) {
    if (!read_varint(&packed, &id))
      return false;
    echo_vector_push(&assignment->ids, id);
  }
  return field->wire == 0 || field->wire == 2;
}

/* DeviceAssignmentProto: for each partition the devices of its replicas. */
static bool read_assignment(EchoPjrtAssignment *assignment, EchoStr message)
{
  enum { PARTITION = 3, IDS = 1 };
  while (message.size != 0) {
    Field field, inner;
    if (!read_field(&message, &field))
      return false;
    EchoStr partition = field.number == PARTITION ? field.bytes : (EchoStr){0};
    while (partition.size != 0)
      if (!read_field(&partition, &inner) || (inner.number == IDS && !read_ids(assignment, &inner)))
        return false;
  }
  return true;
}

/* Partition by partition as they come: replica by replica. */
static void order_by_replica(EchoPjrtAssignment *assignment)
{
  EchoPjrtAssignment by_replica = *assignment;
  by_replica.ids = (__typeof__(by_replica.ids)){0};
  for (uint64_t r = 0; r < assignment->n_replicas; r++)
    for (uint64_t p = 0; p < assignment->n_partitions; p++)
      echo_vector_push(&by_replica.ids, assignment->ids.data[p * assignment->n_replicas + r]);
  echo_vector_destroy(&assignment->ids);
  *assignment = by_replica;
}

static PJRT_Error *read_build_options(EchoPjrtAssignment *assignment, EchoStr message)
{
  enum { N_REPLICAS = 4, N_PARTITIONS = 5, ASSIGNMENT = 9 };
  while (message.size != 0) {
    Field field;
    if (!read_field(&message, &field))
      return broken();
    if (field.number == N_REPLICAS && field.varint != 0)
      assignment->n_replicas = field.varint;
    else if (field.number == N_PARTITIONS && field.varint != 0)
      assignment->n_partitions = field.varint;
    else if (field.number == ASSIGNMENT && !read_assignment(assignment, field.bytes))
      return broken();
  }
  ECHO_PJRT_CHECK(assignment->n_replicas <= ECHO_PJRT_MAX_DEVICES &&
                      assignment->n_partitions <= ECHO_PJRT_MAX_DEVICES,
                  "a program for %llu times %llu devices",
                  (unsigned long long)assignment->n_replicas,
                  (unsigned long long)assignment->n_partitions);
  if (assignment->ids.size == 0)
    return NULL;
  ECHO_PJRT_CHECK(assignment->ids.size == assignment->n_replicas * assignment->n_partitions,
                  "an assignment of %zu devices to a program for %llu times %llu",
                  assignment->ids.size, (unsigned long long)assignment->n_replicas,
                  (unsigned long long)assignment->n_partitions);
  order_by_replica(assignment);
  return NULL;
}

PJRT_Error *echo_pjrt_options_read_proto(EchoPjrtOptions *options, EchoPjrtAssignment *assignment,
                                         EchoStr proto)
{
  enum { IS_TUPLED = 2, BUILD_OPTIONS = 3, OVERRIDES = 7 };
  PJRT_Error *error = NULL;
  *assignment = (EchoPjrtAssignment){.n_replicas = 1, .n_partitions = 1};
  while (proto.size != 0 && error == NULL) {
    Field field;
    if (!read_field(&proto, &field))
      return broken();
    if (field.number == IS_TUPLED && field.varint != 0)
      error = echo_pjrt_error(PJRT_Error_Code_UNIMPLEMENTED, "arguments as one tuple");
    else if (field.number == BUILD_OPTIONS && field.wire == 2)
      error = read_build_options(assignment, field.bytes);
    else if (field.number == OVERRIDES && field.wire == 2)
      error = read_override(options, field.bytes);
  }
  return error;
}
