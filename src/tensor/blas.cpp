// SPDX-License-Identifier: Apache-2.0
#include "tensor/blas.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>

namespace cmbo::tensor {
namespace {

constexpr const char* kLibrary = "libopenblas.so.0";
constexpr const char* kCoreVariable = "OPENBLAS_CORETYPE";

// The name under which OpenBLAS keeps its code for the instructions of this processor; null where
// it may choose itself.
const char* best_core() {
#if defined(__x86_64__)
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  if (avx512) return "SkylakeX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return nullptr;
}

// Sets `function` to what the library calls `name`; false if it has no such thing.
template <typename Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

Blas load() noexcept {
  const char* const core = std::getenv(kCoreVariable) == nullptr ? best_core() : nullptr;
  if (core != nullptr) setenv(kCoreVariable, core, 1);
  void* const library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (core != nullptr) unsetenv(kCoreVariable);  // scripts that are run later choose for themselves
  Blas blas{};
  decltype(&openblas_set_num_threads) set_threads{};
  decltype(&openblas_get_corename) get_core{};
  const bool complete = library != nullptr && find(library, "cblas_sgemm", blas.sgemm) &&
                        find(library, "cblas_dgemm", blas.dgemm) &&
                        find(library, "cblas_dtrsm", blas.dtrsm) &&
                        find(library, "cblas_dsyrk", blas.dsyrk) &&
                        find(library, "openblas_set_num_threads", set_threads) &&
                        find(library, "openblas_get_corename", get_core);
  if (!complete) return {};
  set_threads(1);
  blas.core = get_core();
  return blas;
}

// While there is one thread and no one else can be reading the environment.
const Blas kBlas = load();

}  // namespace

const Blas& blas() {
  if (kBlas.sgemm == nullptr) [[unlikely]] {
    fmt::print(stderr,
               "cmbo: cannot load {}, which matrix products need; install OpenBLAS (on Debian: "
               "libopenblas0)\n",
               kLibrary);
    std::_Exit(1);
  }
  return kBlas;
}

}  // namespace cmbo::tensor
