// SPDX-License-Identifier: Apache-2.0
#include "network/network.h"

#include "network/curve_network.h"
#include "network/point_network.h"

namespace cmbo::network {

std::unique_ptr<Network> make_network(const NetworkConfig& config) {
  if (config.kind == Kind::kPoint) return std::make_unique<PointNetwork>(config);
  return std::make_unique<CurveNetwork>(config);
}

}  // namespace cmbo::network
