// SPDX-License-Identifier: Apache-2.0
//
// The readers behind read_curves(), one for each format, over any source of bytes. `name` is the
// file in error texts, each of which names a line or a key. Every reader adds to `set`; on failure
// `set` is worthless.
#pragma once

#include <string>

#include "base/file_system.h"
#include "base/result.h"
#include "curves/reader.h"
#include "curves/task.h"

namespace cmbo::curves {

// One task: a header line, then one line for each configuration. Documented in jsonl_format.h.
Status read_jsonl(ByteSource& source, const std::string& name, CurveSet& set);

// LCBench (Zimmer et al. 2021): {dataset: {config id: {config: {...}, log: {tag: [values]},
// results: {...}}}}. A gigabyte, so it is streamed. Takes Train/val_balanced_accuracy (from `log`,
// or from `results` as some copies have it) and the seven hyperparameters that vary.
Status read_lcbench(ByteSource& source, const std::string& name, CurveSet& set);

// TaskSet (Metz et al. 2020) as one JSON list per task: [{hp: {...}, train: {loss: [...]},
// valid: {loss: [...]}, test: {loss: [...]}}]. Takes the validation loss; the task is called like
// the file. NaN and Infinity, as Python writes them, are diverged values.
Status read_taskset(ByteSource& source, const std::string& name, CurveSet& set);

// PD1 (Wang et al. 2021): one run a line. Collects runs over several files, because a task is
// spread over two phases; a later run of the same configuration replaces an earlier one.
class Pd1Reader {
 public:
  Pd1Reader();
  ~Pd1Reader();

  // Adds the runs of one file. Diverged runs are dropped, as in the paper's appendix.
  Status read(ByteSource& source, const std::string& name);
  // Adds the tasks, each curve interpolated linearly to 51 points of which the first counts as the
  // value before training.
  Status finish(CurveSet& set);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// CSV with a header line: a column `task`, one for each hyperparameter, `epoch`, `value`. Needs
// options.goal.
Status read_csv(ByteSource& source, const std::string& name, const ReadOptions& options,
                CurveSet& set);

// `inner` decompressed, if it is gzip; must be owned because it is read further and further.
Result<std::unique_ptr<ByteSource>> gunzip(std::unique_ptr<ByteSource> inner);

}  // namespace cmbo::curves
