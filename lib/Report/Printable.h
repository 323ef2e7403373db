//===- Printable.h - Text from elsewhere in a report ------------*- C++ -*-===//

#ifndef ANE_LIB_REPORT_PRINTABLE_H
#define ANE_LIB_REPORT_PRINTABLE_H

#include <string>

namespace ane::report {

/// Text without control characters. Names hold what they like, a row is a line.
inline std::string printable(std::string text) {
  for (char &c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
      c = '?';
  return text;
}

/// `1 task`, `2 tasks`.
inline std::string counted(size_t number, const char *what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

} // namespace ane::report

#endif // ANE_LIB_REPORT_PRINTABLE_H
