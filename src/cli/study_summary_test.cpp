// SPDX-License-Identifier: Apache-2.0
#include "cli/study_summary.h"

#include <gtest/gtest.h>
#include <limits>

#include "study/facts_testing.h"
#include "study/study_testing.h"

namespace cmbo::cli {
namespace {

TEST(StudySummaryTest, TrialsAndEpochs) {
  const auto file = study::study_file_from_yaml(study::small_study()).value();
  study::Facts facts = study::make_facts(
      2, {{.trial = 1, .values = {0.5, 0.4, std::numeric_limits<double>::quiet_NaN()}}});
  study::Trial trial = facts.trials()[1];
  trial.note = "said \"no\", twice";
  facts.put(trial);
  EXPECT_EQ(trials_csv(file, facts),
            "trial,state,origin,steps,best,best_step,last,seconds,checkpoint_bytes,note,width\n"
            "0,frozen,pool,0,,,,0,,,1\n"
            "1,frozen,pool,3,0.5,1,nan,3,,\"said \"\"no\"\", twice\",2\n");
  EXPECT_EQ(epochs_csv(facts),
            "trial,step,value,seconds,slice\n1,1,0.5,1,1\n1,2,0.4,1,1\n1,3,nan,1,1\n");
}

}  // namespace
}  // namespace cmbo::cli
