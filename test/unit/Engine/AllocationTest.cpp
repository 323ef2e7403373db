//===- AllocationTest.cpp - Runs allocate nothing -------------------------===//
//
// Counts every allocation of the process, whichever way it is asked for.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "ane/Engine/Runner.h"
#include "ane/Engine/ane.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <atomic>
#include <cstdlib>

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;

static std::atomic<uint64_t> allocations = 0;

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) &&                    \
    !defined(__SANITIZE_THREAD__)
#define ANE_COUNTS_ALLOCATIONS 1

// glibc's own, which operator new comes down to as well.
extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

void *malloc(size_t bytes) {
  ++allocations;
  return __libc_malloc(bytes);
}
void *calloc(size_t count, size_t bytes) {
  ++allocations;
  return __libc_calloc(count, bytes);
}
void *realloc(void *old, size_t bytes) {
  ++allocations;
  return __libc_realloc(old, bytes);
}
void *aligned_alloc(size_t alignment, size_t bytes) {
  ++allocations;
  return __libc_memalign(alignment, bytes);
}
}
#else
#define ANE_COUNTS_ALLOCATIONS 0
#endif

namespace {

constexpr Extents pixels{1, 1, 24, 12, 20};

/// Tasks of all kinds: dense
/// and channel-wise convolutions, one of few pixels among them, a maximum, a
/// sum, a reduction, a pass.
Model everything() {
  Model model;
  model.input("x", pixels);
  model.output("dense", pixels);
  model.output("channelwise", pixels);
  model.output("few", {1, 1, 40, 1, 1});
  model.output("sum", pixels);
  model.output("mean", {1, 1, 24, 1, 1});
  model.output("largest", {1, 1, 1, 12, 20});
  model.output("pass", pixels);
  Geometry window{3, 3, 1, 1, 1, 1};

  td::RegisterImage dense = neuralTask(pixels, pixels);
  setGeometry(dense, window);
  addKernel(model, dense, randomCoefficients(1, 24, 24 * 9, true, 1), 2);
  model.readFirst(dense, "x");
  model.write(dense, "dense");
  model.add(dense);

  td::RegisterImage channelwise = neuralTask(pixels, pixels);
  setGeometry(channelwise, window);
  channelwise.set(Field::UnicastEn, 1);
  channelwise.set(Field::UnicastCin, 1);
  Coefficients coefficients = randomCoefficients(1, 24, 9, false, 2);
  coefficients.channelwise = true;
  addKernel(model, channelwise, coefficients, 2);
  model.readFirst(channelwise, "dense");
  model.write(channelwise, "channelwise");
  model.add(channelwise);

  td::RegisterImage few = neuralTask({1, 1, 24, 1, 1}, {1, 1, 40, 1, 1});
  addKernel(model, few, randomCoefficients(1, 40, 24, false, 3), 2);
  model.readFirst(few, "x");
  model.write(few, "few");
  model.add(few);

  td::RegisterImage largest = neuralTask(pixels, {1, 1, 1, 12, 20});
  largest.set(Field::MACOpMode, 3);
  largest.set(Field::KernelMode, 1);
  model.readFirst(largest, "x");
  model.write(largest, "largest");
  model.add(largest);

  td::RegisterImage sum = planarTask(td::TaskType::TwoSources, pixels);
  model.readFirst(sum, "x");
  model.readSecond(sum, "dense");
  model.write(sum, "sum");
  model.add(sum);

  td::RegisterImage mean = planarTask(td::TaskType::Reduction, pixels);
  model.readFirst(mean, "sum");
  model.write(mean, "mean");
  model.add(mean);

  td::RegisterImage pass = passTask(pixels);
  model.readFirst(pass, "x");
  model.write(pass, "pass");
  model.add(pass);
  return model;
}

class Allocation : public testing::TestWithParam<unsigned> {};

TEST_P(Allocation, NoneInLaterRuns) {
  if (!ANE_COUNTS_ALLOCATIONS)
    GTEST_SKIP() << "allocations cannot be counted here";
  uint64_t start = allocations;
  Model model = everything();
  auto program = loadBytes(model.container(td::Format::V7));
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  ASSERT_GT(allocations, start) << "nothing is counted";
  Machine &machine = (*program)->machine();
  for (const DevicePort &port : (*program)->ports())
    if (port.direction == object::PortDirection::Input)
      store(randomArray(pixels, 5), port.layout, machine.memory(port.section));
  for (Numerics numerics : {Numerics::Documented, Numerics::Tile4}) {
    llvm::cantFail(machine.run(GetParam(), numerics));
    uint64_t before = allocations;
    for (unsigned i = 0; i < 50; ++i)
      llvm::cantFail(machine.run(GetParam(), numerics));
    EXPECT_EQ(allocations - before, 0u);
  }
}

TEST_P(Allocation, NoneWithInputsAndOutputs) {
  if (!ANE_COUNTS_ALLOCATIONS)
    GTEST_SKIP() << "allocations cannot be counted here";
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("ane", "hwx", path));
  {
    std::error_code code;
    llvm::raw_fd_ostream os(path, code);
    os << everything().container(td::Format::V10);
  }
  char *message = nullptr;
  ane_program *program = ane_load(path.c_str(), &message);
  llvm::sys::fs::remove(path);
  ASSERT_TRUE(program) << message;
  std::vector<std::vector<uint8_t>> arrays;
  std::vector<ane_port> ports(ane_num_ports(program));
  for (auto [index, port] : llvm::enumerate(ports)) {
    ASSERT_EQ(ane_get_port(program, index, &port), 0);
    arrays.emplace_back(port.bytes);
  }
  uint64_t before = 0;
  for (unsigned i = 0; i < 10; ++i) {
    // From the second run on.
    if (i == 1)
      before = allocations;
    for (auto [index, port] : llvm::enumerate(ports))
      if (port.is_input) {
        ASSERT_EQ(ane_set_input(program, index, arrays[index].data(),
                                arrays[index].size()),
                  0);
      }
    ASSERT_EQ(ane_run(program, GetParam()), 0);
    for (auto [index, port] : llvm::enumerate(ports))
      if (!port.is_input) {
        ASSERT_EQ(ane_get_output(program, index, arrays[index].data(),
                                 arrays[index].size()),
                  0);
      }
  }
  EXPECT_EQ(allocations - before, 0u);
  ane_free(program);
}

INSTANTIATE_TEST_SUITE_P(Threads, Allocation, testing::Values(0, 1, 2, 5));

} // namespace
