//===- NetPlist.h - Network descriptions ------------------------*- C++ -*-===//
//
// A network description (`net.plist`) is the graph of layers that Apple's
// compiler takes where it does not take MIL: a property list of networks, each
// of units that name what they read, and of procedures that run them. Version
// 1.0.10 is written; 1.0.9, which has no procedures, is read as well.
//
// Keys are documented: published descriptions that Apple's compiler accepts
// have them. docs/formats/net-plist.md lists them, and what is assigned.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_NETPLIST_NETPLIST_H
#define ANE_NETPLIST_NETPLIST_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ane::netplist {

//===----------------------------------------------------------------------===//
// Parameters of units
//===----------------------------------------------------------------------===//

struct Value;
using Array = std::vector<Value>;
/// Sorted by key.
using Dict = std::vector<std::pair<std::string, Value>>;

/// A value of a property list. Dates and data do not occur.
struct Value {
  std::variant<bool, int64_t, double, std::string, Array, Dict> data;

  Value(bool value) : data(value) {}
  Value(int64_t value) : data(value) {}
  Value(int value) : data(int64_t(value)) {}
  Value(double value) : data(value) {}
  Value(std::string value) : data(std::move(value)) {}
  Value(const char *value) : data(std::string(value)) {}
  Value(Array value) : data(std::move(value)) {}
  Value(Dict value) : data(std::move(value)) {}

  bool operator==(const Value &other) const { return data == other.data; }
};

/// The entries, sorted.
Dict makeDict(Dict entries);

/// The value of a key, or null.
const Value *find(const Dict &dict, llvm::StringRef key);

//===----------------------------------------------------------------------===//
// The network
//===----------------------------------------------------------------------===//

/// Names documented for Float16 and UInt16, the others by analogy.
enum class ElementType { Float16, Float32, Int8, UInt8, Int16, UInt16 };
llvm::StringRef stringify(ElementType type);

/// Extents in elements; `interleave` channels lie side by side.
struct Shape {
  uint64_t batch = 1, channels = 1, depth = 1, height = 1, width = 1;
  uint64_t interleave = 1;

  bool operator==(const Shape &) const = default;
};

/// A tensor that enters. One entry for each unit that reads it; in version
/// 1.0.9 one for the network, without unit and operation.
struct Input {
  std::string name;
  ElementType type = ElementType::Float16;
  Shape shape;
  /// Bytes; the compiler chooses them where they are missing.
  std::optional<uint64_t> rowStride, planeStride;
  std::string unit;
  std::string operation;

  bool operator==(const Input &) const = default;
};

/// A tensor that leaves, as the network states it.
struct Output {
  std::string name;
  ElementType type = ElementType::Float16;
  uint64_t interleave = 1;
  std::optional<uint64_t> rowStride, planeStride;
  /// The unit whose result it is.
  std::string bottom;

  bool operator==(const Output &) const = default;
};

/// A tensor in a file of weights.
struct Constant {
  std::string name;
  ElementType type = ElementType::Float16;
  Shape shape;
  uint64_t index = 0;  ///< of the file in Network::weights
  uint64_t offset = 0; ///< bytes in the file

  bool operator==(const Constant &) const = default;
};

/// A layer.
struct Unit {
  std::string name;
  std::string type;
  /// Inputs, constants and units before this one.
  std::vector<std::string> bottoms;
  std::vector<ElementType> inputTypes;
  ElementType outputType = ElementType::Float16;
  std::optional<uint64_t> outputChannels;
  std::optional<uint64_t> numGroups;
  Dict params;

  bool operator==(const Unit &) const = default;
};

/// Layers over inputs and constants. Units stand in an order in which each
/// comes behind what it reads.
struct Network {
  std::string name;
  std::vector<std::string> weights; ///< files beside the description
  std::vector<Input> inputs;        ///< only in version 1.0.9
  std::vector<Constant> constants;
  std::vector<Unit> units;
  std::vector<Output> outputs;

  bool operator==(const Network &) const = default;
};

//===----------------------------------------------------------------------===//
// Procedures
//===----------------------------------------------------------------------===//

/// A run of a network under a name.
struct Operation {
  std::string network;
  std::string name; ///< by which inputs and outputs of a procedure mean it

  bool operator==(const Operation &) const = default;
};

/// A tensor that leaves, as a procedure states it.
struct ProcedureOutput {
  std::string name;
  ElementType type = ElementType::Float16;
  uint64_t interleave = 1; ///< channels side by side
  std::string unit;        ///< of the network, whose result it is
  std::string operation;

  bool operator==(const ProcedureOutput &) const = default;
};

/// What a host can run: operations, and the tensors that enter and leave.
struct Procedure {
  std::string name;
  std::vector<Input> inputs;
  std::vector<Operation> operations;
  std::vector<ProcedureOutput> outputs;

  bool operator==(const Procedure &) const = default;
};

/// Of descriptions: the one that is written, and one that is read as well.
inline constexpr char version[] = "1.0.10";
inline constexpr char oldVersion[] = "1.0.9";

/// A whole description.
struct NetPlist {
  std::string version = netplist::version;
  std::vector<Network> networks;
  std::vector<Procedure> procedures; ///< none in version 1.0.9

  bool operator==(const NetPlist &) const = default;
};

/// Writes a description as XML, keys sorted. The same description gives the
/// same bytes. Refuses what readNetPlist would refuse.
llvm::Error writeNetPlist(const NetPlist &description, llvm::raw_ostream &os);

/// Reads a description. Errors have line and column: text that is no XML
/// property list, or deeper than 16; keys that are missing, unknown or twice
/// there; values of another type or out of range; names that are missing, twice
/// there or of nothing; a unit that reads one after it; a weight file that is
/// not listed. Time and memory are in proportion to the size of the text. For
/// programs that use this library; no tool reads descriptions.
llvm::Expected<NetPlist> readNetPlist(llvm::MemoryBufferRef buffer);

/// The same from a file.
llvm::Expected<NetPlist> readNetPlist(llvm::StringRef path);

} // namespace ane::netplist

#endif // ANE_NETPLIST_NETPLIST_H
