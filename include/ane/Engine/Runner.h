//===- Runner.h - Runs a program on host tensors ----------------*- C++ -*-===//
//
//   auto runner = Runner::load("model.hwx");       // model.e5 is found, too
//   runner->setInput("x", x);                      // NpyArray
//   runner->run();
//   NpyArray y = *runner->output("y");
//
//===----------------------------------------------------------------------===//

#ifndef ANE_ENGINE_RUNNER_H
#define ANE_ENGINE_RUNNER_H

#include "ane/E5/E5.h"
#include "ane/Engine/Program.h"
#include "ane/Support/Npy.h"

namespace ane::engine {

/// fp16 holds all integers up to this.
constexpr uint64_t largestInteger = 2048;

/// Whether a port of this type takes integers.
constexpr bool isInteger(ElementType type) {
  return type == ElementType::Int8 || type == ElementType::UInt8 ||
         type == ElementType::Int16 || type == ElementType::Int32;
}

/// A tensor as the host sees it.
struct HostPort {
  std::string name;
  object::PortDirection direction = object::PortDirection::Input;
  /// Float16, Float32, Bool, Int8, UInt8, Int16 or Int32. A cast at the border
  /// rounds to nearest even, true is 1, and an integer is what fp16 holds
  /// exactly; where it leaves, it is cut off behind the point and saturates.
  ElementType type = ElementType::Float16;
  /// The largest magnitude of an input of integers.
  uint64_t limit = largestInteger;
  llvm::SmallVector<int64_t, 5> shape;
  /// Elements of the surface: Float16, Int8 or UInt8. Those of 8 bits are not
  /// converted: `type` is the same.
  ElementType surface = ElementType::Float16;
  /// Bytes between neighbours in the surface; of channels, between one group of
  /// `interleave` and the next.
  llvm::SmallVector<int64_t, 5> strides;
  /// Channels that lie side by side in each column, and their dimension.
  int64_t interleave = 1;
  unsigned channelAxis = 0;
  /// The shape comes from a dispatch descriptor. Otherwise it is the
  /// container's [N, C, H, W], or [N, D, C, H, W] of depth > 1, and arrays need
  /// to match it only up to extents of 1.
  bool exactShape = false;
  unsigned section = 0; ///< of the machine

  bool isInput() const { return direction == object::PortDirection::Input; }
};

struct RunnerOptions : ProgramOptions {
  /// The dispatch descriptor. If this is empty, the one beside the container,
  /// where there is one: e5::companionPath, of the procedure's function if the
  /// container has several.
  std::string descriptor;
};

class Runner {
public:
  /// Loads a container and its dispatch descriptor. Refuses a descriptor of
  /// another container (its SHA-256 differs), of another procedure, with other
  /// ports, or with host types that are not fp16, fp32, bool or integers of 8
  /// to 32 bits.
  static llvm::Expected<Runner> load(llvm::StringRef path,
                                     const RunnerOptions &options = {});

  /// Inputs, then outputs.
  llvm::ArrayRef<HostPort> ports() const { return hostPorts; }

  /// The port of that name and direction. The error is located at the
  /// container and lists the names there are.
  llvm::Expected<const HostPort *> findPort(llvm::StringRef name,
                                            object::PortDirection direction);

  /// Sets an input for all runs that follow. Refuses another element type or
  /// shape, naming what is expected, and an integer beyond the limit of the
  /// port; `source` is where the array came from. An array of unsigned integers
  /// may stand for one of signed ones of as many bits.
  llvm::Error setInput(llvm::StringRef name, const NpyArray &array,
                       llvm::StringRef source);

  /// The same for a port of `ports()` and a dense row-major array of its type
  /// and shape, without other checks than that of integers and, once the first
  /// run is over, without allocating.
  llvm::Error setInput(const HostPort &port, const void *array);

  /// Runs the program once. Refuses to while an input is not set. `threads`
  /// and `numerics` are as in Machine::run.
  llvm::Error run(unsigned threads = 0, Numerics numerics = defaultNumerics);
  /// The same, watched.
  llvm::Error run(RunObserver &observer, unsigned threads = 0,
                  Numerics numerics = defaultNumerics);

  /// What the last run left in an output.
  llvm::Expected<NpyArray> output(llvm::StringRef name);
  /// The same for a port of `ports()`, into a dense row-major array of its type
  /// and shape.
  void getOutput(const HostPort &port, void *array);

  /// Writes the loaded image, and if the program has a dispatch descriptor one
  /// for the image beside it: both or neither.
  llvm::Error writeImage(llvm::StringRef path) const;

  LoadedProgram &program() { return *loaded; }

private:
  explicit Runner(std::unique_ptr<LoadedProgram> program);

  llvm::Error checkInputs() const;
  llvm::Error readDescriptor(llvm::StringRef path, bool mayShrink);

  std::unique_ptr<LoadedProgram> loaded;
  /// As of the loaded image.
  std::optional<e5::Descriptor> descriptor;
  std::vector<HostPort> hostPorts;
  std::vector<bool> isSet; ///< by host port
};

} // namespace ane::engine

#endif // ANE_ENGINE_RUNNER_H
