# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Language, warnings and instrumentation for every target.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Checks stay on in every build: no NDEBUG.
set(CMAKE_C_FLAGS_RELEASE "-O2")
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g")
set(CMAKE_C_FLAGS_DEBUG "-O0 -g")
if(ECHO_SANITIZE)
  set(CMAKE_C_FLAGS_DEBUG "-O1 -g1")
endif()

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")

# The interpreter and the compiled kernels must agree to the bit, so nothing contracts to FMA unasked.
add_compile_options(-ffp-contract=off -fno-semantic-interposition)
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wmissing-prototypes -Wconversion)
if(ECHO_WERROR)
  add_compile_options(-Werror)
endif()
add_compile_definitions(_GNU_SOURCE)
add_link_options(LINKER:--as-needed)

if(ECHO_SANITIZE)
  add_compile_options(-fsanitize=${ECHO_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  # It reads what stands in front of a function; compiled kernels have nothing there.
  if(CMAKE_C_COMPILER_ID MATCHES Clang)
    add_compile_options(-fno-sanitize=function)
  endif()
  add_link_options(-fsanitize=${ECHO_SANITIZE})
endif()
if(ECHO_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()
if(ECHO_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
  # AddressSanitizer sees where these lead, and the tests run with them; they are half of the build and slow the search.
  add_compile_options(-fno-sanitize=null,alignment,object-size)
endif()
