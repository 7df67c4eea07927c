// SPDX-License-Identifier: Apache-2.0
#include "runner/command.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runner/trial_directory.h"

namespace cmbo::runner {

namespace {

constexpr std::array<std::string_view, 8> kProtocolNames = {
    "trial", "params", "checkpoint_dir", "start_step", "target_step", "max_step", "seed", "report"};

constexpr std::string_view kPlainCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=+,@%-";

// The values of kProtocolNames, in that order.
Variables protocol_values(const SliceRequest& request) {
  const TrialFiles files(request.directory);
  const std::array<std::string, kProtocolNames.size()> values = {
      std::to_string(request.trial),       files.params.string(),
      files.checkpoint.string(),           std::to_string(request.start_step),
      std::to_string(request.target_step), std::to_string(request.max_step),
      std::to_string(request.seed),        files.report.string()};
  Variables variables;
  for (size_t i = 0; i < values.size(); ++i) {
    variables.emplace_back(kProtocolNames[i], values[i]);
  }
  return variables;
}

bool is_protocol_name(std::string_view name) {
  return std::find(kProtocolNames.begin(), kProtocolNames.end(), name) != kProtocolNames.end();
}

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

Status check_placeholder(std::string_view name, const std::vector<std::string>& parameters) {
  const bool is_parameter =
      std::find(parameters.begin(), parameters.end(), name) != parameters.end();
  if (is_parameter && is_protocol_name(name)) {
    return Error(fmt::format(
        "command: {{{0}}} means both a hyperparameter and what cmbo calls so; rename the "
        "hyperparameter '{0}'",
        name));
  }
  if (is_parameter || is_protocol_name(name)) return {};
  return Error(fmt::format(
      "command: unknown placeholder {{{}}}; known are {}{}{} (write {{{{ and }}}} for braces)",
      name, fmt::join(parameters, ", "), parameters.empty() ? "" : ", ",
      fmt::join(kProtocolNames, ", ")));
}

// Follows the quotes of a shell from character to character.
class QuoteTracker {
 public:
  void pass(char c) {
    if (escaped_) {
      escaped_ = false;
    } else if (c == '\\' && quote_ != '\'') {
      escaped_ = true;
    } else if (quote_ == ' ' && (c == '"' || c == '\'')) {
      quote_ = c;
    } else if (c == quote_) {
      quote_ = ' ';
    }
  }
  char quote() const { return quote_; }

 private:
  char quote_ = ' ';
  bool escaped_ = false;
};

}  // namespace

std::string shell_quoted(std::string_view value, char quote) {
  if (value.empty()) return quote == ' ' ? "''" : "";
  if (value.find_first_not_of(kPlainCharacters) == std::string_view::npos)
    return std::string(value);
  std::string quoted;
  for (const char c : value) {
    if (quote != '"' && c == '\'') {
      quoted += "'\\''";
      continue;
    }
    if (quote == '"' && std::string_view("\\\"$`").find(c) != std::string_view::npos)
      quoted += '\\';
    quoted += c;
  }
  return quote == ' ' ? "'" + quoted + "'" : quoted;
}

Result<Command::Template> Command::parse(std::string_view text,
                                         const std::vector<std::string>& parameters) {
  Template pieces(1);
  QuoteTracker quotes;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool doubled = i + 1 < text.size() && text[i + 1] == c;
    if (c == '\0') return Error("command: a NUL character; remove it");
    if (c == '}' && !doubled) {
      return Error("command: a '}' without '{'; write }} for a brace");
    }
    if (c == '{' && !doubled) {
      const size_t end = text.find('}', i);
      if (end == std::string_view::npos) {
        return Error("command: a '{' without '}'; write {{ for a brace");
      }
      const std::string_view name = text.substr(i + 1, end - i - 1);
      CMBO_RETURN_IF_ERROR(check_placeholder(name, parameters));
      pieces.back().placeholder = name;
      pieces.back().quote = quotes.quote();
      pieces.emplace_back();
      i = end;
      continue;
    }
    if (c == '{' || c == '}') ++i;
    pieces.back().literal += c;
    quotes.pass(c);
  }
  return pieces;
}

Result<Command> Command::from_json(const Json& json, std::vector<std::string> parameters) {
  Command command;
  command.shell_ = json.is_string();
  const Json words = command.shell_ ? Json::array({json}) : json;
  if (!words.is_array() || words.empty() || text_of(words.front()).empty()) {
    return Error(
        "command: expected text, or a list of words, that starts a training, such as "
        "\"python train.py --lr {lr}\"");
  }
  for (const Json& word : words) {
    if (!word.is_string() && !word.is_number()) {
      return Error(fmt::format("command: {} among the words; put it in quotes", json_kind(word)));
    }
    CMBO_TRY(Template pieces, parse(text_of(word), parameters));
    command.words_.push_back(std::move(pieces));
  }
  command.parameters_ = std::move(parameters);
  return command;
}

std::string Command::fill(const Template& pieces, const Variables& values) const {
  std::string text;
  for (const Piece& piece : pieces) {
    text += piece.literal;
    if (piece.placeholder.empty()) continue;
    const auto found = std::find_if(values.begin(), values.end(), [&](const auto& variable) {
      return variable.first == piece.placeholder;
    });
    const std::string value = found == values.end() ? "" : found->second;
    text += shell_ ? shell_quoted(value, piece.quote) : value;
  }
  return text;
}

std::vector<std::string> Command::expand(const SliceRequest& request) const {
  Variables values = protocol_values(request);
  for (const std::string& name : parameters_) {
    const auto found = request.params.find(name);
    if (found != request.params.end()) values.emplace_back(name, text_of(*found));
  }
  std::vector<std::string> words;
  if (shell_) words = {"/bin/sh", "-c"};
  for (const Template& pieces : words_) words.push_back(fill(pieces, values));
  return words;
}

Variables slice_environment(const SliceRequest& request) {
  Variables environment;
  for (const auto& [name, value] : protocol_values(request)) {
    std::string key = "CMBO_" + name;
    std::transform(key.begin(), key.end(), key.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    environment.emplace_back(std::move(key), value);
  }
  environment.emplace_back("PYTHONUNBUFFERED", "1");
  if (!request.gpu.empty()) environment.emplace_back("CUDA_VISIBLE_DEVICES", request.gpu);
  return environment;
}

}  // namespace cmbo::runner
