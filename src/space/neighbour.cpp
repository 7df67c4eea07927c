// SPDX-License-Identifier: Apache-2.0
#include "space/neighbour.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace cmbo::space {

namespace {

constexpr double kStepChance = 0.5;
constexpr double kRedrawChance = 0.15;

// Into [0,1], as a ray between two mirrors.
double reflected(double unit) {
  const double folded = std::fmod(std::abs(unit), 2.0);
  return folded > 1.0 ? 2.0 - folded : folded;
}

double moved_unit(const Parameter& parameter, double value, double width, Random& random) {
  const double unit = parameter.to_unit(value);
  if (parameter.is_one_hot()) return random.chance(kRedrawChance) ? random.uniform() : unit;
  if (!random.chance(kStepChance)) return unit;
  const auto count = parameter.count();
  const double least = count ? 0.5 / static_cast<double>(*count) : 0.0;
  return reflected(unit + std::max(width, least) * random.normal());
}

}  // namespace

Configuration neighbour(const Space& space, const Configuration& from, double width,
                        Random& random) {
  std::vector<double> units(space.size());
  for (size_t i = 0; i < units.size(); ++i) {
    units[i] = from.is_active(i) ? moved_unit(space.parameters()[i], from[i], width, random)
                                 : random.uniform();
  }
  return space.from_units(units);
}

}  // namespace cmbo::space
