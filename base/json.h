/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A streaming JSON writer into a buffer. Commas, indentation and escapes are its business; the
 * caller opens and closes objects and arrays in order (checked). Non-finite doubles become null,
 * since JSON has none. */
#ifndef ECHO_BASE_JSON_H
#define ECHO_BASE_JSON_H

#include "base/string.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoJsonWriter {
  EchoBuffer *out; /* borrowed */
  uint32_t depth;
  uint64_t is_array; /* bit per level */
  uint64_t has_item; /* bit per level */
  bool after_key;
} EchoJsonWriter;

EchoJsonWriter echo_json_writer(EchoBuffer *out);
void echo_json_begin_object(EchoJsonWriter *json);
void echo_json_end_object(EchoJsonWriter *json);
void echo_json_begin_array(EchoJsonWriter *json);
void echo_json_end_array(EchoJsonWriter *json);
void echo_json_key(EchoJsonWriter *json, const char *key);
void echo_json_string(EchoJsonWriter *json, EchoStr value);
void echo_json_i64(EchoJsonWriter *json, int64_t value);
void echo_json_u64(EchoJsonWriter *json, uint64_t value);
void echo_json_f64(EchoJsonWriter *json, double value); /* shortest text that reads back the same */
void echo_json_bool(EchoJsonWriter *json, bool value);
void echo_json_null(EchoJsonWriter *json);
/* key and value in one call */
void echo_json_field_string(EchoJsonWriter *json, const char *key, EchoStr value);
void echo_json_field_i64(EchoJsonWriter *json, const char *key, int64_t value);
void echo_json_field_u64(EchoJsonWriter *json, const char *key, uint64_t value);
void echo_json_field_f64(EchoJsonWriter *json, const char *key, double value);
void echo_json_field_bool(EchoJsonWriter *json, const char *key, bool value);

#ifdef __cplusplus
}
#endif

#endif
