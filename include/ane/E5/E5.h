//===- E5.h - The dispatch descriptor ---------------------------*- C++ -*-===//
//
// The descriptor (`.e5`) stands over a hardware container. It says how host
// tensors become surfaces of the program and back, and what runs in between: a
// Cast per port around an AneInference per segment. It is a FlatBuffer;
// lib/E5/E5.fbs is its schema and says what of it is documented.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_E5_E5_H
#define ANE_E5_E5_H

#include "ane/Support/IntegerLimit.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class MemoryBufferRef;
} // namespace llvm

namespace ane::e5 {

/// Element types of the descriptor. Names are documented, numbers inferred.
enum class TensorDataType : int32_t {
  Invalid = 0,
  Float16 = 1,
  Float32 = 2,
  Int8 = 3,
  UInt8 = 4,
  Int16 = 5,
  Int32 = 6,
  Int4 = 7,
  Bool = 8,
  E4M3 = 9,
  E5M2 = 10,
};

/// `fp32` and so on, as in MIL text; `e4m3` and `e5m2`, which that does not
/// name; `invalid` for Invalid and for numbers of no type.
llvm::StringRef typeName(TensorDataType type);

/// Bytes of one element; 0 for types that are no whole bytes.
unsigned byteSize(TensorDataType type);

/// The engine's view of a surface: extents and strides in bytes, as in the
/// operand descriptor of the container.
struct EngineShape {
  uint64_t width = 1, height = 1, channels = 1, batch = 1, depth = 1;
  uint64_t strideWidth = 0, strideHeight = 0, strideChannels = 0;
  uint64_t strideBatch = 0, strideDepth = 0;

  bool operator==(const EngineShape &) const = default;
};

/// A tensor that enters or leaves a segment.
struct Port {
  /// The name of the MIL value.
  std::string name;
  /// The element type on the host, and in the surface. An intermediate never
  /// reaches the host; both are the same there.
  TensorDataType hostType = TensorDataType::Float16;
  TensorDataType deviceType = TensorDataType::Float16;
  /// Of an input of integers, which may enter: beyond them something that is
  /// computed from one leaves the integers that fp16 holds exactly, or the
  /// range of its type. An entry of the build information, `input-limit:` and
  /// the name (assigned). None means -2048 to 2048.
  std::optional<IntegerLimit> limit;
  /// Of an input, that it holds a state: zeros where the caller gives nothing.
  /// An entry of the build information, `state:` and the name, that says
  /// `zeros` (assigned).
  bool isState = false;
  /// Of a state, that its surface is that of the output of the same name, too:
  /// the program reads each element before it writes it, and may write those
  /// alone that change. The entry says `shared` then.
  bool isShared = false;
  /// The MIL shape, rank 0 to 5.
  llvm::SmallVector<uint64_t, 5> shape;
  /// Bytes in the surface between neighbours along each dimension of `shape`.
  llvm::SmallVector<uint64_t, 5> strides;
  /// The same in the tensor of the host, as the operand of a Cast has them;
  /// none where that is dense.
  llvm::SmallVector<uint64_t, 5> hostStrides;
  EngineShape engine;
  /// Bytes of the surface.
  uint64_t byteSize = 0;
  /// Device address of the surface in the container before it is loaded.
  uint64_t address = 0;

  bool operator==(const Port &) const = default;
};

/// Which list of a Descriptor a segment's port is in.
enum class PortKind { Input, Output, Intermediate };

/// A port as a segment names it.
struct PortRef {
  PortKind kind = PortKind::Input;
  size_t index = 0;

  bool operator==(const PortRef &) const = default;
};

/// A part of the program that is one dispatch. A cut of the graph at an
/// operation that bridges two of them adds one (documented).
struct Segment {
  /// The procedure of the container that runs.
  std::string procedure = "net";
  std::vector<PortRef> inputs;
  std::vector<PortRef> outputs;

  bool operator==(const Segment &) const = default;
};

/// A tensor of the host that enters, leaves or crosses between the segments of
/// a program that was cut.
struct HostTensor {
  std::string name;
  TensorDataType type = TensorDataType::Float16;
  /// Rank 0 to 5; dense and row-major.
  llvm::SmallVector<uint64_t, 5> shape;
  /// As Port::limit and Port::isState; of inputs of the program only.
  std::optional<IntegerLimit> limit;
  bool isState = false;

