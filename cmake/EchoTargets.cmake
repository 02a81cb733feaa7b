# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Targets follow the folders; a folder without sources gives an empty interface and breaks nothing.

# echo_add_module(FOLDER [SOURCES files...] [EXCEPT files...] LINK libraries...): the static library echo_FOLDER of
# the sources named, or of all in the folder.
function(echo_add_module folder)
  cmake_parse_arguments(ARG "" "" "SOURCES;EXCEPT;LINK" ${ARGN})
  string(REGEX REPLACE "^echo_" "" name "${folder}")
  set(sources ${ARG_SOURCES})
  if(NOT "SOURCES" IN_LIST ARGN)
    file(GLOB_RECURSE sources RELATIVE "${CMAKE_SOURCE_DIR}" CONFIGURE_DEPENDS
         "${CMAKE_SOURCE_DIR}/${folder}/*.c")
    list(REMOVE_ITEM sources "" ${ARG_EXCEPT})
  endif()
  if(sources)
    add_library(echo_${name} STATIC ${sources})
    target_include_directories(echo_${name} PUBLIC "${CMAKE_SOURCE_DIR}")
    target_link_libraries(echo_${name} PUBLIC ${ARG_LINK})
  else()
    add_library(echo_${name} INTERFACE)
    target_include_directories(echo_${name} INTERFACE "${CMAKE_SOURCE_DIR}")
    target_link_libraries(echo_${name} INTERFACE ${ARG_LINK})
  endif()
  set_property(GLOBAL APPEND PROPERTY ECHO_MODULES echo_${name})
endfunction()

