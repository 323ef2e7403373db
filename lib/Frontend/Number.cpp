//===- Number.cpp - Numbers of MIL text -----------------------------------===//

#include "ane/Frontend/Number.h"
#include "ane/Support/Half.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <bit>
#include <cmath>

using namespace ane;
using namespace ane::frontend;
using llvm::APFloat;

namespace {

const llvm::fltSemantics &semanticsOf(FloatFormat format) {
  switch (format) {
  case FloatFormat::Fp16:
    return APFloat::IEEEhalf();
  case FloatFormat::Bf16:
    return APFloat::BFloat();
  case FloatFormat::Fp32:
    return APFloat::IEEEsingle();
  case FloatFormat::Fp64:
    return APFloat::IEEEdouble();
  }
  llvm_unreachable("no such format");
}

uint64_t roundAPFloat(APFloat value, FloatFormat format) {
  bool losesInfo;
  value.convert(semanticsOf(format), APFloat::rmNearestTiesToEven, &losesInfo);
  return value.bitcastToAPInt().getZExtValue();
}

/// Rounds a double, once.
uint64_t roundDouble(double value, FloatFormat format) {
  switch (format) {
  case FloatFormat::Fp16:
    return halfFromDouble(value);
  case FloatFormat::Fp32:
    return std::bit_cast<uint32_t>(static_cast<float>(value));
  case FloatFormat::Fp64:
    return std::bit_cast<uint64_t>(value);
  case FloatFormat::Bf16:
    return roundAPFloat(APFloat(value), format);
  }
  llvm_unreachable("no such format");
}

/// A decimal exponent with optional sign; an absurd one saturates.
int64_t parseExponent(llvm::StringRef text) {
  bool negative = text.consume_front("-");
  text.consume_front("+");
  constexpr int64_t limit = 1000000;
  int64_t value = 0;
  for (char digit : text)
    value = std::min(value * 10 + (digit - '0'), limit);
  return negative ? -value : value;
}

/// `0x1.8p+1`, without a sign.
uint64_t parseHexFloat(llvm::StringRef text, bool negative,
                       FloatFormat format) {
  auto [digits, exponentText] = text.drop_front(2).split('p');
  int64_t exponent = parseExponent(exponentText);

  // The digits become an integer of 61 bits at most. What is cut off only
  // matters for ties, so it is remembered in the lowest bit.
  uint64_t mantissa = 0;
  bool behindPoint = false;
  for (char digit : digits) {
    if (digit == '.') {
      behindPoint = true;
      continue;
    }
    if (mantissa >> 57 == 0) {
      mantissa = mantissa << 4 | llvm::hexDigitValue(digit);
      exponent -= behindPoint ? 4 : 0;
    } else {
      mantissa |= digit != '0';
      exponent += behindPoint ? 0 : 4;
    }
  }

  constexpr int64_t doubleExponentLimit = 900;
  if (mantissa >> 53 == 0 && std::abs(exponent) < doubleExponentLimit) {
    double value = std::ldexp(static_cast<double>(mantissa), exponent);
    return roundDouble(negative ? -value : value, format);
  }
  // Exact in 113 bits of mantissa and 15 of exponent, then rounded once.
  constexpr int64_t quadExponentLimit = 16000;
  APFloat wide(APFloat::IEEEquad());
  wide.convertFromAPInt(llvm::APInt(64, mantissa), /*IsSigned=*/false,
                        APFloat::rmNearestTiesToEven);
  wide = scalbn(wide,
                static_cast<int>(std::clamp(exponent, -quadExponentLimit,
                                            quadExponentLimit)),
                APFloat::rmNearestTiesToEven);
  if (negative)
    wide.changeSign();
  return roundAPFloat(wide, format);
}

} // namespace

uint64_t frontend::parseFloat(llvm::StringRef text, FloatFormat format) {
  llvm::StringRef digits = text;
  bool negative = digits.consume_front("-");
  if (digits == "inf" || digits == "nan") {
    const llvm::fltSemantics &semantics = semanticsOf(format);
    APFloat value = digits == "inf" ? APFloat::getInf(semantics, negative)
                                    : APFloat::getQNaN(semantics, negative);
    return value.bitcastToAPInt().getZExtValue();
  }
  if (digits.starts_with("0x"))
    return parseHexFloat(digits, negative, format);

  // A short integer is exact as a double.
  constexpr size_t exactDigits = 15;
  uint64_t integer;
  if (digits.size() <= exactDigits && !digits.getAsInteger(10, integer)) {
    double value = static_cast<double>(integer);
    return roundDouble(negative ? -value : value, format);
  }
  APFloat value(semanticsOf(format));
  llvm::consumeError(
      value.convertFromString(text, APFloat::rmNearestTiesToEven).takeError());
  return value.bitcastToAPInt().getZExtValue();
}

std::optional<uint64_t> frontend::parseInteger(llvm::StringRef text,
                                               unsigned width, bool isSigned) {
  bool negative = text.consume_front("-");
  uint64_t magnitude;
  if (text.getAsInteger(10, magnitude))
    return std::nullopt;
  uint64_t limit = isSigned   ? (uint64_t(1) << (width - 1)) - !negative
                   : negative ? 0
                              : ~uint64_t(0) >> (64 - width);
  if (magnitude > limit)
    return std::nullopt;
  return negative ? -magnitude : magnitude;
}

double frontend::floatFromBits(uint64_t bits, FloatFormat format) {
  switch (format) {
  case FloatFormat::Fp16:
    return halfToDouble(bits);
  case FloatFormat::Bf16:
    return std::bit_cast<float>(static_cast<uint32_t>(bits << 16));
  case FloatFormat::Fp32:
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  case FloatFormat::Fp64:
    return std::bit_cast<double>(bits);
  }
  llvm_unreachable("no such format");
}

void frontend::printHexFloat(llvm::raw_ostream &os, double value) {
  if (std::signbit(value))
    os << '-';
  value = std::fabs(value);
  if (std::isnan(value)) {
    os << "nan";
    return;
  }
  if (std::isinf(value)) {
    os << "inf";
    return;
  }
  if (value == 0) {
    os << "0x0p+0";
    return;
  }
  int exponent;
  // frexp gives [0.5, 1); one bit of the mantissa stands before the point.
  double fraction = std::frexp(value, &exponent) * 2;
  --exponent;
  constexpr unsigned mantissaBits = 52;
  uint64_t mantissa =
      std::bit_cast<uint64_t>(fraction) & ((uint64_t(1) << mantissaBits) - 1);

  char buffer[16];
  size_t length = 0;
  for (; mantissa != 0; mantissa = mantissa << 4 & ((uint64_t(1) << 52) - 1))
    buffer[length++] = llvm::hexdigit(mantissa >> (mantissaBits - 4),
                                      /*LowerCase=*/true);
  os << "0x1";
  if (length != 0)
    os << '.' << llvm::StringRef(buffer, length);
  os << 'p' << (exponent < 0 ? '-' : '+') << std::abs(exponent);
}
