# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Headers, libraries, tools, a CMake package (find_package(Echo)) and a pkg-config file.

include(CMakePackageConfigHelpers)

# The headers as users include them, <echo/ir/op.h>: see cmake/CopyHeaders.cmake.
echo_public_headers(echo_headers ${ECHO_LIBRARY_FOLDERS})
# The lists of rows that they include.
file(GLOB rows RELATIVE "${CMAKE_SOURCE_DIR}" CONFIGURE_DEPENDS
     "${CMAKE_SOURCE_DIR}/dialects/stablehlo/rows/*.def")
list(APPEND echo_headers ${rows})
install(CODE "set(ECHO_SOURCE_DIR [[${CMAKE_SOURCE_DIR}]])
set(ECHO_HEADERS [[${echo_headers}]])
set(ECHO_COPY_DIR [[${CMAKE_BINARY_DIR}/include]])")
install(SCRIPT "${CMAKE_SOURCE_DIR}/cmake/CopyHeaders.cmake")
install(DIRECTORY "${CMAKE_BINARY_DIR}/include/echo"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")

get_property(echo_shared_libraries GLOBAL PROPERTY ECHO_SHARED_LIBRARIES)
get_property(echo_tools GLOBAL PROPERTY ECHO_EXECUTABLES_tools)
set_target_properties(shared_echo PROPERTIES EXPORT_NAME echo)
if(TARGET shared_echo-jit)
  set_target_properties(shared_echo-jit PROPERTIES EXPORT_NAME jit)
endif()
install(TARGETS ${echo_shared_libraries} ${echo_tools} EXPORT EchoTargets)

set(package_directory "${CMAKE_INSTALL_LIBDIR}/cmake/Echo")
install(EXPORT EchoTargets NAMESPACE Echo:: DESTINATION "${package_directory}")
configure_package_config_file("${CMAKE_SOURCE_DIR}/cmake/EchoConfig.cmake.in"
                              "${CMAKE_BINARY_DIR}/EchoConfig.cmake"
                              INSTALL_DESTINATION "${package_directory}")
write_basic_package_version_file("${CMAKE_BINARY_DIR}/EchoConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/EchoConfig.cmake" "${CMAKE_BINARY_DIR}/EchoConfigVersion.cmake"
        DESTINATION "${package_directory}")

# Relative to the file itself, so that an installed tree may be moved.
file(RELATIVE_PATH ECHO_PREFIX_FROM_PKGCONFIG "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
foreach(name echo echo-jit)
  configure_file("${CMAKE_SOURCE_DIR}/cmake/${name}.pc.in" "${CMAKE_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${CMAKE_BINARY_DIR}/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()
