// SPDX-License-Identifier: Apache-2.0
#include "tensor/isa.h"

#include <algorithm>
#include <atomic>

#include "base/check.h"
#include "tensor/kernels.h"

namespace cmbo::tensor {
namespace {

bool has_avx2() {
#if defined(__x86_64__)
  return kAvx2Kernels != nullptr && __builtin_cpu_supports("avx2") != 0 &&
         __builtin_cpu_supports("fma") != 0;
#else
  return false;
#endif
}

std::atomic<Isa>& active() {
  static std::atomic<Isa> isa = supported_isas().back();
  return isa;
}

}  // namespace

std::span<const Isa> supported_isas() {
  static constexpr Isa kAll[] = {Isa::kBaseline, Isa::kAvx2};
  static const size_t count = has_avx2() ? 2 : 1;
  return std::span<const Isa>(kAll, count);
}

Isa active_isa() {
  return active().load(std::memory_order_relaxed);
}

void use_isa(Isa isa) {
  CHECK(std::ranges::count(supported_isas(), isa) == 1, "this processor lacks the instructions");
  active().store(isa, std::memory_order_relaxed);
}

const char* isa_name(Isa isa) {
  return isa == Isa::kAvx2 ? "avx2" : "baseline";
}

const Kernels& kernels() {
  return active_isa() == Isa::kAvx2 ? *kAvx2Kernels : *kBaselineKernels;
}

}  // namespace cmbo::tensor
