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

#include "ane/Engine/Program.h"
#include "ane/Support/Npy.h"

namespace ane::engine {

/// A tensor as the host sees it.
struct HostPort {
  std::string name;
  object::PortDirection direction = object::PortDirection::Input;
  /// Float16 or Float32; a cast at the border rounds to nearest even.
  ElementType type = ElementType::Float16;
  llvm::SmallVector<int64_t, 5> shape;
  /// Bytes between neighbours in the surface, which holds fp16.
  llvm::SmallVector<int64_t, 5> strides;
  /// The shape comes from a dispatch descriptor. Otherwise it is the
  /// container's [N, C, H, W], or [N, D, C, H, W] of depth > 1, and arrays need
  /// to match it only up to extents of 1.
  bool exactShape = false;
  unsigned section = 0; ///< of the machine

  bool isInput() const { return direction == object::PortDirection::Input; }
};

class Runner {
public:
  /// Loads a container and its dispatch descriptor: `descriptorPath`, or if
  /// that is empty the file of the same name with the extension `.e5` where
  /// there is one. Refuses a descriptor of another container (its SHA-256
  /// differs), with other ports, or with host types that are not fp16 or fp32.
  static llvm::Expected<Runner> load(llvm::StringRef path,
                                     llvm::StringRef descriptorPath = {});

  /// Inputs, then outputs.
  llvm::ArrayRef<HostPort> ports() const { return hostPorts; }

  /// The port of that name and direction. The error is located at the
  /// container and lists the names there are.
  llvm::Expected<const HostPort *> findPort(llvm::StringRef name,
                                            object::PortDirection direction);

  /// Sets an input for all runs that follow. Refuses another element type or
  /// shape, naming what is expected; `source` is where the array came from.
  llvm::Error setInput(llvm::StringRef name, const NpyArray &array,
                       llvm::StringRef source);

  /// Runs the program once. Refuses to while an input is not set. `threads` is
  /// as in Machine::run.
  llvm::Error run(unsigned threads = 0);

  /// What the last run left in an output.
  llvm::Expected<NpyArray> output(llvm::StringRef name);

  LoadedProgram &program() { return *loaded; }

private:
  explicit Runner(std::unique_ptr<LoadedProgram> program);

  llvm::Error readDescriptor(llvm::StringRef path);

  std::unique_ptr<LoadedProgram> loaded;
  std::vector<HostPort> hostPorts;
  std::vector<bool> isSet; ///< by host port
};

} // namespace ane::engine

#endif // ANE_ENGINE_RUNNER_H
