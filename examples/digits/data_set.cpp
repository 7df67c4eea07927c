// SPDX-License-Identifier: Apache-2.0
#include "digits/data_set.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "base/random.h"
#include "curves/formats.h"
#include "curves/line_reader.h"
#include "curves/values.h"
#include "digits/image.h"

namespace cmbo::digits {

namespace {

constexpr float kLargestPixel = 16.0F;
constexpr double kMaxClasses = 1000.0;

Result<std::vector<float>> parse_row(std::string_view line) {
  std::vector<float> numbers;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.find(',', begin), line.size());
    const std::string_view cell = line.substr(begin, end - begin);
    const auto number = curves::number_from_text(cell);
    if (!number) {
      return Error(
          fmt::format("'{}' is not a number; fetch the file again", curves::excerpt(cell)));
    }
    numbers.push_back(static_cast<float>(*number));
    begin = end + 1;
  }
  return numbers;
}

bool is_title(std::string_view line) {
  return std::any_of(line.begin(), line.end(),
                     [](unsigned char letter) { return std::isalpha(letter) && letter != 'e'; });
}

Status add_row(std::span<const float> row, DataSet& set) {
  if (row.size() < 2) return Error("a line needs features and a class; fetch the file again");
  if (set.size() == 0) set.features = row.size() - 1;
  if (row.size() != set.features + 1) {
    return Error(fmt::format("{} columns instead of {}; fetch the file again", row.size(),
                             set.features + 1));
  }
  const double label = static_cast<double>(row.back());
  if (label < 0.0 || label >= kMaxClasses || label != std::floor(label)) {
    return Error("the last column must be a class: 0, 1, ...");
  }
  set.classes = std::max(set.classes, static_cast<size_t>(label) + 1);
  set.add(row.first(set.features), static_cast<uint32_t>(label));
  return {};
}

struct Moments {
  double mean;
  double deviation;
};

Moments moments_of(const DataSet& set, size_t feature) {
  double sum = 0.0, squares = 0.0;
  for (size_t i = 0; i < set.size(); ++i) sum += static_cast<double>(set.sample(i)[feature]);
  const double mean = sum / static_cast<double>(set.size());
  for (size_t i = 0; i < set.size(); ++i) {
    squares += std::pow(static_cast<double>(set.sample(i)[feature]) - mean, 2.0);
  }
  return {mean, std::sqrt(squares / static_cast<double>(set.size()))};
}

void move_feature(DataSet& set, size_t feature, Moments m) {
  const double scale = m.deviation > 0.0 ? 1.0 / m.deviation : 0.0;
  for (size_t i = feature; i < set.x.size(); i += set.features) {
    set.x[i] = static_cast<float>((static_cast<double>(set.x[i]) - m.mean) * scale);
  }
}

}  // namespace

void DataSet::add(std::span<const float> sample, uint32_t label) {
  CHECK(sample.size() == features && label < classes, "a sample of another problem");
  x.insert(x.end(), sample.begin(), sample.end());
  labels.push_back(label);
}

DataSet DataSet::subset(std::span<const size_t> samples) const {
  DataSet chosen{.features = features, .classes = classes, .x = {}, .labels = {}};
  for (const size_t i : samples) chosen.add(sample(i), labels[i]);
  return chosen;
}

Result<DataSet> read_data_set(FileSystem& files, const Path& path) {
  CMBO_TRY(auto source, files.open(path));
  auto unpacked = curves::gunzip(std::move(source));
  if (!unpacked.ok()) return unpacked.error().within(path.string());
  curves::LineReader lines(**unpacked, path.string());
  DataSet set;
  for (;;) {
    CMBO_TRY(const auto line, lines.next());
    if (!line) break;
    if (set.size() == 0 && is_title(*line)) continue;
    const auto row = parse_row(*line);
    if (!row.ok()) return lines.error(row.error().message());
    const Status added = add_row(*row, set);
    if (!added.ok()) return lines.error(added.error().message());
  }
  if (set.size() == 0) return Error(fmt::format("{}: no samples; fetch it again", path.string()));
  return set;
}

Split split(const DataSet& all, double validation_share, uint64_t seed) {
  std::vector<size_t> order(all.size());
  std::iota(order.begin(), order.end(), size_t{0});
  Random random(seed);
  random.shuffle(std::span(order));
  const auto cut = static_cast<size_t>(validation_share * static_cast<double>(all.size()));
  const std::span<const size_t> view(order);
  return {.train = all.subset(view.subspan(cut)), .validation = all.subset(view.first(cut))};
}

void standardize(Split& parts) {
  for (size_t feature = 0; feature < parts.train.features; ++feature) {
    const Moments moments = moments_of(parts.train, feature);
    move_feature(parts.train, feature, moments);
    move_feature(parts.validation, feature, moments);
  }
}

void scale_pixels(DataSet& images) {
  for (float& pixel : images.x) pixel /= kLargestPixel;
}

DataSet shifted(const DataSet& images) {
  DataSet all{.features = images.features, .classes = images.classes, .x = {}, .labels = {}};
  for (size_t i = 0; i < images.size(); ++i) {
    for (int down = -1; down <= 1; ++down) {
      for (int right = -1; right <= 1; ++right) {
        all.add(shift_image(images.sample(i), down, right), images.labels[i]);
      }
    }
  }
  return all;
}

}  // namespace cmbo::digits
