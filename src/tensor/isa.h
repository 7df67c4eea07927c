// SPDX-License-Identifier: Apache-2.0
//
// Which instruction set the kernels of this folder use. The best one that this processor has is
// chosen at the first call; results of the variants differ only by rounding.
#pragma once

#include <span>

namespace cmbo::tensor {

enum class Isa {
  kBaseline,  // what every processor of the build's architecture has (x86-64: SSE2)
  kAvx2,      // x86-64 with AVX2 and FMA
};

// The variants that can run here, baseline first.
std::span<const Isa> supported_isas();

Isa active_isa();

// For tests and benchmarks: uses `isa`, which must be supported, from now on in all threads.
void use_isa(Isa isa);

const char* isa_name(Isa isa);

}  // namespace cmbo::tensor
