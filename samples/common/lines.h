/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A text file, plain or gzip, by lines. */
#ifndef ECHO_SAMPLES_COMMON_LINES_H
#define ECHO_SAMPLES_COMMON_LINES_H

#include "base/string.h"
#include "base/vector.h"

typedef ECHO_VECTOR(EchoStr) SampleLineList;

typedef struct SampleLines {
  EchoBuffer bytes;
  SampleLineList lines; /* views into bytes, without their ends */
} SampleLines;

/* False with the reason appended to *error. */
bool sample_lines_read(const char *path, SampleLines *text, EchoBuffer *error);
void sample_lines_destroy(SampleLines *text);

#endif
