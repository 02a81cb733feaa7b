/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the files that implement base/file.h share. */
#ifndef ECHO_BASE_FILE_T_H
#define ECHO_BASE_FILE_T_H

#include "base/file.h"

/* Appends "cannot VERB 'PATH': reason" and returns false. `path` is as the user gave it. */
bool echo_file_error(EchoBuffer *error, const char *verb, const char *path, int error_number);

#endif
