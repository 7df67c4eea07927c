// SPDX-License-Identifier: Apache-2.0
#include "network/safetensors.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace cmbo::network {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using Limits = std::numeric_limits<float>;

TensorFile example_tensors() {
  return {{{"format", "cmbo"}, {"note", "Größe \"1\"\n"}},
          {{"block.0.weight", {2, 3}, {1.5F, -0.0F, 0.0F, Limits::denorm_min(), Limits::max(), -7}},
           {"scalar", {}, {Limits::lowest()}},
           {"empty", {0, 4}, {}},
           {"bias", {2}, {-Limits::denorm_min(), Limits::min()}}}};
}

std::vector<uint32_t> bits(const std::vector<float>& values) {
  std::vector<uint32_t> bits;
  bits.reserve(values.size());
  for (const float value : values) bits.push_back(std::bit_cast<uint32_t>(value));
  return bits;
}

// A file with this header and these data.
std::string file_of(std::string_view header, const std::string& data) {
  std::string bytes(8, '\0');
  for (size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>((header.size() >> (8 * i)) & 0xff);
  return bytes + std::string(header) + data;
}

std::string tensors_problem(std::string_view bytes) {
  const auto file = parse_safetensors(bytes);
  return file.ok() ? "no problem" : file.error().message();
}

std::string tensors_problem(std::string_view header, size_t data_bytes) {
  return tensors_problem(file_of(header, std::string(data_bytes, '\0')));
}

TEST(SafetensorsTest, RoundTripIsExactToTheBit) {
  const TensorFile written = example_tensors();
  const std::string bytes = to_safetensors(written);
  const TensorFile read = parse_safetensors(bytes).value();
  EXPECT_EQ(read.metadata, written.metadata);
  ASSERT_EQ(read.tensors.size(), written.tensors.size());
  for (size_t i = 0; i < read.tensors.size(); ++i) {
    EXPECT_EQ(read.tensors[i].name, written.tensors[i].name);
    EXPECT_EQ(read.tensors[i].shape, written.tensors[i].shape);
    EXPECT_EQ(bits(read.tensors[i].values), bits(written.tensors[i].values));
  }
  EXPECT_EQ(to_safetensors(read), bytes);
}

// Byte by byte what the reference library (0.8.0) writes for the same content.
TEST(SafetensorsTest, WritesTheseBytes) {
  const std::string header =
      R"({"__metadata__":{"k":"v"},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
      R"("b":{"dtype":"F32","shape":[1,1],"data_offsets":[8,12]}} )";
  ASSERT_EQ(header.size(), 136u);
  const std::string length("\x88\0\0\0\0\0\0\0", 8);
  const std::string data("\0\0\x80\x3f\0\0\0\x80\0\0\x20\xc1", 12);  // 1, -0, -10
  const TensorFile file{{{"k", "v"}}, {{"a", {2}, {1.0F, -0.0F}}, {"b", {1, 1}, {-10.0F}}}};
  EXPECT_EQ(to_safetensors(file), length + header + data);
}

TEST(SafetensorsTest, DataAreAlignedWhateverTheHeader) {
  for (size_t length = 1; length < 20; ++length) {
    const std::string bytes = to_safetensors({{}, {{std::string(length, 'n'), {1}, {1.0F}}}});
    EXPECT_EQ((bytes.size() - 4) % 8, 0u) << length;
    EXPECT_NE(bytes[bytes.size() - 4 - 8], ' ') << length;  // and by no more than needed
    EXPECT_TRUE(parse_safetensors(bytes).ok()) << length;
  }
}

TEST(SafetensorsTest, ReadsAFileWithoutTensorsAndWithoutPadding) {
  EXPECT_EQ(tensors_problem("{}", 0), "no problem");
  const std::string header = R"({"a":{"shape":[1],"data_offsets":[0,4],"dtype":"F32"}})";
  ASSERT_NE(header.size() % 8, 0u);
  const auto file = parse_safetensors(file_of(header, std::string("\0\0\x80\x3f", 4)));
  EXPECT_THAT(file->tensors[0].values, ElementsAre(1.0F));
}

TEST(SafetensorsTest, RefusesEveryTruncationAndExtension) {
  const std::string bytes = to_safetensors(example_tensors());
  for (size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_NE(tensors_problem(std::string_view(bytes).substr(0, length)), "no problem") << length;
  }
  EXPECT_THAT(tensors_problem(bytes + "x"),
              HasSubstr("1 bytes follow the last tensor; the file is damaged"));
  EXPECT_THAT(
      tensors_problem(std::string_view(bytes).substr(0, bytes.size() - 1)),
      AllOf(HasSubstr("tensor 'bias': data_offsets: ends at byte 36"), HasSubstr("only 35")));
}

// A flip in a name or in metadata cannot be seen, but nothing else may change.
TEST(SafetensorsTest, AFlippedBitOfTheHeaderIsRefusedOrHarmless) {
  TensorFile original = example_tensors();
  original.tensors.erase(original.tensors.begin() + 2);  // an empty tensor has any shape [0, n]
  const std::string bytes = to_safetensors(original);
  const size_t data_begin = bytes.size() - 36;
  size_t refused = 0;
  for (size_t bit = 0; bit < 8 * data_begin; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    const auto file = parse_safetensors(flipped);
    if (!file.ok()) {
      ++refused;
      continue;
    }
    ASSERT_EQ(file->tensors.size(), original.tensors.size()) << bit;
    for (size_t i = 0; i < file->tensors.size(); ++i) {
      EXPECT_EQ(file->tensors[i].shape, original.tensors[i].shape) << bit;
      EXPECT_EQ(bits(file->tensors[i].values), bits(original.tensors[i].values)) << bit;
    }
  }
  EXPECT_GT(refused, 8 * data_begin / 2);
  EXPECT_LT(refused, 8 * data_begin);
}

TEST(SafetensorsTest, RefusesForeignFiles) {
  const char* advice = "name a model that cmbo trained";
  EXPECT_THAT(tensors_problem(""), AllOf(HasSubstr("only 0 bytes"), EndsWith(advice)));
  EXPECT_THAT(tensors_problem("PK\3\4PyTorch file"), AllOf(HasSubstr("100 MB"), EndsWith(advice)));
  EXPECT_THAT(tensors_problem("[1]", 0),
              AllOf(HasSubstr("not a safetensors file"), EndsWith(advice)));
  EXPECT_THAT(tensors_problem("", 0), HasSubstr("does not begin with '{'"));
  EXPECT_THAT(tensors_problem("\xef\xbb\xbf{}", 0), HasSubstr("does not begin with '{'"));
}

TEST(SafetensorsTest, RefusesAHeaderThatIsNotThere) {
  std::string bytes = file_of("{}", "");
  bytes[0] = 3;
  EXPECT_THAT(tensors_problem(bytes), HasSubstr("to have 3 bytes, but only 2 follow"));
  // 100,000,000 is the last length that may be; both are beyond the end here.
  EXPECT_THAT(tensors_problem(std::string("\x00\xe1\xf5\x05\0\0\0\0{}", 10)),
              HasSubstr("only 2 follow"));
  EXPECT_THAT(tensors_problem(std::string("\x01\xe1\xf5\x05\0\0\0\0{}", 10)), HasSubstr("100 MB"));
  EXPECT_THAT(tensors_problem(std::string(8, '\xff')), HasSubstr("100 MB"));
}

TEST(SafetensorsTest, RefusesACorruptHeader) {
  EXPECT_THAT(tensors_problem("{]", 0),
              AllOf(HasSubstr("not valid JSON at byte 2"), EndsWith("again")));
  EXPECT_THAT(tensors_problem("{} {}", 0), HasSubstr("not valid JSON"));
  EXPECT_THAT(tensors_problem(std::string_view("{}\0x", 4), 0), HasSubstr("zero byte"));
  EXPECT_THAT(tensors_problem("{\"\xff\":1}", 0), HasSubstr("not UTF-8"));
  EXPECT_THAT(tensors_problem(R"({"__metadata__":[]})", 0),
              HasSubstr("must be an object, not a list"));
  EXPECT_THAT(tensors_problem(R"({"__metadata__":{"a":1}})", 0), HasSubstr("'a' must be text"));
  EXPECT_THAT(tensors_problem(R"({"a":{"dtype":"F32","shape":[],"data_offsets":[0,4]},)"
                              R"("a":{"dtype":"F32","shape":[],"data_offsets":[4,8]}})",
                              8),
              HasSubstr("the key 'a' stands twice"));
  EXPECT_LT(tensors_problem("{\"" + std::string(100'000, 'x'), 0).size(), 500u);
}

TEST(SafetensorsTest, RefusesAnEntryThatIsNotATensor) {
  for (const char* entry :
       {"1", "{}", R"({"dtype":"F32","shape":[1]})", R"({"dtype":"F32","shape":[1],"x":[0,4]})",
        R"({"dtype":"F32","shape":[1],"data_offsets":[0,4],"x":1})"}) {
    EXPECT_THAT(tensors_problem(std::string("{\"w\":") + entry + "}", 4),
                HasSubstr("tensor 'w': must have exactly dtype, shape and data_offsets"));
  }
  EXPECT_THAT(tensors_problem(R"({"":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4),
              HasSubstr("empty name"));
}

// The error for a tensor `w` with this type, shape and offsets over `bytes` bytes of data.
std::string problem_of(const std::string& type, const std::string& shape,
                       const std::string& offsets, size_t bytes) {
  return tensors_problem(
      R"({"w":{"dtype":)" + type + R"(,"shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}",
      bytes);
}

TEST(SafetensorsTest, RefusesOtherTypes) {
  EXPECT_THAT(problem_of(R"("F16")", "[2]", "[0,4]", 4),
              HasSubstr("tensor 'w': dtype: is F16, but cmbo reads F32 only; name a model"));
  EXPECT_THAT(problem_of("32", "[1]", "[0,4]", 4), HasSubstr("dtype: must be text"));
}

TEST(SafetensorsTest, RefusesShapesThatAreNoneOrDoNotFit) {
  const auto of_shape = [](const std::string& shape) {
    return problem_of("\"F32\"", shape, "[0,4]", 4);
  };
  EXPECT_EQ(of_shape("[]"), "no problem");
  EXPECT_EQ(of_shape("[1,1]"), "no problem");
  for (const char* shape : {"1", "{}", "null"}) {
    EXPECT_THAT(of_shape(shape), HasSubstr("shape: must be a list")) << shape;
  }
  for (const char* shape : {"[-1]", "[1.0]", "[1e0]", "[\"1\"]", "[18446744073709551616]"}) {
    EXPECT_THAT(of_shape(shape), HasSubstr("shape: must be whole numbers")) << shape;
  }
  for (const char* shape : {"[2]", "[0]", "[18446744073709551615]",
                            "[4611686018427387905]",    // 2^62 + 1: 4 bytes modulo 2^64
                            "[4294967296,4294967296]",  // 2^64
                            "[4294967296,4294967296,0]", "[3,6148914691236517206]"}) {
    EXPECT_THAT(of_shape(shape), HasSubstr("does not fit 4 bytes of data")) << shape;
  }
  std::string deep = "[1";
  for (int i = 0; i < 32; ++i) deep += ",1";
  EXPECT_THAT(of_shape(deep + "]"), HasSubstr("at most 32"));
}

TEST(SafetensorsTest, RefusesOffsetsThatOverlapLeaveGapsOrAreOutOfOrder) {
  const auto of_offsets = [](const std::string& offsets) {
    return problem_of("\"F32\"", "[1]", offsets, 8);
  };
  EXPECT_THAT(of_offsets("[4,0]"), HasSubstr("a beginning and an end behind it"));
  EXPECT_THAT(of_offsets("[0]"), HasSubstr("a beginning and an end behind it"));
  EXPECT_THAT(of_offsets("[0,4,8]"), HasSubstr("a beginning and an end behind it"));
  EXPECT_THAT(of_offsets("[0,-4]"), HasSubstr("data_offsets: must be whole numbers"));
  EXPECT_THAT(of_offsets("[4,8]"), HasSubstr("begins at byte 4, but the data before end at 0"));
  EXPECT_THAT(of_offsets("[0,18446744073709551612]"), HasSubstr("the file has only 8"));
  EXPECT_THAT(of_offsets("[0,8]"), HasSubstr("shape: [1] does not fit 8 bytes"));

  const auto of_two = [](const std::string& first, const std::string& second) {
    const std::string head = R"("dtype":"F32","shape":[1],"data_offsets":)";
    return tensors_problem("{\"a\":{" + head + first + "},\"b\":{" + head + second + "}}", 8);
  };
  EXPECT_EQ(of_two("[0,4]", "[4,8]"), "no problem");
  EXPECT_THAT(of_two("[0,4]", "[0,4]"), HasSubstr("tensor 'b': data_offsets: begins at byte 0"));
  EXPECT_THAT(of_two("[0,4]", "[2,6]"), HasSubstr("tensor 'b': data_offsets: begins at byte 2"));
  EXPECT_THAT(of_two("[4,8]", "[0,4]"), HasSubstr("tensor 'a': data_offsets: begins at byte 4"));
  EXPECT_THAT(of_two("[0,4]", "[5,9]"), HasSubstr("tensor 'b': data_offsets: begins at byte 5"));
}

TEST(SafetensorsTest, RefusesValuesThatAreNotFinite) {
  const std::string header = R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  for (const float bad : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()}) {
    std::string data(4, '\0');
    const auto word = std::bit_cast<uint32_t>(bad);
    for (size_t i = 0; i < 4; ++i) data += static_cast<char>((word >> (8 * i)) & 0xff);
    EXPECT_THAT(tensors_problem(file_of(header, data)),
                HasSubstr("tensor 'w': value 1 is not a finite number"));
  }
}

TEST(SafetensorsTest, NeverWritesWhatCannotBeRead) {
  const auto write = [](std::vector<Tensor> tensors) {
    return to_safetensors({{}, std::move(tensors)});
  };
  EXPECT_DEATH(write({{"a", {2}, {1}}}), "shape and values differ: a");
  EXPECT_DEATH(write({{"a", {1}, {1}}, {"a", {1}, {1}}}), "two tensors have the name a");
  EXPECT_DEATH(write({{"a", {1}, {NAN}}}), "not finite: a");
  EXPECT_DEATH(write({{"__metadata__", {1}, {1}}}), "cannot be named");
  EXPECT_DEATH(write({{"\xff", {1}, {1}}}), "cannot be named");
  EXPECT_DEATH(to_safetensors({{{"k", "\xff"}}, {}}), "not UTF-8");
}

}  // namespace
}  // namespace cmbo::network
