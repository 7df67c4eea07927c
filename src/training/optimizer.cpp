// SPDX-License-Identifier: Apache-2.0
#include "training/optimizer.h"

#include <numeric>

#include "tensor/adamw.h"
#include "tensor/elementwise.h"
#include "tensor/muon.h"

namespace cmbo::training {

Optimizer::Optimizer(const network::ParameterTable& table, const OptimizerOptions& options)
    : options_(options) {
  for (const network::ParameterSpec& spec : table.specs()) {
    if (!options.muon || spec.shape.size() != 2 || !spec.name.starts_with("layer")) {
      pieces_.push_back({spec.offset, spec.size});
      continue;
    }
    // Queries, keys and values are matrices of their own, one below the other.
    const size_t parts = spec.name.ends_with("attention.in.weight") ? 3 : 1;
    const size_t rows = spec.shape[0] / parts, columns = spec.shape[1];
    for (size_t part = 0; part < parts; ++part) {
      const size_t size = rows * columns;
      pieces_.push_back({spec.offset + part * size, size, rows, columns});
    }
  }
}

void Optimizer::update(size_t step, float learning_rate, float scale,
                       std::span<std::vector<float>> gradients, const Weights& weights,
                       ThreadPool& pool) const {
  std::vector<float>& sum = gradients[0];
  std::vector<double> squares(pieces_.size());
  pool.parallel_for(pieces_.size(), [&](size_t i) {
    const size_t size = pieces_[i].size;
    float* const here = sum.data() + pieces_[i].first;
    for (const std::vector<float>& gradient : gradients.subspan(1)) {
      tensor::residual_add(size, here, gradient.data() + pieces_[i].first, here);
    }
    squares[i] = tensor::sum_of_squares(size, here);
  });
  const double all = std::accumulate(squares.begin(), squares.end(), 0.0);
  const float gradient_scale =
      scale * tensor::clip_scale(all * static_cast<double>(scale * scale), options_.clip_norm);
  pool.parallel_for(pieces_.size(), [&](size_t i) {
    const auto [first, size, rows, columns] = pieces_[i];
    if (rows > 0) {
      thread_local tensor::MuonScratch scratch;
      tensor::muon_step(
          {.learning_rate = learning_rate,
           .weight_decay = options_.weight_decay,
           .gradient_scale = gradient_scale},
          {rows, columns, &weights.values[first], &sum[first], &weights.moment1[first]}, scratch);
    } else {
      tensor::adamw_step({.learning_rate = learning_rate,
                          .weight_decay = options_.weight_decay,
                          .gradient_scale = gradient_scale},
                         step,
                         {size, &weights.values[first], &sum[first], &weights.moment1[first],
                          &weights.moment2[first]});
    }
  });
}

}  // namespace cmbo::training
