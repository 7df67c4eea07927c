// SPDX-License-Identifier: Apache-2.0
#include "cli/training_run.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

#include "cli/interrupt.h"
#include "cli/model_file.h"
#include "cli/progress_bar.h"
#include "cli/text.h"
#include "curves/normalization.h"
#include "curves/prior.h"
#include "curves/splits.h"
#include "network/bar_head.h"
#include "network/model.h"
#include "tensor/adamw.h"
#include "training/checkpoint.h"
#include "training/copula_fit.h"

namespace cmbo::cli {

namespace {

using curves::CurveTable;

constexpr float kNarrowestBar = 2e-4F;
constexpr size_t kPriorTablesForBars = 200;
// Tasks over the same configurations: two that are mixed, and one to tell about the mixture, by
// hints or by elites.
constexpr size_t kFewestAlike = 3;
constexpr size_t kHeldOutExamples = 24;  // of each held-out task
constexpr size_t kCopulaExamples = 48;
constexpr double kEvaluations = 50;  // during a run
constexpr double kSecondsBetweenCheckpoints = 60.0;

struct Data {
  std::vector<CurveTable> train, held_out;
  std::vector<std::string> train_names, held_out_names;
};

// Which tasks are held out; an error if a named one does not exist.
Result<std::vector<std::string>> held_out_names(const TrainOptions& options,
                                                const curves::CurveSet& set) {
  if (options.split.empty()) {
    for (const std::string& name : options.holdout) {
      if (set.find(name) == nullptr) {
        return Error(
            fmt::format("there is no task '{}' to hold out; there are:{}", name, known_tasks(set)));
      }
    }
    return options.holdout;
  }
  const curves::Split* split = curves::find_split(options.split);
  if (split == nullptr) {
    return Error(
        fmt::format("there is no split '{}'; there are lcbench, taskset and pd1", options.split));
  }
  std::vector<std::string> names;
  for (const curves::Task& task : set.tasks) {
    const auto train = split->train;
    if (std::find(train.begin(), train.end(), task.name()) == train.end()) {
      names.push_back(task.name());
    }
  }
  return names;
}

Result<Data> read_data(const TrainOptions& options, Context& context) {
  Data data;
  if (options.input.path.empty()) return data;
  CMBO_TRY(const curves::CurveSet set, read_input(options.input, context));
  CMBO_TRY(const std::vector<std::string> held_out, held_out_names(options, set));
  for (const curves::Task& task : set.tasks) {
    CMBO_TRY(const curves::Normalization normalization, curves::normalization_of(task));
    const bool is_held_out = contains(held_out, task.name());
    (is_held_out ? data.held_out : data.train).push_back(curves::to_table(task, normalization));
    (is_held_out ? data.held_out_names : data.train_names).push_back(task.name());
  }
  if (data.train.empty()) {
    return Error("no task is left to train on; hold out fewer or name other data");
  }
  return data;
}

network::Bars make_bars(const Data& data, const TrainOptions& options) {
  std::vector<float> values;
  const auto add = [&](const CurveTable& table) {
    for (size_t n = 0; n < table.size(); ++n) {
      const auto curve = table.curve(n);
      values.insert(values.end(), curve.begin(), curve.end());
    }
  };
  for (const CurveTable& table : data.train) add(table);
  if (options.training.prior_share > 0) {
    for (size_t i = 0; i < kPriorTablesForBars; ++i) {
      Random random = Random(options.training.seed).fork(~i);
      add(curves::sample_prior(options.training.prior, random));
    }
  }
  return network::Bars::from_values(values, options.network.bars, kNarrowestBar);
}

std::vector<training::Example> held_out_examples(const Data& data, const curves::Records& records,
                                                 const TrainOptions& options) {
  std::vector<training::Example> examples;
  for (size_t t = 0; t < data.held_out.size(); ++t) {
    for (size_t i = 0; i < kHeldOutExamples; ++i) {
      Random random = Random(options.training.seed).fork(t).fork(i + 1'000'000'000);
      examples.push_back(
          training::draw_example(data.held_out[t], options.training.example, random));
      network::Question& question = examples.back().question;
      question.hints = records.hints(question.observed, question.context);
    }
  }
  return examples;
}

// Everything that decides the result: what a resumed run must share, and the model's card.
Json describe_run(const TrainOptions& options, const Data& data, const network::Model* base) {
  const training::TrainingOptions& t = options.training;
  std::vector<std::string> trained_on = data.train_names;
  if (base != nullptr) {
    for (const std::string& name : cli::trained_on(*base)) {
      if (!contains(trained_on, name)) trained_on.push_back(name);
    }
  }
  return {{"network", network::config_to_json(options.network)},
          {"from", base != nullptr ? base->card() : Json()},
          {"trained_on", trained_on},
          {"held_out", data.held_out_names},
          {"configurations", options.input.configurations},
          {"prior_share", t.prior_share},
          {"steps", options.steps},
          {"minutes", options.minutes},
          {"seed", t.seed},
          {"batch", t.batch},
          {"rows", t.rows},
          {"learning_rate", t.learning_rate},
          {"weight_decay", t.optimizer.weight_decay},
          {"muon", t.optimizer.muon},
          {"single_curve_share", t.single_curve_share},
          {"warped_share", t.warped_share},
          {"blended_share", t.blended_share},
          {"unmixed_share", t.mixup.unmixed_share},
          {"mixup_across_tasks", t.mixup.across_tasks},
          {"mixup_beyond", t.mixup.beyond},
          {"mixup_across_configurations", t.mixup.across_configurations},
          {"elite_share", t.mixup.elite_share},
          {"parents_kept_back", t.mixup.parents_kept_back}};
}

// The loop with all that surrounds it.
class Run {
 public:
  // `base` is the model to start from, or null.
  Run(const TrainOptions& options, Data data, const network::Model* base, Context& context)
      : options_(options),
        context_(context),
        base_(base),
        run_(describe_run(options, data, base)),
        bars_(make_bars(data, options)),
        network_(network::make_network(options.network)),
        records_(options.network.hints ? curves::Records(data.train) : curves::Records()),
        examples_(held_out_examples(data, records_, options)),
        trainer_(*network_, bars_, std::move(data.train), options.training),
        pool_(options.threads) {}

  Outcome execute(const InterruptGuard& guard) {
    CMBO_RETURN_IF_ERROR(start_or_resume());
    ProgressBar bar(context_.terminal, context_.clock, "training");
    double last_checkpoint = context_.clock.monotonic_seconds();
    while (progress() < 1.0) {
      one_step(bar);
      const std::vector<float>& weights = state_.training.weights;
      if (!std::isfinite(tensor::sum_of_squares(weights.size(), weights.data()))) {
        return Error(
            fmt::format("training diverged at step {}; try a lower --lr", state_.training.step));
      }
      const double now = context_.clock.monotonic_seconds();
      const bool leave = guard.interrupted();
      if (leave || now - last_checkpoint > kSecondsBetweenCheckpoints) {
        CMBO_RETURN_IF_ERROR(save_checkpoint());
        last_checkpoint = now;
      }
      if (leave) {
        context_.terminal.print(fmt::format("interrupted at step {}; the same command goes on\n",
                                            count_text(state_.training.step)));
        return kTryAgain;
      }
    }
    evaluate();
    CMBO_RETURN_IF_ERROR(write_log());
    return finish();
  }

 private:
  std::string checkpoint_path() const { return options_.out + ".checkpoint"; }
  std::string log_path() const { return options_.out + ".csv"; }

  double progress() const {
    const double by_steps = options_.steps == 0 ? 0.0
                                                : static_cast<double>(state_.training.step) /
                                                      static_cast<double>(options_.steps);
    const double by_time = options_.minutes <= 0 ? 0.0 : state_.elapsed / (60.0 * options_.minutes);
    return std::max(by_steps, by_time);
  }

  Status start_or_resume() {
    log_ = "step,seconds,learning_rate,loss,held_out\n";
    if (!context_.files.exists(checkpoint_path())) {
      state_.training =
          base_ != nullptr ? training::Trainer::start_from(weights_of_base()) : trainer_.start();
      return {};
    }
    CMBO_TRY(const std::string bytes,
             read_file(context_.files, checkpoint_path(), network::kMaxModelBytes));
    auto state = training::checkpoint_from_bytes(bytes, run_);
    if (!state.ok()) return state.error().within(checkpoint_path());
    state_ = std::move(state).value();
    if (state_.training.weights.size() != network_->table().size()) {
      return Error(checkpoint_path() + ": of another network; remove it to start anew");
    }
    if (context_.files.exists(log_path())) {
      CMBO_TRY(log_, read_file(context_.files, log_path(), uint64_t{1} << 30));
    }
    context_.terminal.print(
        fmt::format("going on from step {}\n", count_text(state_.training.step)));
    return {};
  }

  std::vector<float> weights_of_base() const {
    std::vector<float> weights = base_->weights();
    network::move_bars(network_->table(), base_->bars(), bars_, weights);
    return weights;
  }

  void one_step(ProgressBar& bar) {
    const double begin = context_.clock.monotonic_seconds();
    const double before = progress();
    loss_sum_ += trainer_.step(state_.training, before, pool_);
    ++loss_count_;
    state_.elapsed += context_.clock.monotonic_seconds() - begin;
    const double after = progress();
    if (std::floor(after * kEvaluations) > std::floor(before * kEvaluations)) evaluate();
    bar.update(static_cast<uint64_t>(std::min(after, 1.0) * 1e6), 1'000'000,
               fmt::format("loss {:.3f}, {:.1f} steps/s", recent_loss_,
                           static_cast<double>(state_.training.step) / state_.elapsed));
  }

  // Held-out loss of the averaged weights, a line in the log, the best weights.
  void evaluate() {
    if (loss_count_ == 0) return;
    recent_loss_ = loss_sum_ / static_cast<double>(loss_count_);
    loss_sum_ = 0.0;
    loss_count_ = 0;
    std::string held_out;
    const std::vector<float>& average = state_.training.average;
    if (!examples_.empty()) {
      const double loss = training::mean_loss(*network_, bars_, average, examples_, pool_);
      held_out = fmt::format("{:.5f}", loss);
      last_held_out_ = loss;
      if (state_.best_weights.empty() || loss < state_.best_loss) {
        state_.best_loss = loss;
        state_.best_weights = average;
      }
    }
    log_ += fmt::format("{},{:.1f},{:.3e},{:.5f},{}\n", state_.training.step, state_.elapsed,
                        trainer_.learning_rate(progress()), recent_loss_, held_out);
  }

  Status write_log() { return context_.files.write_atomically(log_path(), log_); }

  Status save_checkpoint() {
    CMBO_RETURN_IF_ERROR(write_log());
    return context_.files.write_atomically(checkpoint_path(),
                                           training::checkpoint_to_bytes(state_, run_));
  }

  // From examples beyond those that were trained on.
  network::Copula fit_copula(const std::vector<float>& weights) {
    std::vector<training::Example> examples;
    for (size_t i = 0; i < kCopulaExamples; ++i) {
      examples.push_back(trainer_.draw(state_.training.step + 1, i));
    }
    return network::fit_copula(training::normal_scores(*network_, bars_, weights, examples, pool_));
  }

  Outcome finish() {
    Json card = run_;
    card["steps_done"] = state_.training.step;
    card["seconds"] = state_.elapsed;
    card["parameters"] = network_->table().size();
    const bool judged = !state_.best_weights.empty();
    const bool keep_best = judged && options_.keep == "best";
    const std::vector<float>& kept = keep_best ? state_.best_weights : state_.training.average;
    if (judged) card["held_out_loss"] = keep_best ? state_.best_loss : last_held_out_;
    const network::Copula copula = fit_copula(kept);
    card["copula"] = {{"noise", copula.noise}, {"length", copula.length}};
    const network::Model model(network::make_network(options_.network), bars_, kept, card, copula,
                               std::move(records_));
    CMBO_RETURN_IF_ERROR(
        context_.files.write_atomically(options_.out, network::model_to_bytes(model)));
    if (context_.files.exists(checkpoint_path())) {
      CMBO_RETURN_IF_ERROR(context_.files.remove(checkpoint_path()));
    }
    context_.terminal.print(
        fmt::format("{}: {} parameters, {} steps in {}, loss {:.3f}{}\n", options_.out,
                    count_text(network_->table().size()), count_text(state_.training.step),
                    duration_text(state_.elapsed), recent_loss_,
                    judged ? fmt::format(", held out {:.3f}", card["held_out_loss"].get<double>())
                           : std::string()));
    return kOk;
  }

  const TrainOptions& options_;
  Context& context_;
  const network::Model* const base_;
  const Json run_;
  const network::Bars bars_;
  const std::unique_ptr<const network::Network> network_;
  curves::Records records_;  // of what is trained on; goes into the model
  const std::vector<training::Example> examples_;
  training::Trainer trainer_;
  ThreadPool pool_;
  training::RunState state_;
  std::string log_;
  double loss_sum_ = 0.0;  // since the last evaluation
  size_t loss_count_ = 0;
  double recent_loss_ = 0.0;
  double last_held_out_ = 0.0;
};

}  // namespace

Outcome train(const TrainOptions& given, Context& context) {
  const InterruptGuard guard;
  TrainOptions options = given;
  if (options.steps == 0 && options.minutes <= 0) {
    return Error("how long? give --steps or --minutes");
  }
  if (options.input.path.empty()) options.training.prior_share = 1.0;
  options.network.kind = options.kind == "point" ? network::Kind::kPoint : network::Kind::kCurve;
  std::optional<network::Model> base;
  if (!options.from.empty()) {
    CMBO_TRY(base, read_model(options.from, context));
    options.network = base->network().config();
  }
  CMBO_TRY(Data data, read_data(options, context));
  size_t dimensions = options.training.prior_share > 0 ? options.training.prior.max_dimensions : 1;
  for (const CurveTable& table : data.train) dimensions = std::max(dimensions, table.dimensions);
  for (const CurveTable& table : data.held_out) dimensions = std::max(dimensions, table.dimensions);
  if (base && dimensions > options.network.dimensions) {
    return Error(fmt::format("{}: takes {} dimensions, the data have {}; start without --from",
                             options.from, options.network.dimensions, dimensions));
  }
  if (!base) options.network.dimensions = dimensions;
  CMBO_RETURN_IF_ERROR(network::check(options.network));
  if (options.network.hints || options.training.mixup.elite_share > 0) {
    const size_t tasks = curves::Records(data.train).tables().size();
    if (tasks < kFewestAlike) {
      return Error(fmt::format(
          "{}: {} to train on over the same configurations; {} are needed at least",
          options.network.hints ? "--hints" : "--elite", plural(tasks, "task"), kFewestAlike));
    }
  }
  return Run(options, std::move(data), base ? &*base : nullptr, context).execute(guard);
}

}  // namespace cmbo::cli
