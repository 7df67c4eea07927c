// SPDX-License-Identifier: Apache-2.0
//
// CSV for everybody else: a header line with the columns `task`, `epoch`, `value` and one for each
// hyperparameter, in any order; then one row for each value, in any order:
//
//   task,lr,layers,epoch,value
//   digits,0.1,2,1,0.83
//   digits,0.1,2,2,0.91
//
// Rows with the same task and the same hyperparameter cells are one curve; its epochs begin with 0
// or 1, as all of the task do, and have no gap. An empty value, nan or inf = diverged. An empty
// hyperparameter cell = inactive. All tasks of a file share one space (csv_space.h).
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <unordered_map>

#include "curves/csv_records.h"
#include "curves/csv_space.h"
#include "curves/formats.h"
#include "curves/values.h"

namespace cmbo::curves {

namespace {

// So that line numbers and the table of points stay small; a billion values are no CSV file.
constexpr size_t kMaxLines = std::numeric_limits<uint32_t>::max();

// Every task holds the space, so their product is bounded: tasks times parameters and choices.
constexpr size_t kMaxSpaces = 1'000'000;

struct Point {
  uint32_t epoch;
  uint32_t line;
  float value;
};

struct RawCurve {
  size_t task;
  CsvCells cells;  // of the hyperparameters
  std::vector<Point> points;

  size_t first_line() const { return points.front().line; }
};

// "nan", "-inf", "Infinity" and the like.
bool is_not_finite(std::string_view cell) {
  if (cell.starts_with('-') || cell.starts_with('+')) cell.remove_prefix(1);
  std::string lower(cell.substr(0, 9));
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower == "nan" || lower == "inf" || lower == "infinity";
}

// The rows of a file, gathered to curves.
class CsvTable {
 public:
  CsvTable(ByteSource& source, const std::string& name) : name_(name), records_(source, name) {}

  Status read() {
    CMBO_TRY(const auto header, records_.next());
    if (!header) return Error(fmt::format("{}: the file is empty; give it a header line", name_));
    CMBO_RETURN_IF_ERROR(read_header(*header));
    for (;;) {
      CMBO_TRY(auto cells, records_.next());
      if (!cells) break;
      CMBO_RETURN_IF_ERROR(read_row(*cells));
    }
    if (curves_.empty()) {
      return Error(fmt::format("{}: no row follows the header; add the values", name_));
    }
    return check_curves();
  }

  Status make_tasks(const ReadOptions& options, CurveSet& set) {
    CMBO_TRY(const CsvConfigurations configurations, make_configurations(options));
    CMBO_RETURN_IF_ERROR(check_size(configurations.space()));
    std::vector<std::vector<RawCurve*>> curves_of_task(task_names_.size());
    for (RawCurve& curve : curves_) curves_of_task[curve.task].push_back(&curve);
    for (size_t i = 0; i < task_names_.size(); ++i) {
      TaskHeader header;
      header.name = task_names_[i];
      header.metric = options.metric;
      header.goal = *options.goal;
      header.space = configurations.space();
      CMBO_RETURN_IF_ERROR(make_task(std::move(header), curves_of_task[i], configurations, set));
    }
    return {};
  }

 private:
  Error error_at(size_t line, std::string_view problem) const {
    return Error(fmt::format("{}:{}: {}", name_, line, problem));
  }

  Status read_header(const std::vector<std::string>& cells) {
    std::unordered_map<std::string_view, size_t> columns;
    for (size_t i = 0; i < cells.size(); ++i) {
      if (cells[i].empty()) {
        return records_.error(fmt::format("column {} has no name; give it one", i + 1));
      }
      if (!columns.emplace(cells[i], i).second) {
        return records_.error(
            fmt::format("the column '{}' stands twice; remove one", excerpt(cells[i])));
      }
    }
    for (const auto& [column, target] :
         {std::pair{"task", &task_column_}, {"epoch", &epoch_column_}, {"value", &value_column_}}) {
      const auto found = columns.find(column);
      if (found == columns.end()) {
        return records_.error(
            fmt::format("there is no column '{}'; the header line must name the columns task, "
                        "epoch, value and the hyperparameters",
                        column));
      }
      *target = found->second;
    }
    width_ = cells.size();
    for (size_t i = 0; i < width_; ++i) {
      if (is_hyperparameter(i)) names_.push_back(cells[i]);
    }
    return {};
  }

