//===- Program.h - A container in device memory -----------------*- C++ -*-===//

#ifndef ANE_ENGINE_PROGRAM_H
#define ANE_ENGINE_PROGRAM_H

#include "ane/Engine/Machine.h"
#include "ane/Loader/Loader.h"

namespace ane::engine {

/// A tensor of the container that enters or leaves the program.
struct DevicePort {
  std::string name; ///< without the suffix of outputs
  object::PortDirection direction = object::PortDirection::Input;
  object::TensorLayout layout;
  unsigned section = 0; ///< of the machine
  uint64_t address = 0;
};

/// How a program is loaded. All have defaults: the only procedure of a file, at
/// the addresses that it states.
struct ProgramOptions {
  loader::LoadOptions load;
  /// The procedure to run, or the function it was made of; empty for the only
  /// one. A name that is that of one and of another's function is refused.
  std::string procedure;
  /// Whether that is the name of a procedure in any case.
  bool namesProcedure = false;
  /// The container, if it has been read already. It outlives what is loaded.
  const llvm::MemoryBuffer *contents = nullptr;
};

/// The procedures of a container, in its order. Refuses what readObject does.
llvm::Expected<std::vector<std::string>>
procedureNames(const llvm::MemoryBuffer &contents);

/// A container that is loaded and whose tensors have memory.
class LoadedProgram {
public:
  /// Reads and loads a container, or takes a loaded image. Errors are located
  /// in the file: what readObject, loader::loadImage and Machine::create
  /// refuse, a container of another chip, a procedure that is not there or not
  /// chosen among several, ports without a descriptor, ports that are not fp16.
  static llvm::Expected<std::unique_ptr<LoadedProgram>>
  load(llvm::StringRef path, const ProgramOptions &options = {});

  /// The same for a container in memory; `name` stands for it in errors.
  static llvm::Expected<std::unique_ptr<LoadedProgram>>
  create(object::Object object, llvm::StringRef name,
         const ProgramOptions &options = {});

  llvm::StringRef fileName() const { return name; }
  /// The loaded image; its buffer is the file it was made from.
  const object::Object &image() const { return object; }
  llvm::StringRef procedure() const { return descriptor->procedure; }
  /// Inputs, then outputs, each in the order of the operand descriptors.
  llvm::ArrayRef<DevicePort> ports() const { return allPorts; }
  Machine &machine() { return *device; }

  /// From now on the outputs of these names lie in the memory of the inputs of
  /// the same names, which have as many bytes. All memory is zeros again.
  llvm::Error share(llvm::ArrayRef<llvm::StringRef> names);

private:
  LoadedProgram(object::Object object, llvm::StringRef name)
      : object(std::move(object)), name(name) {}

  llvm::Error choose(llvm::StringRef procedure, bool namesProcedure);
  llvm::Error addPorts(llvm::ArrayRef<DeviceSection> sections);
  llvm::Error makeMachine();

  object::Object object;
  std::string name;
  const object::ProgramDescriptor *descriptor = nullptr;
  std::vector<DevicePort> allPorts;
  std::vector<DeviceSection> sections; ///< named after their ports
  std::unique_ptr<Machine> device;
};

} // namespace ane::engine

#endif // ANE_ENGINE_PROGRAM_H
