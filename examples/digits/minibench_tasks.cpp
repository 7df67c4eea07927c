// SPDX-License-Identifier: Apache-2.0
#include "digits/minibench_tasks.h"

#include <functional>
#include <optional>

#include "base/random.h"
#include "digits/image.h"

namespace cmbo::digits {

namespace {

constexpr uint64_t kSeed = 20;  // of every random choice below
constexpr double kImageShare = 1.0 / 3.0;
constexpr double kTableShare = 0.5;
constexpr size_t kDigits = 10;

using Labels = std::vector<std::optional<uint32_t>>;  // new label of each old one; none = left out

DataSet relabel(const DataSet& set, size_t classes, const Labels& labels) {
  DataSet result{.features = set.features, .classes = classes, .x = {}, .labels = {}};
  for (size_t i = 0; i < set.size(); ++i) {
    if (const auto label = labels[set.labels[i]]) result.add(set.sample(i), *label);
  }
  return result;
}

DataSet only(const DataSet& set, const std::vector<uint32_t>& digits) {
  Labels labels(kDigits);
  for (uint32_t i = 0; i < digits.size(); ++i) labels[digits[i]] = i;
  return relabel(set, digits.size(), labels);
}

DataSet parity(const DataSet& set) {
  Labels labels(kDigits);
  for (uint32_t digit = 0; digit < kDigits; ++digit) labels[digit] = digit % 2;
  return relabel(set, 2, labels);
}

using Transform = std::function<std::vector<float>(Image)>;

DataSet transform(const DataSet& set, const Transform& change) {
  DataSet result{
      .features = change(set.sample(0)).size(), .classes = set.classes, .x = {}, .labels = {}};
  for (size_t i = 0; i < set.size(); ++i) result.add(change(set.sample(i)), set.labels[i]);
  return result;
}

DataSet upper_half(const DataSet& set) {
  return transform(set, [](Image image) {
    const Image half = image.first(image.size() / 2);
    return std::vector(half.begin(), half.end());
  });
}

// Each image moved by up to `reach` pixels down, up, left or right.
DataSet moved(const DataSet& set, size_t reach) {
  Random random(kSeed);
  const auto step = [&random, reach] {
    return static_cast<int>(random.index(2 * reach + 1)) - static_cast<int>(reach);
  };
  return transform(set, [&](Image image) {
    const int down = step();
    return shift_image(image, down, step());
  });
}

DataSet grainy(const DataSet& set, double noise) {
  Random random(kSeed);
  return transform(set, [&](Image image) {
    std::vector<float> pixels(image.begin(), image.end());
    for (float& pixel : pixels) pixel += static_cast<float>(noise * random.normal());
    return pixels;
  });
}

// Each image turned by 0 to 3 quarters; the label is how far.
DataSet turned(const DataSet& set) {
  Random random(kSeed);
  DataSet result{.features = set.features, .classes = 4, .x = {}, .labels = {}};
  for (size_t i = 0; i < set.size(); ++i) {
    const auto quarters = static_cast<uint32_t>(random.index(4));
    std::vector<float> image(set.sample(i).begin(), set.sample(i).end());
    for (uint32_t turn = 0; turn < quarters; ++turn) image = turn_image(image);
    result.add(image, quarters);
  }
  return result;
}

Split image_split(const DataSet& set) {
  return split(set, kImageShare, kSeed);
}

Split few(const DataSet& set, size_t count) {
  Split parts = image_split(set);
  std::vector<size_t> first(count);
  for (size_t i = 0; i < count; ++i) first[i] = i;  // the split has shuffled them
  parts.train = parts.train.subset(first);
  return parts;
}

// A share of the training labels replaced by one drawn from all; validation stays as it is.
Split mislabelled(Split parts, double share) {
  Random random(kSeed);
  for (uint32_t& label : parts.train.labels) {
    if (random.chance(share)) label = static_cast<uint32_t>(random.index(parts.train.classes));
  }
  return parts;
}

Split table(const DataSet& set) {
  Split parts = split(set, kTableShare, kSeed);
  standardize(parts);
  return parts;
}

}  // namespace

Result<std::vector<BenchTask>> bench_tasks(FileSystem& files, const Path& directory) {
  CMBO_TRY(DataSet digits, read_data_set(files, directory / "digits.csv.gz"));
  CMBO_TRY(const DataSet cancer, read_data_set(files, directory / "breast_cancer.csv"));
  CMBO_TRY(const DataSet wine, read_data_set(files, directory / "wine_data.csv"));
  scale_pixels(digits);
  const auto kAccuracy = BenchMetric::kAccuracy, kLoss = BenchMetric::kLoss;
  return std::vector<BenchTask>{
      {"digits", "ten digits", kAccuracy, image_split(digits)},
      {"digits-3589", "four digits that look alike", kAccuracy,
       image_split(only(digits, {3, 5, 8, 9}))},
      {"digits-even-odd", "even or odd", kAccuracy, image_split(parity(digits))},
      {"digits-few-100", "100 training images", kAccuracy, few(digits, 100)},
      {"digits-few-300", "300 training images", kLoss, few(digits, 300)},
      {"digits-grainy", "noise on every pixel", kAccuracy, image_split(grainy(digits, 0.4))},
      {"digits-half", "upper half of the image", kAccuracy, image_split(upper_half(digits))},
      {"digits-low", "digits 0 to 4", kLoss, image_split(only(digits, {0, 1, 2, 3, 4}))},
      {"digits-mislabelled-20", "a fifth of the training labels drawn at random", kLoss,
       mislabelled(image_split(digits), 0.2)},
      {"digits-mislabelled-60", "three fifths of the training labels drawn at random", kAccuracy,
       mislabelled(image_split(digits), 0.6)},
      {"digits-moved", "moved by up to two pixels", kAccuracy, image_split(moved(digits, 2))},
      {"digits-moved-grainy", "moved by up to a pixel, and noise on every pixel", kLoss,
       image_split(grainy(moved(digits, 1), 0.2))},
      {"digits-small", "4x4 pixels", kAccuracy, image_split(transform(digits, shrink_image))},
      {"digits-turned", "which way up", kAccuracy, image_split(turned(digits))},
      {"cancer", "benign or malignant, 30 measurements", kLoss, table(cancer)},
      {"cancer-mislabelled-30", "the same with 30 % of the training labels drawn at random", kLoss,
       mislabelled(table(cancer), 0.3)},
      {"wine", "three cultivars, 13 measurements", kLoss, table(wine)},
      {"wine-mislabelled-30", "the same with 30 % of the training labels drawn at random", kLoss,
       mislabelled(table(wine), 0.3)},
  };
}

}  // namespace cmbo::digits
