// SPDX-License-Identifier: Apache-2.0
//
// The user's training command and what a training finds in its environment.
//
//   python train.py --lr {lr} --epochs {target_step}        text: run by /bin/sh -c
//   [python, train.py, --lr, "{lr}"]                        words: run directly
//
// Placeholders: every hyperparameter by its name, {trial}, {params} (a JSON file),
// {checkpoint_dir}, {start_step}, {target_step}, {max_step}, {seed} and {report}. {{ and }} stand
// for braces, so a shell variable is ${{HOME}}.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "runner/slice.h"

namespace cmbo::runner {

// Names and values, in order.
using Variables = std::vector<std::pair<std::string, std::string>>;

class Command {
 public:
  // Text, or a list of texts and numbers, from a study file. `parameters`: the names of all
  // hyperparameters. An unknown placeholder, a single brace or an empty command is an error.
  static Result<Command> from_json(const Json& json, std::vector<std::string> parameters);

  // The words to execute. In a text, values are quoted as their place there asks for: outside of
  // quotes, between " or between '. A hyperparameter that is not active is empty.
  std::vector<std::string> expand(const SliceRequest& request) const;

 private:
  struct Piece {
    std::string literal;      // comes first
    std::string placeholder;  // then its value; empty = none
    char quote = ' ';         // where it stands: ' ' = outside, '"' or '\''
  };
  using Template = std::vector<Piece>;

  static Result<Template> parse(std::string_view text, const std::vector<std::string>& parameters);
  std::string fill(const Template& pieces, const Variables& values) const;

  bool shell_ = false;
  std::vector<Template> words_;  // one, if shell_
  std::vector<std::string> parameters_;
};

// CMBO_TRIAL, CMBO_PARAMS, CMBO_CHECKPOINT_DIR, CMBO_START_STEP, CMBO_TARGET_STEP, CMBO_MAX_STEP,
// CMBO_SEED, CMBO_REPORT, and CUDA_VISIBLE_DEVICES if the request names one. PYTHONUNBUFFERED too:
// what Python prints into a file would otherwise arrive at the end of the training.
Variables slice_environment(const SliceRequest& request);

// `value` as one word of a shell, outside of quotes (' '), between " or between '.
std::string shell_quoted(std::string_view value, char quote = ' ');

}  // namespace cmbo::runner