  bool operator==(const HostTensor &) const = default;
};

/// A segment of a program that was cut: a dispatch of the engine between casts,
/// or a CpuInference.
struct Stage {
  /// Tensors of the partition, by index. Outputs are those that the stage
  /// before it has left off at, in order.
  std::vector<size_t> inputs;
  std::vector<size_t> outputs;
  /// The procedure of the container; empty for a CpuInference.
  std::string procedure;
  /// Surfaces of the procedure, one for each tensor, with its name, type and
  /// shape; none for a CpuInference.
  std::vector<Port> inputPorts;
  std::vector<Port> outputPorts;
  /// Of a CpuInference: MIL text of one function, whose parameters and outputs
  /// are the tensors in order, and the weight file that it calls
  /// cpuWeightsPath; empty if it names none. Assigned.
  std::string text;
  std::string weights;

  bool isEngine() const { return !procedure.empty(); }

  bool operator==(const Stage &) const = default;
};

/// What the text of a CpuInference calls its weights. Assigned.
inline constexpr llvm::StringLiteral cpuWeightsPath = "@model_path/weights.bin";

/// An output of a program that was cut.
struct PartitionOutput {
  std::string name;
  size_t tensor = 0;

  bool operator==(const PartitionOutput &) const = default;
};

/// A program that was cut because the engine cannot run all of it (assigned;
/// that a cut makes one AneInference for each segment of the engine is
/// documented). Tensors of the host flow from stage to stage.
struct Partition {
  /// The inputs of the program, then the outputs of each stage in order.
  std::vector<HostTensor> tensors;
  size_t numInputs = 0;
  std::vector<PartitionOutput> outputs;
  /// In the order in which they run.
  std::vector<Stage> stages;

  /// Whether a stage has a tensor as an input.
  bool isRead(size_t tensor) const;

  bool operator==(const Partition &) const = default;
};

/// A descriptor of one function.
struct Descriptor {
  /// Keys and values that say how the program was built.
  std::vector<std::pair<std::string, std::string>> buildInfo;
  std::string function = "main";
  /// Where the container is, as the descriptor's reader should look it up.
  std::string containerPath;
  /// SHA-256 of the container file, 64 hexadecimal digits.
  std::string containerHash;
  /// The compiler's options, for the record.
  std::string compilerOptions;
  std::vector<Port> inputs;
  std::vector<Port> outputs;
  /// What one segment leaves for later ones.
  std::vector<Port> intermediates;
  /// In the order in which they run.
  std::vector<Segment> segments;
  /// Of a program that was cut; it has none of the ports and segments above.
  Partition partition;

  bool isPartitioned() const { return !partition.stages.empty(); }

  /// Whether the hash is that of the bytes of a container.
  bool isOf(llvm::StringRef container) const;

  /// The descriptor of the one procedure that an engine stage runs.
  Descriptor ofStage(const Stage &stage) const;

  /// Makes the program one segment from all inputs to all outputs.
  void setSingleSegment(std::string procedure = "net");

  const Port &port(const PortRef &ref) const;

  bool operator==(const Descriptor &) const = default;
};

/// Writes the descriptor. The same model gives the same bytes, and models that
/// differ only in extents, strides, sizes and addresses give files of one size.
/// Refuses a model that readE5 would refuse.
llvm::Error writeE5(const Descriptor &descriptor, llvm::raw_ostream &os);

/// The same into a file that appears whole or not at all; "-" is standard
/// output. `then` is as of writeOutputFile.
llvm::Error writeE5(const Descriptor &descriptor, llvm::StringRef path,
                    llvm::function_ref<llvm::Error()> then = nullptr);

/// Reads a descriptor. Errors are located at a byte offset: bytes that are no
/// FlatBuffer of the schema, a format version other than 4, an operation chain
/// that is not casts around inferences, once or with CpuInferences between, a
/// segment that reads what none before it wrote, names that are missing or
/// twice there, ranks over 5, shapes and strides that do not match, pass the
/// end of the surface or lay more elements there than it has room for, a hash
/// that is none. Of a program that was cut also tensors that two operations
/// describe differently or that are read before they are written.
llvm::Expected<Descriptor> readE5(llvm::StringRef path);

/// The same from memory; errors name the buffer's identifier.
llvm::Expected<Descriptor> readE5(llvm::MemoryBufferRef buffer);

} // namespace ane::e5

#endif // ANE_E5_E5_H
