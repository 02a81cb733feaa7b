# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Run at installation: copies ECHO_HEADERS from ECHO_SOURCE_DIR to ECHO_COPY_DIR/echo, and makes what they include from the
# repository's root, "ir/op.h", what users include, <echo/ir/op.h>, so that one include path is enough.

file(REMOVE_RECURSE "${ECHO_COPY_DIR}/echo")
foreach(header IN LISTS ECHO_HEADERS)
  file(READ "${ECHO_SOURCE_DIR}/${header}" text)
  string(REGEX REPLACE "#include \"([^\"]*)\"" "#include <echo/\\1>" text "${text}")
  string(REPLACE "<echo/echo/" "<echo/" text "${text}")
  string(REGEX REPLACE "^echo/" "" name "${header}")
  file(WRITE "${ECHO_COPY_DIR}/echo/${name}" "${text}")
endforeach()
