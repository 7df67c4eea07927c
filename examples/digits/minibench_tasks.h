// SPDX-License-Identifier: Apache-2.0
//
// The problems of data/minibench: handwritten digits in many disguises, and two tables.
#pragma once

#include <string>
#include <vector>

#include "digits/data_set.h"

namespace cmbo::digits {

enum class BenchMetric { kAccuracy, kLoss };

struct BenchTask {
  std::string name;
  std::string about;  // what it asks of a network, in a few words
  BenchMetric metric;
  Split data;
};

// `directory` holds digits.csv.gz, breast_cancer.csv and wine_data.csv.
Result<std::vector<BenchTask>> bench_tasks(FileSystem& files, const Path& directory);

}  // namespace cmbo::digits
