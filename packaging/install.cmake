# What is installed: programs, libraries, headers, packages for CMake, pkg-config and Python, and under share/levy the examples,
# their schema, the documents and the licences. A wheel has the same tree inside its package, without what a C program alone
# needs. Included by the root CMakeLists.txt, whose variables it uses.

set(levy_share "${CMAKE_INSTALL_DATADIR}/levy")
install(FILES "${PROJECT_SOURCE_DIR}/engine/levy.h" "${PROJECT_SOURCE_DIR}/engine/levy_mpi.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/configs" DESTINATION "${levy_share}" PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION "${levy_share}")
foreach(page README.md CHANGELOG.md CITATION.cff CONTRIBUTING.md SECURITY.md LICENSE)
  install(FILES "${PROJECT_SOURCE_DIR}/${page}" DESTINATION "${levy_share}")
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/engine/python/README.md" DESTINATION "${levy_share}/engine/python") # README.md's link
install(DIRECTORY "${PROJECT_SOURCE_DIR}/packaging/licences" DESTINATION "${levy_share}")
if(TARGET levy)
  install(TARGETS levy RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(TARGETS levy_bench RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/levy")
endif()
if(TARGET levy_cuda)
  install(TARGETS levy_cuda LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/levy")
endif()
if(LEVY_WHEEL)
  install(TARGETS levy_shared LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  return()
endif()

install(TARGETS levy_shared EXPORT levy_targets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(TARGETS levy_static EXPORT levy_targets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
set_target_properties(levy_shared PROPERTIES EXPORT_NAME levy)
set_target_properties(levy_static PROPERTIES EXPORT_NAME levy-static)
install(EXPORT levy_targets NAMESPACE levy:: FILE levy-targets.cmake DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/levy")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/levy-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES engine/levy-config.cmake "${PROJECT_BINARY_DIR}/levy-config-version.cmake" DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/levy")

install(DIRECTORY engine/python/levy DESTINATION "${CMAKE_INSTALL_LIBDIR}/levy/python" # finds liblevy.so beside lib/levy
  FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)

# The manual page and the completions are the program's own words, so they are there when it could be run.
if(TARGET levy AND NOT CMAKE_CROSSCOMPILING)
  set(levy_words levy.1 levy.bash _levy levy.fish)
  add_custom_command(OUTPUT ${levy_words} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}" VERBATIM DEPENDS levy
    COMMAND $<TARGET_FILE:levy> help --man > levy.1 COMMAND $<TARGET_FILE:levy> completion bash > levy.bash
    COMMAND $<TARGET_FILE:levy> completion zsh > _levy COMMAND $<TARGET_FILE:levy> completion fish > levy.fish)
  add_custom_target(levy_words ALL DEPENDS ${levy_words})
  add_dependencies(levy_programs levy_words)
  install(FILES "${PROJECT_BINARY_DIR}/levy.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" OPTIONAL)
  install(FILES "${PROJECT_BINARY_DIR}/levy.bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME levy OPTIONAL)
  install(FILES "${PROJECT_BINARY_DIR}/_levy" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" OPTIONAL)
  install(FILES "${PROJECT_BINARY_DIR}/levy.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" OPTIONAL)
endif()
file(RELATIVE_PATH levy_pc_prefix "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/levy.pc" CONTENT "prefix=\${pcfiledir}/${levy_pc_prefix}
libdir=\${prefix}/${CMAKE_INSTALL_LIBDIR}
includedir=\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}

Name: levy
Description: ${PROJECT_DESCRIPTION}
Version: ${PROJECT_VERSION}
Libs: -L\${libdir} -llevy
Libs.private: -lyaml -lpthread -ldl -lm
Cflags: -I\${includedir}
")
install(FILES "${PROJECT_BINARY_DIR}/levy.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

# `cpack -G DEB` in the build folder makes a package of it all.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME levy)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_VENDOR levy)
set(CPACK_PACKAGE_CONTACT "the authors of levy")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT) # by Debian's name of the architecture: amd64, not x86_64
set(CPACK_DEBIAN_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON) # the C library and libyaml, as dpkg knows them
# Debian's Python looks into one folder for packages: a link there leads to ours.
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(levy_packages usr/lib/python3/dist-packages)
  file(RELATIVE_PATH levy_link "/${levy_packages}" "/usr/${CMAKE_INSTALL_LIBDIR}/levy/python/levy")
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/levy_link.cmake" @ONLY CONTENT [[
file(MAKE_DIRECTORY "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/@levy_packages@")
file(CREATE_LINK "@levy_link@" "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/@levy_packages@/levy" SYMBOLIC)
]])
  set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_BINARY_DIR}/levy_link.cmake")
endif()
include(CPack)
