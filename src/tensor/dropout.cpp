// SPDX-License-Identifier: Apache-2.0
#include "tensor/dropout.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/random.h"
#include "tensor/kernels.h"

namespace cmbo::tensor {
namespace {

constexpr uint64_t kCounters = uint64_t{1} << 32;

// The mask for elements whose number is high * 2^32 + low.
DropoutFactors factors(const Dropout& dropout, uint64_t high, uint64_t low) {
  const uint64_t key = mix_bits(mix_bits(dropout.seed) + high);
  return {.key0 = static_cast<uint32_t>(key),
          .key1 = static_cast<uint32_t>(key >> 32),
          .first = static_cast<uint32_t>(low),
          .threshold = static_cast<int32_t>(std::lround(dropout.probability * 16777216.0F)),
          .scale = 1.0F / (1.0F - dropout.probability)};
}

}  // namespace

void dropout_forward(const Dropout& dropout, size_t n, const float* x, float* y) {
  CHECK(dropout.probability >= 0.0F && dropout.probability < 1.0F, "0 <= probability < 1");
  for (size_t done = 0; done < n;) {
    const uint64_t number = dropout.first + done;
    const uint64_t low = number % kCounters;
    const size_t count = std::min<uint64_t>(n - done, kCounters - low);
    kernels().dropout(factors(dropout, number / kCounters, low), count, x + done, y + done);
    done += count;
  }
}

void dropout_backward(const Dropout& dropout, size_t n, const float* dy, float* dx) {
  dropout_forward(dropout, n, dy, dx);
}

}  // namespace cmbo::tensor
