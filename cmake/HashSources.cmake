# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Run when a source changed: writes ECHO_RESULT, in C, which names what is in ECHO_SOURCES and the LLVM that they are
# compiled against.

set(hashes "")
foreach(source IN LISTS ECHO_SOURCES)
  file(SHA256 "${source}" hash)
  string(APPEND hashes "${hash}")
endforeach()
string(SHA256 hash "${hashes}")
string(SUBSTRING "${hash}" 0 16 hash)
file(WRITE "${ECHO_RESULT}"
     "#include <llvm/Config/llvm-config.h>\n"
     "#include \"codegen/kernel_t.h\"\n"
     "const char ECHO_CODEGEN_SOURCES[] = \"echo 1 (${hash}), LLVM \" LLVM_VERSION_STRING;\n")
