/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The version of Echo, and the one place where it stands: CMake reads it here. Headers and
 * libraries with the same major and minor number fit together. */
#ifndef ECHO_BASE_VERSION_H
#define ECHO_BASE_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

#define ECHO_VERSION_MAJOR 0
#define ECHO_VERSION_MINOR 1
#define ECHO_VERSION_PATCH 0

/* One number that grows with the version: #if ECHO_VERSION >= ECHO_VERSION_NUMBER(0, 2, 0). */
#define ECHO_VERSION_NUMBER(major, minor, patch) ((major)*10000 + (minor)*100 + (patch))
#define ECHO_VERSION ECHO_VERSION_NUMBER(ECHO_VERSION_MAJOR, ECHO_VERSION_MINOR, ECHO_VERSION_PATCH)

/* "0.1.0" */
#define ECHO_VERSION_QUOTE(text) #text
#define ECHO_VERSION_JOIN(major, minor, patch)                                                     \
  ECHO_VERSION_QUOTE(major) "." ECHO_VERSION_QUOTE(minor) "." ECHO_VERSION_QUOTE(patch)
#define ECHO_VERSION_TEXT                                                                          \
  ECHO_VERSION_JOIN(ECHO_VERSION_MAJOR, ECHO_VERSION_MINOR, ECHO_VERSION_PATCH)

/* Those of the library that runs, which may be newer than the headers. */
int echo_version(void);
const char *echo_version_text(void);

#ifdef __cplusplus
}
#endif

#endif
