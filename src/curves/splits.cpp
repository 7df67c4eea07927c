// SPDX-License-Identifier: Apache-2.0
#include "curves/splits.h"

namespace cmbo::curves {

namespace {

using Names = std::string_view[];

constexpr Names kLcbenchTrain = {"APSFailure",
                                 "Amazon_employee_access",
                                 "Australian",
                                 "Fashion-MNIST",
                                 "KDDCup09_appetency",
                                 "MiniBooNE",
                                 "adult",
                                 "airlines",
                                 "albert",
                                 "bank-marketing",
                                 "blood-transfusion-service-center",
                                 "car",
                                 "christine",
                                 "cnae-9",
                                 "connect-4",
                                 "covertype",
                                 "credit-g",
                                 "dionis",
                                 "fabert",
                                 "helena"};
constexpr Names kLcbenchTest = {
    "higgs",       "jannis",   "jasmine",       "jungle_chess_2pcs_raw_endgame_complete",
    "kc1",         "kr-vs-kp", "mfeat-factors", "nomao",
    "numerai28.6", "phoneme",  "segment",       "shuttle",
    "sylvine",     "vehicle",  "volkert"};

constexpr Names kTasksetTrain = {
    "rnn_text_classification_family_seed19", "rnn_text_classification_family_seed3",
    "rnn_text_classification_family_seed46", "rnn_text_classification_family_seed47",
    "rnn_text_classification_family_seed59", "rnn_text_classification_family_seed6",
    "rnn_text_classification_family_seed66", "word_rnn_language_model_family_seed22",
    "word_rnn_language_model_family_seed47", "word_rnn_language_model_family_seed48",
    "word_rnn_language_model_family_seed74", "word_rnn_language_model_family_seed76",
    "word_rnn_language_model_family_seed81", "char_rnn_language_model_family_seed19",
    "char_rnn_language_model_family_seed26", "char_rnn_language_model_family_seed31",
    "char_rnn_language_model_family_seed42", "char_rnn_language_model_family_seed48",
    "char_rnn_language_model_family_seed5",  "char_rnn_language_model_family_seed74"};
constexpr Names kTasksetTest = {
    "rnn_text_classification_family_seed8",  "rnn_text_classification_family_seed82",
    "rnn_text_classification_family_seed89", "word_rnn_language_model_family_seed84",
    "word_rnn_language_model_family_seed98", "word_rnn_language_model_family_seed99",
    "char_rnn_language_model_family_seed84", "char_rnn_language_model_family_seed94",
    "char_rnn_language_model_family_seed96"};

constexpr Names kPd1Train = {"uniref50_transformer_batch_size_128",
                             "lm1b_transformer_batch_size_2048",
                             "imagenet_resnet_batch_size_256",
                             "mnist_max_pooling_cnn_tanh_batch_size_2048",
                             "mnist_max_pooling_cnn_relu_batch_size_2048",
                             "mnist_max_pooling_cnn_relu_batch_size_256",
                             "mnist_simple_cnn_batch_size_2048",
                             "mnist_simple_cnn_batch_size_256",
                             "fashion_mnist_max_pooling_cnn_tanh_batch_size_2048",
                             "fashion_mnist_max_pooling_cnn_relu_batch_size_2048",
                             "fashion_mnist_max_pooling_cnn_relu_batch_size_256",
                             "fashion_mnist_simple_cnn_batch_size_2048",
                             "fashion_mnist_simple_cnn_batch_size_256",
                             "svhn_no_extra_wide_resnet_batch_size_1024",
                             "cifar100_wide_resnet_batch_size_2048",
                             "cifar10_wide_resnet_batch_size_2048"};
constexpr Names kPd1Test = {"imagenet_resnet_batch_size_512",
                            "translate_wmt_xformer_translate_batch_size_64",
                            "mnist_max_pooling_cnn_tanh_batch_size_256",
                            "fashion_mnist_max_pooling_cnn_tanh_batch_size_256",
                            "svhn_no_extra_wide_resnet_batch_size_256",
                            "cifar100_wide_resnet_batch_size_256",
                            "cifar10_wide_resnet_batch_size_256"};

constexpr Split kSplits[] = {{"lcbench", kLcbenchTrain, kLcbenchTest},
                             {"taskset", kTasksetTrain, kTasksetTest},
                             {"pd1", kPd1Train, kPd1Test}};

}  // namespace

std::span<const Split> splits() {
  return kSplits;
}

const Split* find_split(std::string_view name) {
  for (const Split& split : kSplits) {
    if (split.name == name) return &split;
  }
  return nullptr;
}

}  // namespace cmbo::curves
