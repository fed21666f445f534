// Numbers as the window writes them: three or four significant digits, a true minus sign, thousands apart.
#pragma once

#include <QString>
#include <cstdint>
#include <optional>

namespace pipescope::widgets {

/// "0.731", "−3.91", "1.5e−07"; "infinite" and "not a number" for what is neither.
[[nodiscard]] QString numberText(double number, int digits = 3);

/// "263 168", with narrow blanks at which no line breaks.
[[nodiscard]] QString countText(std::int64_t count);

/// "1 747.713": so many decimals, for columns that have one unit.
[[nodiscard]] QString fixedText(double number, int decimals);

/// "14 %", "0.3 %"; "unknown" for a share of nothing.
[[nodiscard]] QString shareText(double part, double whole);

/// "11.2 %" of 0.112, as base/percent.h has it.
[[nodiscard]] QString percentText(double share);

/// base/text.h's, as text of the window.
[[nodiscard]] QString bytesText(std::int64_t bytes);
[[nodiscard]] QString secondsText(double seconds);
[[nodiscard]] QString nanosecondsText(double nanoseconds);
/// "1.9 G"
[[nodiscard]] QString amountText(double amount);

} // namespace pipescope::widgets
