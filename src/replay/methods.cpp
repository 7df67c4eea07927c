// SPDX-License-Identifier: Apache-2.0
#include "replay/methods.h"

#include <algorithm>
#include <memory>

#include "base/thread_pool.h"
#include "baselines/asha.h"
#include "baselines/random_search.h"
#include "baselines/ranking.h"

namespace cmbo::replay {

namespace {

using PolicyPointer = std::unique_ptr<decide::Policy>;

decide::Extrapolator extrapolator(const Problem& problem) {
  const auto pool = std::make_shared<ThreadPool>(1);
  return [&model = *problem.model, sampling = problem.sampling, pool](
             const curves::CurveTable& history,
             std::span<const uint32_t> asked) -> Result<forecast::Samples> {
    return forecast::sample(model, history, asked, sampling, *pool);
  };
}

PolicyPointer make_cmbo(const Problem& problem) {
  return std::make_unique<decide::CmboPolicy>(
      extrapolator(problem),
      decide::CmboOptions{
          problem.utility, {problem.budget, {}}, problem.acquisition, problem.commitment});
}

PolicyPointer make_random(const Problem& problem) {
  return std::make_unique<baselines::RandomSearch>(problem.pool.size(), problem.seed);
}

PolicyPointer make_asha(const Problem& problem) {
  return std::make_unique<baselines::Asha>(problem.pool.size(), problem.pool.horizon,
                                           baselines::AshaOptions{.seed = problem.seed});
}

PolicyPointer make_ranking(const Problem& problem) {
  return std::make_unique<baselines::Ranking>(problem.training_tables, problem.utility);
}

constexpr Method kMethods[] = {
    {.name = "cmbo",
     .draws = false,
     .needs_model = true,
     .needs_training = false,
     .make = make_cmbo},
    {.name = "random",
     .draws = true,
     .needs_model = false,
     .needs_training = false,
     .make = make_random},
    {.name = "asha",
     .draws = true,
     .needs_model = false,
     .needs_training = false,
     .make = make_asha},
    {.name = "ranking",
     .draws = false,
     .needs_model = false,
     .needs_training = true,
     .make = make_ranking},
};

}  // namespace

std::span<const Method> methods() {
  return kMethods;
}

const Method* find_method(std::string_view name) {
  const auto found = std::find_if(std::begin(kMethods), std::end(kMethods),
                                  [&](const Method& method) { return method.name == name; });
  return found == std::end(kMethods) ? nullptr : found;
}

}  // namespace cmbo::replay
