//===- Counted.h - Numbers of things in a report ----------------*- C++ -*-===//

#ifndef ANE_LIB_REPORT_COUNTED_H
#define ANE_LIB_REPORT_COUNTED_H

#include <string>

namespace ane::report {

/// `1 task`, `2 tasks`.
inline std::string counted(size_t number, const char *what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

} // namespace ane::report

#endif // ANE_LIB_REPORT_COUNTED_H
