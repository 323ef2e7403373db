//===- Program.h - A container in device memory -----------------*- C++ -*-===//

#ifndef ANE_ENGINE_PROGRAM_H
#define ANE_ENGINE_PROGRAM_H

#include "ane/Engine/Machine.h"
#include "ane/Object/Object.h"

namespace ane::engine {

/// A tensor of the container that enters or leaves the program.
struct DevicePort {
  std::string name; ///< without the suffix of outputs
  object::PortDirection direction = object::PortDirection::Input;
  object::TensorLayout layout;
  unsigned section = 0; ///< of the machine
};

/// A container whose text is relocated and whose tensors have memory.
class LoadedProgram {
public:
  /// Reads and loads a container. Errors are located in the file: what
  /// readObject and Machine::create refuse, a container without program or
  /// operand descriptors, ports that are not fp16, relocations that do not
  /// point at a lane base or slot of a descriptor.
  static llvm::Expected<std::unique_ptr<LoadedProgram>>
  load(llvm::StringRef path);

  /// The same for a container in memory; `name` stands for it in errors.
  static llvm::Expected<std::unique_ptr<LoadedProgram>>
  create(object::Object object, llvm::StringRef name);

  llvm::StringRef fileName() const { return name; }
  const object::Object &container() const { return object; }
  /// Inputs, then outputs, each in the order of the operand descriptors.
  llvm::ArrayRef<DevicePort> ports() const { return allPorts; }
  Machine &machine() { return *device; }

private:
  LoadedProgram(object::Object object, llvm::StringRef name)
      : object(std::move(object)), name(name) {}

  object::Object object;
  std::string name;
  std::vector<uint8_t> text;
  std::vector<DevicePort> allPorts;
  std::unique_ptr<Machine> device;
};

} // namespace ane::engine

#endif // ANE_ENGINE_PROGRAM_H