# echo_add_shared_library(NAME folders...): libNAME.so of the objects of those folders. Calls inside it are bound
# when it is linked; data is not, so that tables are the same objects in programs and plugins.
function(echo_add_shared_library name)
  set(target shared_${name})
  set(objects "")
  set(libraries "")
  foreach(folder ${ARGN})
    string(REGEX REPLACE "^echo_" "" module "${folder}")
    get_target_property(type echo_${module} TYPE)
    if(type STREQUAL STATIC_LIBRARY)
      list(APPEND objects "$<TARGET_OBJECTS:echo_${module}>")
    endif()
    get_target_property(links echo_${module} INTERFACE_LINK_LIBRARIES)
    list(FILTER links EXCLUDE REGEX "^echo_")
    list(APPEND libraries ${links})
  endforeach()
  get_property(earlier GLOBAL PROPERTY ECHO_SHARED_LIBRARIES)
  if(NOT objects)
    return()
  endif()
  list(REMOVE_DUPLICATES libraries)
  add_library(${target} SHARED ${objects})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} LINKER_LANGUAGE C
                        INSTALL_RPATH "$ORIGIN"
                        VERSION ${PROJECT_VERSION}
                        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_include_directories(${target} PUBLIC
                             "$<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>"
                             "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_link_options(${target} PRIVATE LINKER:-Bsymbolic-functions)
  target_link_libraries(${target} PUBLIC ${earlier} PRIVATE ${libraries})
  set_property(GLOBAL APPEND PROPERTY ECHO_SHARED_LIBRARIES ${target})
endfunction()

# libpjrt_echo.so, the PJRT plug-in: everything in one library, of which one symbol is seen. pjrt_echo links LLVM's
# shared library; pjrt_echo_wheel, which only the wheel asks for, has LLVM in it.
function(echo_add_plugin)
  echo_add_module(pjrt LINK echo_jit)
  set(map "${CMAKE_SOURCE_DIR}/pjrt/exports.map")
  get_property(modules GLOBAL PROPERTY ECHO_MODULES)
  set(objects "")
  foreach(module ${modules})
    list(APPEND objects "$<TARGET_OBJECTS:${module}>")
  endforeach()
  foreach(name pjrt_echo pjrt_echo_wheel)
    add_library(${name} SHARED ${objects})
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
    target_link_libraries(${name} PRIVATE Threads::Threads m ${CMAKE_DL_LIBS})
    target_link_options(${name} PRIVATE "LINKER:--version-script=${map}" LINKER:--gc-sections
                        LINKER:--build-id=sha1) # by which the plug-in knows code that it made
    set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS "${map}")
  endforeach()
  target_link_libraries(pjrt_echo PRIVATE Echo_LLVM PkgConfig::FFI PkgConfig::JANSSON ZLIB::ZLIB)
  execute_process(COMMAND "${ECHO_LLVM_CONFIG}" --link-static --libfiles x86 nvptx passes orcjit
                          mcjit bitreader bitwriter irreader linker
                  OUTPUT_VARIABLE llvm OUTPUT_STRIP_TRAILING_WHITESPACE)
  separate_arguments(llvm UNIX_COMMAND "${llvm}")
  set_target_properties(pjrt_echo_wheel PROPERTIES OUTPUT_NAME pjrt_echo EXCLUDE_FROM_ALL ON
                        BUILD_RPATH "$ORIGIN"
                        LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/wheel/lib")
  # Of LLVM's own dependencies those that code generation needs: not Z3, not libxml2.
  target_link_libraries(pjrt_echo_wheel PRIVATE -Wl,--start-group ${llvm} -Wl,--end-group
                        libffi.a libjansson.a libz.a -l:libstdc++.a -l:libzstd.so.1 -static-libgcc)
  target_link_options(pjrt_echo_wheel PRIVATE LINKER:--exclude-libs,ALL LINKER:-s)
endfunction()

# echo_add_executables(FOLDER EXCEPT names...): one executable for each folder in FOLDER, named after it. A folder
# FOLDER/common is compiled into each of them.
function(echo_add_executables folder)
  cmake_parse_arguments(ARG "" "" "EXCEPT" ${ARGN})
  get_property(shared GLOBAL PROPERTY ECHO_SHARED_LIBRARIES)
  file(GLOB common CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${folder}/common/*.c")
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${folder}/*/*.c")
  set(names "")
  foreach(source ${sources})
    get_filename_component(directory "${source}" DIRECTORY)
    get_filename_component(name "${directory}" NAME)
    list(APPEND names "${name}")
    list(APPEND sources_of_${name} "${source}")
  endforeach()
  list(REMOVE_DUPLICATES names)
  list(REMOVE_ITEM names common ${ARG_EXCEPT})
  foreach(name ${names})
    add_executable(${name} ${sources_of_${name}} ${common})
    target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}")
    target_link_libraries(${name} PRIVATE ${shared} PkgConfig::JANSSON ZLIB::ZLIB m
                                          ${CMAKE_DL_LIBS})
    set_property(GLOBAL APPEND PROPERTY ECHO_EXECUTABLES_${folder} ${name})
  endforeach()
endfunction()

# echo-run-bundle, which is taken where nothing else of ours is: one file that needs libc, and finds the rest when a
# program asks for it. It is echo-run's steps over the runtime.
function(echo_add_bundle_tool)
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tools/echo-run-bundle/*.c")
  foreach(name compare inputs kernels machine ranks signature steps tell whole)
    list(APPEND sources "${CMAKE_SOURCE_DIR}/tools/echo-run/${name}.c")
  endforeach()
  foreach(name crash progress report)
    list(APPEND sources "${CMAKE_SOURCE_DIR}/tools/common/${name}.c")
  endforeach()
  find_library(ECHO_STATIC_JANSSON libjansson.a)
  find_library(ECHO_STATIC_ZLIB libz.a)
  mark_as_advanced(ECHO_STATIC_JANSSON ECHO_STATIC_ZLIB)
  set(jansson PkgConfig::JANSSON)
  set(zlib ZLIB::ZLIB)
  if(ECHO_STATIC_JANSSON AND ECHO_STATIC_ZLIB)
    set(jansson "${ECHO_STATIC_JANSSON}")
    set(zlib "${ECHO_STATIC_ZLIB}")
  endif()
  add_executable(echo-run-bundle ${sources})
  target_link_libraries(echo-run-bundle PRIVATE echo_runtime "${jansson}" "${zlib}" m
                                                ${CMAKE_DL_LIBS})
  target_link_options(echo-run-bundle PRIVATE LINKER:--gc-sections)
  if(NOT ECHO_SANITIZE AND NOT ECHO_COVERAGE)
    target_link_options(echo-run-bundle PRIVATE $<$<CONFIG:Release>:LINKER:-s>)
  endif()
  set_property(GLOBAL APPEND PROPERTY ECHO_EXECUTABLES_tools echo-run-bundle)
endfunction()

# What a user wants built: libraries, tools and samples, no tests.
function(echo_add_programs_target)
  get_property(shared GLOBAL PROPERTY ECHO_SHARED_LIBRARIES)
  get_property(tools GLOBAL PROPERTY ECHO_EXECUTABLES_tools)
  get_property(samples GLOBAL PROPERTY ECHO_EXECUTABLES_samples)
  add_custom_target(programs DEPENDS ${shared} pjrt_echo ${tools} ${samples})
endfunction()

# One Check program for each tests/unit/MODULE/NAME_test.c; other sources there help all tests of that module, and where
# MODULE is a tool, all of its sources but the main one. Without Check, one test that fails and says so.
function(echo_add_unit_tests)
  if(NOT CHECK_FOUND)
    message(STATUS "Check is missing: no unit tests are built")
    add_test(NAME Check_is_missing COMMAND sh -c
             "echo 'Check is missing (Debian: check): install it, configure and build again'; exit 1")
    return()
  endif()
  get_property(modules GLOBAL PROPERTY ECHO_MODULES)
  file(GLOB tests CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/unit/*/*_test.c")
  file(GLOB helpers CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/unit/*/*.c")
  list(FILTER helpers EXCLUDE REGEX "_test\\.c$")
  file(GLOB tool_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tools/*/*.c")
  list(FILTER tool_sources EXCLUDE REGEX "/main\\.c$")
  foreach(test ${tests})
    get_filename_component(name "${test}" NAME_WE)
    get_filename_component(directory "${test}" DIRECTORY)
    get_filename_component(module "${directory}" NAME)
    if(TARGET ${name})
      set(name ${module}_${name})
    endif()
    set(module_helpers ${helpers})
    list(FILTER module_helpers INCLUDE REGEX "^${directory}/")
    set(module_sources "")
    if(IS_DIRECTORY "${CMAKE_SOURCE_DIR}/tools/${module}")
      set(module_sources ${tool_sources})
      list(FILTER module_sources INCLUDE REGEX "/tools/(${module}|common)/")
    endif()
    add_executable(${name} "${test}" ${module_helpers} ${module_sources})
    set_target_properties(${name} PROPERTIES
                          RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests/unit/${module}")
    target_compile_definitions(${name} PRIVATE ECHO_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                               ECHO_BINARY_DIR="${CMAKE_BINARY_DIR}")
    if(module STREQUAL pjrt) # what a client sees: the table, by dlopen
      target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}")
      target_link_libraries(${name} PRIVATE PkgConfig::CHECK Threads::Threads ${CMAKE_DL_LIBS} m)
      add_dependencies(${name} pjrt_echo)
    elseif(module STREQUAL base)
      target_link_libraries(${name} PRIVATE echo_base PkgConfig::JANSSON PkgConfig::CHECK m)
    else()
      target_link_libraries(${name} PRIVATE ${modules} PkgConfig::CHECK m)
    endif()
    # Check's macros pass no arguments to "...", which C17 does not know yet.
    target_compile_options(${name} PRIVATE -Wno-pedantic -Wno-variadic-macros)
    add_test(NAME ${module}/${name} COMMAND ${name} WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
    # Check allows four seconds a test, which a busy machine or a sanitizer may need many times over.
    set_tests_properties(${module}/${name} PROPERTIES LABELS ${module} TIMEOUT 900
                         ENVIRONMENT
                         "CK_TIMEOUT_MULTIPLIER=20;LD_LIBRARY_PATH=${CMAKE_BINARY_DIR}/gpu")
  endforeach()
endfunction()

# A library that stands in for one of NVIDIA's, from the sources of a folder: in gpu/ of the build, where only who asks for
# it finds it, by the name that the loader looks for.
function(echo_add_stand_in target folder name version)
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${folder}/*.c")
  add_library(${target} SHARED ${sources})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} SOVERSION ${version} VERSION ${version}
                        C_VISIBILITY_PRESET hidden
                        LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/gpu")
  target_include_directories(${target} PRIVATE "${CMAKE_SOURCE_DIR}")
endfunction()

# The driver of the emulated GPU, which executes kernels, so that speed counts.
function(echo_add_emulated_driver)
  echo_add_stand_in(emulated_gpu tests/gpu cuda 1)
  if(NOT ECHO_SANITIZE)
    target_compile_options(emulated_gpu PRIVATE -O3)
  endif()
  target_link_libraries(emulated_gpu PRIVATE m)
endfunction()

# That, and a cuBLASLt, a cuDNN and an NCCL that run on it.
function(echo_add_emulated_gpu)
  echo_add_emulated_driver()
  echo_add_stand_in(emulated_cublaslt tests/gpu/cublaslt cublasLt 13)
  target_link_libraries(emulated_cublaslt PRIVATE emulated_gpu)
  echo_add_stand_in(emulated_cudnn tests/gpu/cudnn cudnn 9)
  target_link_libraries(emulated_cudnn PRIVATE emulated_gpu)
  echo_add_stand_in(emulated_nccl tests/gpu/nccl nccl 2)
  target_link_libraries(emulated_nccl PRIVATE emulated_gpu ${CMAKE_DL_LIBS})
endfunction()

# What the fuzz targets of graphs share.
function(echo_fuzz_helpers out name)
  set(folder ${name})
  if(name STREQUAL device_fuzz)
    set(folder graph_fuzz)
  endif()
  file(GLOB helpers CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/fuzz/${folder}/*.c")
  set(${out} ${helpers} PARENT_SCOPE)
endfunction()

# One libFuzzer program for each tests/fuzz/NAME.c; sources in tests/fuzz/NAME/ help it.
function(echo_add_fuzz_targets)
  get_property(modules GLOBAL PROPERTY ECHO_MODULES)
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/fuzz/*.c")
  foreach(source ${sources})
    get_filename_component(name "${source}" NAME_WE)
    echo_fuzz_helpers(helpers ${name})
    add_executable(${name} "${source}" ${helpers})
    set_target_properties(${name} PROPERTIES
                          RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/fuzz")
    target_link_libraries(${name} PRIVATE ${modules} m)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  endforeach()
endfunction()

# tests/fuzz/device_fuzz.c as a program of its own, and a short run of it on each GPU that the emulated one may be.
function(echo_add_device_fuzz_test)
  get_property(modules GLOBAL PROPERTY ECHO_MODULES)
  echo_fuzz_helpers(helpers device_fuzz)
  add_executable(device_fuzz "${CMAKE_SOURCE_DIR}/tests/fuzz/device_fuzz.c" ${helpers})
  set_target_properties(device_fuzz PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/fuzz")
  target_compile_definitions(device_fuzz PRIVATE ECHO_FUZZ_STANDALONE)
  target_link_libraries(device_fuzz PRIVATE ${modules} m)
  foreach(gpu sm_80 sm_90)
    add_test(NAME fuzz/device_${gpu} COMMAND device_fuzz 1 12)
    set_tests_properties(fuzz/device_${gpu} PROPERTIES LABELS fuzz TIMEOUT 900
                         ENVIRONMENT "ECHO_GPU=${gpu};LD_LIBRARY_PATH=${CMAKE_BINARY_DIR}/gpu")
  endforeach()
endfunction()
