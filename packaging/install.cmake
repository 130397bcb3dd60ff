# What is installed: programs, libraries, headers, packages for CMake, pkg-config and Python, and under share/levy the examples,
# their schema, the documents and the licences. A wheel has the same tree inside its package, without what a C program alone
# needs. Each component is a Debian package (debian.cmake). Included by the root CMakeLists.txt, whose variables it uses.

set(levy_share "${CMAKE_INSTALL_DATADIR}/levy")
install(FILES "${PROJECT_SOURCE_DIR}/engine/levy.h" "${PROJECT_SOURCE_DIR}/engine/levy_mpi.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT dev)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/configs" DESTINATION "${levy_share}" COMPONENT tools
  PATTERN "__pycache__" EXCLUDE PATTERN "*.sh" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION "${levy_share}" COMPONENT doc)
foreach(page README.md CHANGELOG.md CITATION.cff CONTRIBUTING.md SECURITY.md LICENSE)
  install(FILES "${PROJECT_SOURCE_DIR}/${page}" DESTINATION "${levy_share}" COMPONENT doc)
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/engine/python/README.md" DESTINATION "${levy_share}/engine/python" COMPONENT doc) # README.md's link
install(DIRECTORY "${PROJECT_SOURCE_DIR}/packaging/licences" DESTINATION "${levy_share}" COMPONENT doc)
if(TARGET levy)
  install(TARGETS levy RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tools)
  install(TARGETS levy_bench RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/levy" COMPONENT tools)
endif()
if(TARGET levy_cuda)
  install(TARGETS levy_cuda LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/levy" COMPONENT library)
endif()
if(LEVY_WHEEL)
  install(TARGETS levy_shared LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library)
  return()
endif()

install(TARGETS levy_shared EXPORT levy_targets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library NAMELINK_COMPONENT dev)
install(TARGETS levy_static EXPORT levy_targets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT dev)
set_target_properties(levy_shared PROPERTIES EXPORT_NAME levy)
set_target_properties(levy_static PROPERTIES EXPORT_NAME levy-static)
install(EXPORT levy_targets NAMESPACE levy:: FILE levy-targets.cmake DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/levy" COMPONENT dev)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/levy-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES engine/levy-config.cmake "${PROJECT_BINARY_DIR}/levy-config-version.cmake" DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/levy" COMPONENT dev)

install(DIRECTORY engine/python/levy DESTINATION "${CMAKE_INSTALL_LIBDIR}/levy/python" COMPONENT python # finds liblevy.so beside lib/levy
  FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)

# The manual page and the completions are the program's own words, so they are there when it could be run.
if(TARGET levy AND NOT CMAKE_CROSSCOMPILING)
  set(levy_words levy.1 levy.bash _levy levy.fish)
  add_custom_command(OUTPUT ${levy_words} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}" VERBATIM DEPENDS levy
    COMMAND $<TARGET_FILE:levy> help --man > levy.1 COMMAND $<TARGET_FILE:levy> completion bash > levy.bash
    COMMAND $<TARGET_FILE:levy> completion zsh > _levy COMMAND $<TARGET_FILE:levy> completion fish > levy.fish)
  add_custom_target(levy_words ALL DEPENDS ${levy_words})
  add_dependencies(levy_programs levy_words)
  install(FILES "${PROJECT_BINARY_DIR}/levy.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT tools OPTIONAL)
  install(FILES "${PROJECT_BINARY_DIR}/levy.bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" COMPONENT tools RENAME levy OPTIONAL)
  install(FILES "${PROJECT_BINARY_DIR}/_levy" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" COMPONENT tools OPTIONAL)
  install(FILES "${PROJECT_BINARY_DIR}/levy.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" COMPONENT tools OPTIONAL)
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
install(FILES "${PROJECT_BINARY_DIR}/levy.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT dev)

include(packaging/debian.cmake)
