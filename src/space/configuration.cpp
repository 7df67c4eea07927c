// SPDX-License-Identifier: Apache-2.0
#include "space/configuration.h"

#include <bit>
#include <cstdint>

#include "base/random.h"

namespace cmbo::space {

size_t Configuration::Hash::operator()(const Configuration& configuration) const {
  uint64_t hash = configuration.size();
  for (size_t i = 0; i < configuration.size(); ++i) {
    // All NaNs and both zeros compare equal, so they hash alike.
    const double value = configuration.is_active(i) ? configuration[i] + 0.0 : kInactive;
    hash = mix_bits(hash ^ std::bit_cast<uint64_t>(value));
  }
  return hash;
}

}  // namespace cmbo::space
