// SPDX-License-Identifier: Apache-2.0
#include "chart/style.h"

#include <array>

namespace cmbo::chart {

const char* palette(size_t index) {
  // Their black is a dark grey here, and their yellow is darker, to be seen as a thin line.
  static constexpr std::array kColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                         "#e69f00", "#56b4e9", "#4d4d4d", "#b3a100"};
  return kColors[index % kColors.size()];
}

}  // namespace cmbo::chart