  bool is_hyperparameter(size_t column) const {
    return column != task_column_ && column != epoch_column_ && column != value_column_;
  }

  Status read_row(std::vector<std::string>& cells) {
    if (cells.size() != width_) {
      return records_.error(fmt::format("{} cells, but the header line has {}; correct the row",
                                        cells.size(), width_));
    }
    if (records_.line_number() > kMaxLines) {
      return records_.error("too many lines; split the file");
    }
    Point point = {0, static_cast<uint32_t>(records_.line_number()), 0.0f};
    CMBO_TRY(point.epoch, parse_epoch(cells[epoch_column_]));
    CMBO_TRY(point.value, parse_value(cells[value_column_]));
    if (cells[task_column_].empty()) {
      return records_.error("the cell of 'task' is empty; name the task");
    }
    curve_of(cells).points.push_back(point);
    return {};
  }

  Result<uint32_t> parse_epoch(const std::string& cell) const {
    const auto number = number_from_text(cell);
    if (number && *number >= 0 && *number <= kMaxEpochs &&
        *number == static_cast<double>(static_cast<uint32_t>(*number))) {
      return static_cast<uint32_t>(*number);
    }
    return records_.error(fmt::format("epoch '{}' must be a whole number from 0 to {}; correct it",
                                      excerpt(cell), kMaxEpochs));
  }

  Result<float> parse_value(const std::string& cell) const {
    if (cell.empty() || is_not_finite(cell)) return std::numeric_limits<float>::quiet_NaN();
    if (const auto number = number_from_text(cell)) return recorded_value(*number);
    return records_.error(
        fmt::format("value '{}' must be a number, or nan if it diverged; correct "
                    "it",
                    excerpt(cell)));
  }

  // The curve that a row belongs to, found by task and hyperparameters.
  RawCurve& curve_of(std::vector<std::string>& cells) {
    std::string key;
    for (size_t i = 0; i < width_; ++i) {
      if (i != epoch_column_ && i != value_column_) {
        key += fmt::format("{}:{}", cells[i].size(), cells[i]);
      }
    }
    const auto [found, is_new] = curve_by_key_.try_emplace(std::move(key), curves_.size());
    if (!is_new) return curves_[found->second];
    RawCurve& curve = curves_.emplace_back();
    const auto [task, is_new_task] =
        task_by_name_.try_emplace(cells[task_column_], task_names_.size());
    if (is_new_task) task_names_.push_back(cells[task_column_]);
    curve.task = task->second;
    for (size_t i = 0; i < width_; ++i) {
      if (is_hyperparameter(i)) curve.cells.push_back(std::move(cells[i]));
    }
    return curve;
  }

  // Sorts the points of each curve and refuses duplicates and gaps.
  Status check_curves() {
    starts_at_zero_.assign(task_names_.size(), false);
    for (RawCurve& curve : curves_) {
      std::sort(curve.points.begin(), curve.points.end(), [](const Point& a, const Point& b) {
        return std::pair(a.epoch, a.line) < std::pair(b.epoch, b.line);
      });
      if (curve.points.front().epoch == 0) starts_at_zero_[curve.task] = true;
    }
    for (const RawCurve& curve : curves_) CMBO_RETURN_IF_ERROR(check_epochs(curve));
    return {};
  }

  Status check_epochs(const RawCurve& curve) const {
    uint32_t expected = starts_at_zero_[curve.task] ? 0 : 1;
    for (size_t i = 0; i < curve.points.size(); ++i, ++expected) {
      const Point& point = curve.points[i];
      if (i > 0 && point.epoch == curve.points[i - 1].epoch) {
        return error_at(point.line,
                        fmt::format("epoch {} of this configuration stands in line {} already; "
                                    "remove one",
                                    point.epoch, curve.points[i - 1].line));
      }
      if (point.epoch != expected) {
        return error_at(point.line,
                        fmt::format("epoch {} of this configuration is missing before epoch {}; "
                                    "add its row, with an empty value if it diverged",
                                    expected, point.epoch));
      }
    }
    return {};
  }

