// Small text helpers with one meaning everywhere: how numbers with units are written, and which name was probably
// meant.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pipescope {

/// "512 B", "1.5 KiB", "3.2 MiB": binary units, three significant digits at most.
[[nodiscard]] std::string formatBytes(std::int64_t bytes);

/// "850 ns", "12.3 µs", "4.56 ms", "1.20 s".
[[nodiscard]] std::string formatSeconds(double seconds);

/// "950", "12.3 k", "4.56 M", "1.20 G", "3.00 T": decimal multiples, for counts and FLOPs.
[[nodiscard]] std::string formatCount(double count);

/// Up to `most` of `names` that are nearest to `wanted` by edit distance (case-insensitive), nearest first; only names
/// near enough to be a plausible slip or ones that contain `wanted` or are contained in it.
[[nodiscard]] std::vector<std::string> nearestNames(std::string_view wanted, const std::vector<std::string> &names,
                                                    std::size_t most = 3);

/// " Did you mean a, b or c?" for the nearest names, or "" when none is near; each as `shown` writes it.
[[nodiscard]] std::string didYouMean(std::string_view wanted, const std::vector<std::string> &names,
                                     const std::function<std::string(std::string_view)> &shown = {});

/// Splits at `separator`; "a,,b" gives three parts, "" gives one empty part.
[[nodiscard]] std::vector<std::string> splitText(std::string_view text, char separator);

/// Without leading and trailing blanks.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// Number of columns a UTF-8 text takes on a terminal, counting code points.
[[nodiscard]] std::size_t displayWidth(std::string_view utf8);

} // namespace pipescope
