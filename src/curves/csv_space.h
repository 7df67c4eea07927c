// SPDX-License-Identifier: Apache-2.0
//
// Hyperparameters from the columns of a CSV file: their space, given or inferred, and the
// configuration that a row of cells stands for.
//
// A space is inferred column by column from all values that stand in the file:
//   one value only                        const
//   whole numbers of at most 2^48         int
//   numbers                               float
//   true and false                        categorical, [false, true]
//   anything else                         categorical, the texts in sorted order, at most 1000
// Bounds are the smallest and largest value. The scale is logarithmic if all values are above 0 and
// the largest is at least 1000 times the smallest. A column with an empty cell is optional.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "space/space.h"

namespace cmbo::curves {

inline constexpr size_t kMaxInferredChoices = 1000;
inline constexpr double kLogScaleRatio = 1000.0;

using CsvCells = std::vector<std::string>;

// The space of the columns `names`, given the different rows of cells. An error names the column.
Result<space::Space> infer_space(std::span<const std::string> names,
                                 std::span<const CsvCells* const> rows);

// From rows of cells to configurations of one space.
class CsvConfigurations {
 public:
  // Fails if a column is no parameter of the space, or a parameter that is always active has no
  // column.
  static Result<CsvConfigurations> create(space::Space space, std::span<const std::string> names);

  const space::Space& space() const { return space_; }

  // An empty cell is an inactive parameter. An error names the column.
  Result<space::Configuration> configuration(const CsvCells& cells) const;

 private:
  CsvConfigurations() = default;
  Result<double> parse(size_t parameter, const std::string& cell) const;

  space::Space space_;
  std::vector<size_t> parameter_of_column_;
  // Of each parameter: the choices as they are written in a cell.
  std::vector<std::unordered_map<std::string, double>> choices_;
};

}  // namespace cmbo::curves
