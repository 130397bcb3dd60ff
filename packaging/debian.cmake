# `cpack -G DEB` in the build folder: five Debian packages, one a component of install.cmake. Needs dpkg-dev and file beside what
# builds levy, and says so. What Debian lays elsewhere than cmake --install, debian_tree.cmake moves while the packages are made.

set(levy_deb_library liblevy${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(levy_deb_dev liblevy-dev)
set(levy_deb_tools levy)
set(levy_deb_python python3-levy)
set(levy_deb_doc levy-doc)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME levy)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_VENDOR "levy developers")
set(CPACK_PACKAGE_CONTACT "levy developers") # as LICENSE has them
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL library dev tools python doc)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT) # by Debian's name of the architecture: amd64, not x86_64
set(CPACK_DEBIAN_PACKAGE_SOURCE levy)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON) # the C library and libyaml, as dpkg knows them
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY "=")
file(WRITE "${PROJECT_BINARY_DIR}/triggers" "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA "${PROJECT_BINARY_DIR}/triggers")
foreach(when postinst prerm) # bytecode comes and goes with the module
  set(does py3compile)
  if(when STREQUAL "prerm")
    set(does py3clean)
  endif()
  file(WRITE "${PROJECT_BINARY_DIR}/python3/${when}" "#!/bin/sh\nset -e\nif command -v ${does} > /dev/null; then ${does} -p ${levy_deb_python}; fi\n")
  list(APPEND CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${PROJECT_BINARY_DIR}/python3/${when}")
endforeach()

function(levy_deb component section summary)
  string(TOUPPER ${component} name)
  set(CPACK_DEBIAN_${name}_PACKAGE_NAME ${levy_deb_${component}} PARENT_SCOPE)
  set(CPACK_DEBIAN_${name}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_COMPONENT_${name}_DESCRIPTION "${summary}
levy prices options and books of them by Monte Carlo with scrambled Sobol
points, with a standard error and a confidence interval for every price and
sensitivity. In double precision its results have the same bits on every
processor and GPU." PARENT_SCOPE)
  set(fields ${ARGN})
  while(fields)
    list(POP_FRONT fields field value)
    set(CPACK_DEBIAN_${name}_PACKAGE_${field} "${value}" PARENT_SCOPE)
  endwhile()
endfunction()
set(levy_same "${levy_deb_library} (= ${PROJECT_VERSION})")
levy_deb(library libs "This package has the shared library and its CUDA module, which takes NVRTC
and the driver of a GPU where they are.")
levy_deb(dev libdevel "This package has headers, the static library, and what CMake and pkg-config
read."
  DEPENDS "${levy_same}, libyaml-dev, libc6-dev" SUGGESTS "levy-doc, pkg-config")
levy_deb(tools math "This package has the command line, its benchmark, and examples with their
schema."
  DEPENDS "${levy_same}" RECOMMENDS "bash-completion, levy-doc" SUGGESTS "python3-levy")
levy_deb(python python "This package has the module for Python 3."
  DEPENDS "${levy_same}, python3 (>= 3.9)" RECOMMENDS "levy, python3-numpy" SUGGESTS "python3-matplotlib, python3-pandas" ARCHITECTURE all)
levy_deb(doc doc "This package has the documentation." RECOMMENDS levy ARCHITECTURE all)

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  list(APPEND levy_deb_names "${component}=${levy_deb_${component}}")
endforeach()
set(levy_deb_libdir "usr/${CMAKE_INSTALL_LIBDIR}")
set(levy_deb_emptied "${levy_deb_libdir}") # the folder that Python's module leaves behind
if(levy_deb_libdir STREQUAL "usr/lib")
  set(levy_deb_emptied usr/lib/levy)
endif()
configure_file(packaging/debian_tree.cmake.in "${PROJECT_BINARY_DIR}/debian_tree.cmake" @ONLY)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_BINARY_DIR}/debian_tree.cmake")
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/debian_needs.cmake" @ONLY CONTENT [[
if(CPACK_GENERATOR STREQUAL "DEB")
  foreach(tool dpkg-shlibdeps file)
    find_program(found_${tool} ${tool} PATHS ENV PATH NO_DEFAULT_PATH)
    if(NOT found_${tool})
      message(FATAL_ERROR "cpack -G DEB needs ${tool}: apt-get install dpkg-dev file")
    endif()
  endforeach()
endif()
]])
set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_BINARY_DIR}/debian_needs.cmake")
include(CPack)
