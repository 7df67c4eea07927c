// SPDX-License-Identifier: Apache-2.0
//
// The copula of a trained network: how its errors at different epochs of a curve go together.
#pragma once

#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "network/copula.h"
#include "network/network.h"
#include "training/example.h"

namespace cmbo::training {

// The normal score of every true value within its forecast distribution, curve by curve.
std::vector<network::CurveScores> normal_scores(const network::Network& network,
                                                const network::Bars& bars,
                                                std::span<const float> weights,
                                                std::span<const Example> examples,
                                                ThreadPool& pool);

}  // namespace cmbo::training
