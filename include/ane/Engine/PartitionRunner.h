//===- PartitionRunner.h - Runs programs that were cut ----------*- C++ -*-===//
//
// The engine runs its segments, from the bytes of the container; whoever links
// an interpreter of MIL text runs the others.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_ENGINE_PARTITIONRUNNER_H
#define ANE_ENGINE_PARTITIONRUNNER_H

#include "ane/Engine/Runner.h"
#include <atomic>
#include <functional>

namespace ane::engine {

/// A CpuInference that is ready to run.
class CpuSegment {
public:
  virtual ~CpuSegment();
  /// Takes an array for each input of the stage, and gives one for each output,
  /// of their types and shapes.
  virtual llvm::Expected<std::vector<NpyArray>>
  run(llvm::ArrayRef<NpyArray> inputs) = 0;
};

/// Makes a segment of the MIL text and the weights of a stage, whose tensors
/// are those of the partition. Refuses text that is none, or of a function with
/// other parameters or results. `name` stands for the text in errors.
using CpuLoader = std::function<llvm::Expected<std::unique_ptr<CpuSegment>>(
    const e5::Partition &partition, const e5::Stage &stage,
    llvm::StringRef name)>;

/// The descriptor of a container, if it is one of a program that was cut:
/// `options.descriptor`, or the one beside the container. Nothing where there
/// is none, or one of another program.
llvm::Expected<std::optional<e5::Descriptor>>
readPartition(llvm::StringRef path, const RunnerOptions &options);

/// Runs segment after segment. Each works on tensors of the host.
class PartitionRunner {
public:
  /// Loads all segments. Refuses what Runner::load and `loadCpu` refuse.
  static llvm::Expected<PartitionRunner> load(llvm::StringRef path,
                                              RunnerOptions options,
                                              e5::Descriptor descriptor,
                                              const CpuLoader &loadCpu);

  /// Inputs, then outputs, of the program.
  llvm::ArrayRef<HostPort> ports() const { return hostPorts; }
  /// The one of that name and direction. The error is located at the container
  /// and lists the names there are.
  llvm::Expected<const HostPort *> findPort(llvm::StringRef name,
                                            object::PortDirection direction);

  /// Sets an input for all runs that follow, as Runner::setInput does.
  llvm::Error setInput(llvm::StringRef name, const NpyArray &array,
                       llvm::StringRef source);
  /// Runs all segments once, in their order. Refuses to while an input is not
  /// set; an error of a segment ends the run. `threads` and `numerics` are as
  /// in Machine::run, of the segments of the engine.
  llvm::Error run(unsigned threads = 0, Numerics numerics = defaultNumerics);
  /// What the last run left in an output of the program.
  llvm::Expected<NpyArray> output(llvm::StringRef name);

  /// The segment that a run is at. Any thread may ask.
  size_t currentStage() const {
    return current->load(std::memory_order_relaxed);
  }

  const e5::Partition &partition() const { return descriptor.partition; }
  /// The engine's part of a segment; null for a CpuInference.
  Runner *engineStage(size_t index) { return stages[index].engine.get(); }

private:
  struct LoadedStage {
    std::unique_ptr<Runner> engine;
    std::unique_ptr<CpuSegment> cpu;
  };

  PartitionRunner(llvm::StringRef file, e5::Descriptor descriptor);

  llvm::Error loadStage(const e5::Stage &stage, const RunnerOptions &options,
                        const CpuLoader &loadCpu);
  llvm::Error runEngine(const e5::Stage &stage, Runner &runner,
                        unsigned threads, Numerics numerics);
  llvm::Error runCpu(const e5::Stage &stage, CpuSegment &segment);

  std::string file;           ///< the container
  std::string descriptorFile; ///< where the descriptor was read
  e5::Descriptor descriptor;
  /// The bytes of the container, unless they are those of the options.
  std::unique_ptr<llvm::MemoryBuffer> container;
  std::vector<LoadedStage> stages;
  std::vector<HostPort> hostPorts;
  std::vector<NpyArray> tensors;    ///< of the partition
  std::vector<std::string> sources; ///< of inputs: where they came from
  std::vector<bool> isSet;          ///< by host port
  std::unique_ptr<std::atomic<size_t>> current;
};

} // namespace ane::engine

#endif // ANE_ENGINE_PARTITIONRUNNER_H
