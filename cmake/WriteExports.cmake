# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes MAP, a linker version script that exports under the version NODE what the C file HEADERS declares beyond what
# WITHOUT does. Both do nothing but include headers; COMPILER's preprocessor leaves declarations, of which those remain that
# are neither types nor defined inline.

# The names that the headers in `file` declare.
function(declared out file)
  execute_process(COMMAND "${COMPILER}" -std=c17 -D_GNU_SOURCE -E -P "-I${ROOT}" "${file}"
                  OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  # Extents, and what else lists of CMake care for.
  string(REGEX REPLACE "\\[[^]]*\\]" " " text "${text}")
  string(REGEX REPLACE "[][\\\\]" " " text "${text}")
  string(REGEX REPLACE "\"[^\"\n]*\"" " " text "${text}")
  string(REGEX REPLACE "[ \t\r\n]+" " " text "${text}")
  # Bodies become "@", parameters and attributes nothing, innermost first.
  foreach(rule "{[^{}]*}|@" "\\([^()]*\\)| ")
    string(REPLACE "|" ";" rule "${rule}")
    list(GET rule 0 inner)
    list(GET rule 1 mark)
    set(before "")
    while(NOT before STREQUAL text)
      set(before "${text}")
      string(REGEX REPLACE "${inner}" "${mark}" text "${text}")
    endwhile()
  endforeach()
  string(REGEX REPLACE "static inline [^@;]*@" "" text "${text}")
  string(REPLACE ";" "\n" text "${text}")
  string(REGEX MATCHALL "[^\n]+" statements "${text}")
  set(names "")
  foreach(statement IN LISTS statements)
    if(NOT statement MATCHES "(^| )(typedef|static)( |$)")
      string(REGEX MATCHALL "(echo|ECHO)_[A-Za-z0-9_]+" found "${statement}")
      list(APPEND names ${found})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES names)
  list(SORT names)
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

declared(names "${HEADERS}")
declared(others "${WITHOUT}")
list(REMOVE_ITEM names "" ${others})
if(NOT names)
  message(FATAL_ERROR "${HEADERS} declares nothing")
endif()
list(JOIN names ";\n    " names)
file(WRITE "${MAP}" "${NODE} {\n  global:\n    ${names};\n  local:\n    *;\n};\n")
