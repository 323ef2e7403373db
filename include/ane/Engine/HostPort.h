//===- HostPort.h - Tensors of a program on the host ------------*- C++ -*-===//

#ifndef ANE_ENGINE_HOSTPORT_H
#define ANE_ENGINE_HOSTPORT_H

#include "ane/E5/E5.h"
#include "ane/Object/Object.h"
#include "ane/Support/IntegerLimit.h"
#include "ane/Support/Npy.h"

namespace ane::engine {

/// fp16 holds all of these.
constexpr IntegerLimit exactIntegers = {2048};

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
  /// Which integers an input takes.
  IntegerLimit limit = exactIntegers;
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
  /// An input that holds a state: zeros where nothing is given.
  bool isState = false;
  unsigned section = 0; ///< of the machine

  bool isInput() const { return direction == object::PortDirection::Input; }
};

/// `input` or `output`.
llvm::StringRef directionName(object::PortDirection direction);

/// The element type on the host; nothing for one that is not converted.
std::optional<ElementType> hostType(e5::TensorDataType type);

/// The port of that name and direction. The error is located at `file` and
/// lists the names there are.
llvm::Expected<const HostPort *> findPort(llvm::ArrayRef<HostPort> ports,
                                          llvm::StringRef name,
                                          object::PortDirection direction,
                                          llvm::StringRef file);

/// Whether an array may be given to an input: its element type and shape. An
/// array of unsigned integers may stand for one of signed ones of as many bits
/// if none is beyond those. `source` is where the array came from.
llvm::Error checkArray(const HostPort &port, const NpyArray &array,
                       llvm::StringRef source);

/// That an element of an input of integers is beyond what the program is exact
/// for, with a way out.
std::string describeBeyond(const HostPort &port, int64_t element,
                           int64_t value);

/// That all inputs among the ports are set, `isSet` being in their order.
llvm::Error checkInputs(llvm::ArrayRef<HostPort> ports,
                        const std::vector<bool> &isSet, llvm::StringRef file);

} // namespace ane::engine

#endif // ANE_ENGINE_HOSTPORT_H
