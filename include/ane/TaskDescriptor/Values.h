//===- Values.h - Named values of task descriptor fields --------*- C++ -*-===//
//
// The enumerations of dialects/Zin/Registers/Values.td, and typed access to the
// fields that hold them. docs/reference/registers.md lists values and evidence.
//
//   if (valueOf<Field::TaskType>(image) == TaskType::Reduction) ...
//   setValue<Field::PEOpMode>(image, PEOpMode::Max);
//   image.set(Field::Src1MemFmt, bits(MemoryFormat::Half));
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TASKDESCRIPTOR_VALUES_H
#define ANE_TASKDESCRIPTOR_VALUES_H

#include "ane/TaskDescriptor/RegisterImage.h"

namespace ane::td {

#define GET_VALUE_ENUMS
#include "ane/TaskDescriptor/Values.h.inc"

/// Whether a type is one of the enumerations above.
template <typename T> inline constexpr bool isValueSet = false;

/// The enumeration that the values of a field are of, as `type`.
template <Field field> struct FieldValues;

#define GET_VALUE_TRAITS
#include "ane/TaskDescriptor/Values.h.inc"

/// A value as a register holds it.
template <typename T>
  requires isValueSet<T>
constexpr uint32_t bits(T value) {
  return static_cast<uint32_t>(value);
}

/// The union of two masks; the values of other fields do not combine.
constexpr LogEvent operator|(LogEvent a, LogEvent b) {
  return LogEvent(bits(a) | bits(b));
}
constexpr DebugLogEvent operator|(DebugLogEvent a, DebugLogEvent b) {
  return DebugLogEvent(bits(a) | bits(b));
}

/// The value of a field. It may be none of the enumerators: an image that was
/// read holds what the file says.
template <Field field>
typename FieldValues<field>::type valueOf(const RegisterImage &image) {
  return static_cast<typename FieldValues<field>::type>(image.get(field));
}

/// Where source 2 comes from.
inline Residence source2Residence(const RegisterImage &image) {
  if (image.isSet(Field::Src2FromDMA))
    return Residence::Streamed;
  return image.isSet(Field::Src2Kept) ? Residence::Kept : Residence::InL2;
}

/// Sets a field that has named values to one of them.
template <Field field>
void setValue(RegisterImage &image, typename FieldValues<field>::type value) {
  image.set(field, bits(value));
}

} // namespace ane::td

#endif // ANE_TASKDESCRIPTOR_VALUES_H
