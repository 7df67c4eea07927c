// SPDX-License-Identifier: Apache-2.0
//
// Samples with a class each, in memory: how they are read, cut into training and validation part,
// and changed into other problems.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/file_system.h"
#include "base/result.h"

namespace cmbo::digits {

struct DataSet {
  size_t features = 0;
  size_t classes = 0;
  std::vector<float> x;          // [size()][features]
  std::vector<uint32_t> labels;  // [size()], below `classes`

  size_t size() const { return labels.size(); }
  std::span<const float> sample(size_t i) const {
    return std::span(x).subspan(i * features, features);
  }
  void add(std::span<const float> sample, uint32_t label);
  // The same problem with these samples only.
  DataSet subset(std::span<const size_t> samples) const;
};

// What a network learns from and what it is judged by.
struct Split {
  DataSet train;
  DataSet validation;
};

// Comma-separated numbers, plain or gzip; the last column is the class. A first line that holds a
// letter is a title. Errors name file and line.
Result<DataSet> read_data_set(FileSystem& files, const Path& path);

// A random cut that depends on `seed` alone, so that every configuration sees the same one.
Split split(const DataSet& all, double validation_share, uint64_t seed);

// Both parts moved and scaled so that every feature of the training part has mean 0 and standard
// deviation 1 (a constant one becomes 0).
void standardize(Split& parts);
// Pixels from 0..16 to 0..1.
void scale_pixels(DataSet& images);

// Every 8x8 image in nine places: as it is, and moved by a pixel in the eight directions.
DataSet shifted(const DataSet& images);

}  // namespace cmbo::digits
