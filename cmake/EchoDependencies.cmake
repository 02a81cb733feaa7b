# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What Echo is built with. Drivers, BLAS and the CUDA libraries are found at run time instead.

set(ECHO_LLVM_MAJOR 19)

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(ZLIB REQUIRED)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(FFI REQUIRED IMPORTED_TARGET libffi)
pkg_check_modules(CHECK IMPORTED_TARGET check)

# Plain llvm-config may be another LLVM: ask for ours by name.
find_program(ECHO_LLVM_CONFIG llvm-config-${ECHO_LLVM_MAJOR} REQUIRED)
foreach(question includedir libdir version)
  execute_process(COMMAND "${ECHO_LLVM_CONFIG}" --${question}
                  OUTPUT_VARIABLE echo_llvm_${question} OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()
if(NOT echo_llvm_version MATCHES "^${ECHO_LLVM_MAJOR}\\.")
  message(FATAL_ERROR "${ECHO_LLVM_CONFIG} is LLVM ${echo_llvm_version}, "
                      "not ${ECHO_LLVM_MAJOR}")
endif()
find_library(ECHO_LLVM_LIBRARY LLVM-${ECHO_LLVM_MAJOR} PATHS "${echo_llvm_libdir}"
             NO_DEFAULT_PATH REQUIRED)
add_library(Echo_LLVM INTERFACE)
target_include_directories(Echo_LLVM SYSTEM INTERFACE "${echo_llvm_includedir}")
target_link_libraries(Echo_LLVM INTERFACE "${ECHO_LLVM_LIBRARY}")
