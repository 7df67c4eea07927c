// SPDX-License-Identifier: Apache-2.0
#include "space/pool.h"

#include <algorithm>
#include <boost/random/sobol.hpp>
#include <span>
#include <unordered_set>

#include "base/random.h"

namespace cmbo::space {

namespace {

// A space of at most this many times the wanted configurations is listed instead of sampled:
// drawing the last few of a small space by chance would take for ever.
constexpr size_t kListBelow = 4;

// Draws for each wanted configuration before the rest counts as out of reach (a condition on a
// condition on a condition... that chance practically never meets).
constexpr size_t kMaxDraws = 1000;

// Points of [0,1)^d. A digital shift (xor of random bits in each dimension) keeps the evenness of
// the sequence and makes it depend on the seed.
class ShiftedSobol {
 public:
  ShiftedSobol(size_t dimensions, uint64_t seed) : sequence_(dimensions), shifts_(dimensions) {
    Random random(seed);
    for (uint64_t& shift : shifts_) shift = random.next();
  }

  void next(std::span<double> point) {
    for (size_t i = 0; i < point.size(); ++i) {
      // Boost leaves out the sequence's first point, the origin; without it 2^k points are uneven.
      const uint64_t number = at_origin_ ? 0 : sequence_();
      point[i] = static_cast<double>((number ^ shifts_[i]) >> 11) * 0x1.0p-53;
    }
    at_origin_ = false;
  }

 private:
  bool at_origin_ = true;
  boost::random::sobol sequence_;
  std::vector<uint64_t> shifts_;
};

}  // namespace

std::vector<Configuration> sobol_pool(const Space& space, size_t count, uint64_t seed) {
  if (auto all = space.enumerate(kListBelow * count)) {
    Random(seed).shuffle(std::span(*all));
    all->resize(std::min(count, all->size()));
    return std::move(*all);
  }
  ShiftedSobol sobol(space.size(), seed);
  std::vector<double> point(space.size());
  std::vector<Configuration> pool;
  std::unordered_set<Configuration, Configuration::Hash> seen;
  for (size_t draw = 0; draw < kMaxDraws * count && pool.size() < count; ++draw) {
    sobol.next(point);
    Configuration configuration = space.from_units(point);
    if (seen.insert(configuration).second) pool.push_back(std::move(configuration));
  }
  return pool;
}

}  // namespace cmbo::space
