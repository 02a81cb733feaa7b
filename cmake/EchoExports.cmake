# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What the shared libraries export: what installed headers declare, and nothing else, each symbol with a version.

# Folders whose headers are installed; those that end in _t.h are private to their folder.
set(ECHO_LIBRARY_FOLDERS base ir dialects planning lowering echo_pass codegen jit echo)

# echo_public_headers(OUT folders...): their installed headers, relative to the repository's root.
function(echo_public_headers out)
  set(all "")
  foreach(folder ${ARGN})
    file(GLOB_RECURSE headers RELATIVE "${CMAKE_SOURCE_DIR}" CONFIGURE_DEPENDS
         "${CMAKE_SOURCE_DIR}/${folder}/*.h")
    list(FILTER headers EXCLUDE REGEX "_t\\.h$")
    list(APPEND all ${headers})
  endforeach()
  list(REMOVE_DUPLICATES all)
  set(${out} "${all}" PARENT_SCOPE)
endfunction()

# echo_export_declared(LIBRARY folders...): LIBRARY, made by echo_add_shared_library, exports what the headers of these
# folders declare. A header belongs to the first library that names its folder.
function(echo_export_declared library)
  echo_public_headers(headers ${ARGN})
  get_property(earlier GLOBAL PROPERTY ECHO_EXPORTED_HEADERS)
  list(REMOVE_ITEM headers "" ${earlier})
  set_property(GLOBAL APPEND PROPERTY ECHO_EXPORTED_HEADERS ${headers})
  if(NOT TARGET shared_${library})
    return()
  endif()
  set(map "${CMAKE_BINARY_DIR}/exports/${library}.map")
  set(all "")
  set(earlier_all "")
  foreach(header ${headers})
    string(APPEND all "#include \"${header}\"\n")
  endforeach()
  foreach(header ${earlier})
    string(APPEND earlier_all "#include \"${header}\"\n")
  endforeach()
  file(CONFIGURE OUTPUT "exports/${library}.c" CONTENT "${all}" @ONLY)
  file(CONFIGURE OUTPUT "exports/${library}-without.c" CONTENT "${earlier_all}" @ONLY)
  set(dependencies ${headers} ${earlier})
  list(TRANSFORM dependencies PREPEND "${CMAKE_SOURCE_DIR}/")
  add_custom_command(
    OUTPUT "${map}"
    COMMAND "${CMAKE_COMMAND}" "-DCOMPILER=${CMAKE_C_COMPILER}" "-DROOT=${CMAKE_SOURCE_DIR}"
            "-DHEADERS=${CMAKE_BINARY_DIR}/exports/${library}.c"
            "-DWITHOUT=${CMAKE_BINARY_DIR}/exports/${library}-without.c"
            "-DNODE=ECHO_${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}" "-DMAP=${map}"
            -P "${CMAKE_SOURCE_DIR}/cmake/WriteExports.cmake"
    DEPENDS ${dependencies} "${CMAKE_SOURCE_DIR}/cmake/WriteExports.cmake"
            "${CMAKE_BINARY_DIR}/exports/${library}.c"
    COMMENT "Listing what lib${library} exports"
    VERBATIM)
  add_custom_target(exports_${library} DEPENDS "${map}")
  add_dependencies(shared_${library} exports_${library})
  target_link_options(shared_${library} PRIVATE "LINKER:--version-script=${map}")
  set_property(TARGET shared_${library} APPEND PROPERTY LINK_DEPENDS "${map}")
endfunction()
