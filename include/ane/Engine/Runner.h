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
#include "ane/Engine/HostPort.h"
#include "ane/Engine/Program.h"

namespace ane::engine {

/// How a program and its dispatch descriptor are loaded.
struct RunnerOptions : ProgramOptions {
  /// The dispatch descriptor. If this is empty, the one beside the container,
  /// where there is one: e5::companionPath, of the procedure's function if the
  /// container has several.
  std::string descriptor;
};

/// A program that is loaded and can be run any number of times. Tensors are
/// those of the host, with the types and shapes that the dispatch descriptor
/// says.
class Runner {
public:
  /// Loads a container and its dispatch descriptor. Refuses a descriptor of
  /// another container (its SHA-256 differs), of another procedure, with other
  /// ports, or with host types that are not fp16, fp32, bool or integers of 8
  /// to 32 bits. Of a program that was cut it runs one procedure, which must be
  /// named; PartitionRunner runs all of it.
  static llvm::Expected<Runner> load(llvm::StringRef path,
                                     const RunnerOptions &options = {});

  /// The same with a descriptor that was read from `options.descriptor`, whose
  /// hash is that of the container.
  static llvm::Expected<Runner> load(llvm::StringRef path,
                                     const RunnerOptions &options,
                                     e5::Descriptor descriptor);

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

  llvm::Error useStage(const e5::Descriptor &read, llvm::StringRef path,
                       const RunnerOptions &options);
  llvm::Error useDescriptor(e5::Descriptor read, llvm::StringRef path,
                            bool mayShrink);
  llvm::Error shareByName();

  std::unique_ptr<LoadedProgram> loaded;
  /// As of the loaded image.
  std::optional<e5::Descriptor> descriptor;
  std::vector<HostPort> hostPorts;
  std::vector<bool> isSet; ///< by host port
};

} // namespace ane::engine

#endif // ANE_ENGINE_RUNNER_H
