// SPDX-License-Identifier: Apache-2.0
#include "replay/methods.h"

#include <algorithm>
#include <memory>

#include "base/thread_pool.h"
#include "baselines/asha.h"
#include "baselines/bohb.h"
#include "baselines/dehb.h"
#include "baselines/dpl.h"
#include "baselines/dyhpo.h"
#include "baselines/freezethaw.h"
#include "baselines/fsbo.h"
#include "baselines/hyperband.h"
#include "baselines/ifbo.h"
#include "baselines/quicktune.h"
#include "baselines/random_search.h"
#include "baselines/ranking.h"

namespace cmbo::replay {

namespace {

using PolicyPointer = std::unique_ptr<decide::Policy>;

decide::Extrapolator extrapolator(const network::Model& model,
                                  const forecast::SamplingOptions& sampling) {
  const auto pool = std::make_shared<ThreadPool>(1);
  return [&model, sampling, pool](const curves::CurveTable& history,
                                  std::span<const uint32_t> asked) -> Result<forecast::Samples> {
    return forecast::sample(model, history, asked, sampling, *pool);
  };
}

PolicyPointer make_cmbo(const Problem& problem) {
  return std::make_unique<decide::CmboPolicy>(extrapolator(*problem.model, problem.sampling),
                                              decide::CmboOptions{problem.utility,
                                                                  {problem.budget, {}},
                                                                  problem.acquisition,
                                                                  problem.commitment,
                                                                  problem.patience,
                                                                  problem.depth,
                                                                  problem.hindsight});
}

PolicyPointer make_random(const Problem& problem) {
  return std::make_unique<baselines::RandomSearch>(problem.seed);
}

PolicyPointer make_asha(const Problem& problem) {
  return std::make_unique<baselines::Asha>(baselines::AshaOptions{.seed = problem.seed});
}

PolicyPointer make_hyperband(const Problem& problem) {
  return std::make_unique<baselines::Hyperband>(baselines::HyperbandOptions{.seed = problem.seed});
}

PolicyPointer make_bohb(const Problem& problem) {
  return std::make_unique<baselines::Bohb>(baselines::BohbOptions{.seed = problem.seed});
}

PolicyPointer make_dehb(const Problem& problem) {
  return std::make_unique<baselines::Dehb>(baselines::DehbOptions{.seed = problem.seed});
}

PolicyPointer make_ifbo(const Problem& problem) {
  const auto pool = std::make_shared<ThreadPool>(1);
  return std::make_unique<baselines::Ifbo>(
      [model = problem.prior_model, levels = forecast::even_levels(problem.sampling.count),
       pool](const forecast::EpochQuestion& question) -> Result<std::vector<float>> {
        return forecast::forecast_epoch(*model, question, levels, *pool);
      },
      problem.seed);
}

PolicyPointer make_ranking(const Problem& problem) {
  return std::make_unique<baselines::Ranking>(problem.training_tables, problem.utility);
}

size_t share_of(size_t updates, const Problem& problem) {
  return std::max<size_t>(1, static_cast<size_t>(problem.effort * static_cast<double>(updates)));
}

baselines::DyHpoOptions with_effort(baselines::DyHpoOptions options, const Problem& problem) {
  options.full_updates = share_of(options.full_updates, problem);
  options.refine_updates = share_of(options.refine_updates, problem);
  return options;
}

PolicyPointer make_dyhpo(const Problem& problem) {
  return std::make_unique<baselines::DyHpo>(problem.pool,
                                            with_effort({.seed = problem.seed}, problem));
}

PolicyPointer make_dpl(const Problem& problem) {
  baselines::DplOptions options{.seed = problem.seed};
  options.full_rounds = share_of(options.full_rounds, problem);
  options.refine_rounds = share_of(options.refine_rounds, problem);
  return std::make_unique<baselines::Dpl>(problem.pool, options);
}

PolicyPointer make_quicktune(const Problem& problem) {
  baselines::QuickTuneOptions options;
  options.run = with_effort(options.run, problem);
  options.pretraining_updates = share_of(options.pretraining_updates, problem);
  return std::make_unique<baselines::DyHpo>(
      baselines::make_quick_tune(problem.training_tables, options));
}

PolicyPointer make_fsbo(const Problem& problem) {
  baselines::FsboOptions options;
  options.pretraining_updates = share_of(options.pretraining_updates, problem);
  options.tuning_updates = share_of(options.tuning_updates, problem);
  return std::make_unique<baselines::Fsbo>(problem.training_tables, options);
}

PolicyPointer make_freezethaw(const Problem& problem) {
  return std::make_unique<baselines::FreezeThaw>(
      problem.pool, baselines::FreezeThawOptions{.seed = problem.seed});
}

constexpr Method kMethods[] = {
    {.name = "random", .make = make_random, .draws = true},
    {.name = "ranking", .make = make_ranking, .uses_utility = true, .needs_training = true},
    {.name = "hyperband", .make = make_hyperband, .draws = true},
    {.name = "asha", .make = make_asha, .draws = true},
    {.name = "bohb", .make = make_bohb, .draws = true},
    {.name = "dehb", .make = make_dehb, .draws = true},
    {.name = "dyhpo", .make = make_dyhpo, .draws = true, .weight = 800},
    {.name = "dpl", .make = make_dpl, .draws = true, .weight = 500},
    {.name = "quicktune", .make = make_quicktune, .needs_training = true, .weight = 1000},
    {.name = "fsbo", .make = make_fsbo, .needs_training = true, .weight = 100},
    {.name = "ifbo", .make = make_ifbo, .draws = true, .needs_prior_model = true, .weight = 300},
    {.name = "freezethaw", .make = make_freezethaw, .draws = true, .weight = 50},
    {.name = "cmbo", .make = make_cmbo, .uses_utility = true, .needs_model = true, .weight = 1000},
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