  Result<CsvConfigurations> make_configurations(const ReadOptions& options) const {
    std::vector<const CsvCells*> rows;
    for (const RawCurve& curve : curves_) rows.push_back(&curve.cells);
    auto space = options.space ? Result<space::Space>(*options.space) : infer_space(names_, rows);
    if (!space.ok()) return space.error().within(name_);
    auto made = CsvConfigurations::create(std::move(space).value(), names_);
    if (!made.ok()) return made.error().within(fmt::format("{}:1", name_));
    return made;
  }

  Status check_size(const space::Space& space) const {
    size_t weight = 1;
    for (const space::Parameter& parameter : space.parameters()) {
      weight += 1 + parameter.choices.size();
    }
    if (task_names_.size() <= std::min(kMaxTasks, kMaxSpaces / weight)) return {};
    return Error(fmt::format("{}: {} tasks are too many for such a space; split the file", name_,
                             task_names_.size()));
  }

  Status make_task(TaskHeader header, std::span<RawCurve* const> curves,
                   const CsvConfigurations& configurations, CurveSet& set) const {
    uint32_t last = 0;
    for (const RawCurve* curve : curves) last = std::max(last, curve->points.back().epoch);
    const size_t line = curves.front()->first_line();
    if (last == 0) {
      return error_at(line, fmt::format("the task '{}' has only epoch 0; add values after training",
                                        excerpt(header.name)));
    }
    header.first_epoch = starts_at_zero_[curves.front()->task] ? 0 : 1;
    header.last_epoch = static_cast<int>(last);
    auto task = Task::create(std::move(header));
    if (!task.ok()) return error_at(line, task.error().message());
    CMBO_RETURN_IF_ERROR(add_curves(curves, configurations, *task));
    const Status added = set.add(std::move(task).value());
    if (!added.ok()) return error_at(line, added.error().message());
    return {};
  }

  Status add_curves(std::span<RawCurve* const> curves, const CsvConfigurations& configurations,
                    Task& task) const {
    std::unordered_map<space::Configuration, size_t, space::Configuration::Hash> line_of;
    for (const RawCurve* curve : curves) {
      auto configuration = configurations.configuration(curve->cells);
      if (!configuration.ok())
        return error_at(curve->first_line(), configuration.error().message());
      const auto [found, is_new] = line_of.try_emplace(*configuration, curve->first_line());
      if (!is_new) {
        return error_at(curve->first_line(),
                        fmt::format("the configuration of line {}, written differently; write the "
                                    "rows of one configuration alike",
                                    found->second));
      }
      std::vector<float> values;
      for (const Point& point : curve->points) values.push_back(point.value);
      const Status added = task.add(std::move(configuration).value(), values);
      if (!added.ok()) return error_at(curve->first_line(), added.error().message());
    }
    return {};
  }

  std::string name_;
  CsvRecords records_;
  size_t width_ = 0;  // number of columns
  size_t task_column_ = 0;
  size_t epoch_column_ = 0;
  size_t value_column_ = 0;
  std::vector<std::string> names_;  // of the hyperparameters
  std::vector<std::string> task_names_;
  std::vector<bool> starts_at_zero_;  // of each task
  std::unordered_map<std::string, size_t> task_by_name_;
  std::unordered_map<std::string, size_t> curve_by_key_;
  std::vector<RawCurve> curves_;
};

}  // namespace

Status read_csv(ByteSource& source, const std::string& name, const ReadOptions& options,
                CurveSet& set) {
  if (!options.goal) {
    return Error(
        fmt::format("{}: a CSV file does not say whether larger values are better; give "
                    "--goal maximize or --goal minimize",
                    name));
  }
  CsvTable table(source, name);
  CMBO_RETURN_IF_ERROR(table.read());
  return table.make_tasks(options, set);
}

}  // namespace cmbo::curves
