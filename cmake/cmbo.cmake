# Flags shared by all targets, and cmbo_folder(), which turns a folder of src/ into a library
# `cmbo_<folder>` and a test program `<folder>_test` from the *_test.cpp files beside the code.

add_library(cmbo_flags INTERFACE)
target_compile_options(cmbo_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-align
  -Woverloaded-virtual -Wconversion -Wno-sign-conversion -Wdouble-promotion -Wformat=2 -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 warns of overlapping copies inside std::string's own operator+ (GCC bug 105651).
  target_compile_options(cmbo_flags INTERFACE -Wno-restrict -Wno-stringop-overflow)
endif()
target_include_directories(cmbo_flags INTERFACE ${PROJECT_SOURCE_DIR}/src)

if(CMBO_SANITIZE)
  target_compile_options(cmbo_flags INTERFACE
    -fsanitize=${CMBO_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(cmbo_flags INTERFACE -fsanitize=${CMBO_SANITIZE})
endif()
if(CMBO_FUZZ)
  target_compile_options(cmbo_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# JSON and fmt for the code, GoogleTest too for the tests, compiled once: half of the build time
# otherwise. Tests are optimized little; the code under test keeps its own flags.
set(CMBO_TEST_OPTIONS -O1)
if(CMBO_SANITIZE)
  set(CMBO_TEST_OPTIONS -O0)
endif()
file(WRITE ${CMAKE_BINARY_DIR}/precompiled.cpp "")
add_library(cmbo_headers OBJECT ${CMAKE_BINARY_DIR}/precompiled.cpp)
target_link_libraries(cmbo_headers PRIVATE cmbo_flags fmt::fmt nlohmann_json::nlohmann_json
                      Threads::Threads)
target_precompile_headers(cmbo_headers PRIVATE <fmt/format.h> <nlohmann/json.hpp>)
add_library(cmbo_test_headers OBJECT ${CMAKE_BINARY_DIR}/precompiled.cpp)
target_link_libraries(cmbo_test_headers PRIVATE cmbo_flags GTest::gmock GTest::gtest_main fmt::fmt
                      nlohmann_json::nlohmann_json Threads::Threads)
target_compile_options(cmbo_test_headers PRIVATE ${CMBO_TEST_OPTIONS})
target_precompile_headers(cmbo_test_headers PRIVATE
  <gmock/gmock.h> <gtest/gtest.h> <fmt/format.h> <nlohmann/json.hpp>)

# Many files of a target in one, where CMBO_UNITY asks for it: what headers bring is compiled once.
function(cmbo_unity target)
  if(CMBO_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 32)
  endif()
endfunction()

# The folders that `folder` may use, from src/layers.txt.
function(cmbo_allowed_folders folder out)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/layers.txt)
  file(STRINGS ${PROJECT_SOURCE_DIR}/src/layers.txt line REGEX "^${folder}:")
  if(NOT line)
    message(FATAL_ERROR "src/layers.txt has no line for the folder '${folder}'")
  endif()
  string(REGEX REPLACE "^${folder}: *" "" names "${line}")
  string(REPLACE " " ";" names "${names}")
  set(${out} ${names} PARENT_SCOPE)
endfunction()

# cmbo_folder(NAME [THREADS] [OPTIMIZED] [HEADERS headers...] [LIBRARIES external targets...]). THREADS: its tests
# start threads, so the thread sanitizer runs them (label `threads`, target `thread_tests`).
# OPTIMIZED: its results depend on how the compiler rounds and vectorizes, so CI runs its tests in the
# release build too (label `optimized`, target `optimized_tests`); all others only under sanitizers.
# HEADERS: heavy ones that most of its files include; compiled once for them.
add_custom_target(thread_tests)
add_custom_target(optimized_tests)
function(cmbo_folder folder)
  cmake_parse_arguments(ARG "THREADS;OPTIMIZED" "" "HEADERS;LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "(_test|/main)\\.cpp$")
  cmbo_allowed_folders(${folder} allowed)
  list(TRANSFORM allowed PREPEND cmbo_)
  add_library(cmbo_${folder} STATIC ${sources})
  target_link_libraries(cmbo_${folder} PUBLIC cmbo_flags ${allowed} ${ARG_LIBRARIES})
  cmbo_unity(cmbo_${folder})
  if(ARG_HEADERS)
    target_precompile_headers(cmbo_${folder} PRIVATE <fmt/format.h> <nlohmann/json.hpp>
                              ${ARG_HEADERS})
  else()
    target_precompile_headers(cmbo_${folder} REUSE_FROM cmbo_headers)
  endif()
  if(tests)
    cmbo_test(${folder}_test SOURCES ${tests} LIBRARIES cmbo_${folder})
    if(ARG_THREADS)
      set_property(TEST ${folder}_test APPEND PROPERTY LABELS threads)
      add_dependencies(thread_tests ${folder}_test)
    endif()
    if(ARG_OPTIMIZED)
      set_property(TEST ${folder}_test APPEND PROPERTY LABELS optimized)
      add_dependencies(optimized_tests ${folder}_test)
    endif()
  endif()
endfunction()

# cmbo_test(NAME SOURCES files... LIBRARIES targets...): a GoogleTest program as one CTest test.
function(cmbo_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  cmbo_unity(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} GTest::gmock GTest::gtest_main)
  target_compile_options(${name} PRIVATE ${CMBO_TEST_OPTIONS})
  target_precompile_headers(${name} REUSE_FROM cmbo_test_headers)
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endfunction()
