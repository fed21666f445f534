#include "base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fmt/format.h>

namespace pipescope {

namespace {

std::string withUnit(double value, std::string_view unit)
{
    if (value >= 99.95)
        return fmt::format("{:.0f} {}", value, unit);
    if (value >= 9.995)
        return fmt::format("{:.1f} {}", value, unit);
    return fmt::format("{:.2f} {}", value, unit);
}

std::string lowered(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
            diagonal = above;
        }
    }
    return row[b.size()];
}

} // namespace

std::string formatBytes(std::int64_t bytes)
{
    constexpr std::array units{"KiB", "MiB", "GiB", "TiB", "PiB"};
    if (std::abs(static_cast<double>(bytes)) < 1024)
        return fmt::format("{} B", bytes);
    double value = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    while (std::abs(value) >= 1024 && unit + 1 < units.size()) {
        value /= 1024;
        ++unit;
    }
    return (value < 0 ? "-" : "") + withUnit(std::abs(value), units[unit]);
}

std::string formatSeconds(double seconds)
{
    const double magnitude = std::abs(seconds);
    const std::string sign = seconds < 0 ? "-" : "";
    if (magnitude < 999.5e-9)
        return sign + fmt::format("{:.0f} ns", magnitude * 1e9);
    if (magnitude < 999.5e-6)
        return sign + withUnit(magnitude * 1e6, "µs");
    if (magnitude < 999.5e-3)
        return sign + withUnit(magnitude * 1e3, "ms");
    return sign + withUnit(magnitude, "s");
}

std::string formatCount(double count)
{
    constexpr std::array units{"k", "M", "G", "T", "P"};
    if (std::abs(count) < 1000)
        return fmt::format("{:.0f}", count);
    double value = count / 1000;
    std::size_t unit = 0;
    while (std::abs(value) >= 1000 && unit + 1 < units.size()) {
        value /= 1000;
        ++unit;
    }
    return withUnit(value, units[unit]);
}

std::vector<std::string> nearestNames(std::string_view wanted, const std::vector<std::string> &names, std::size_t most)
{
    const std::string needle = lowered(wanted.substr(0, 256));
    std::vector<std::pair<std::size_t, std::string>> scored;
    for (const std::string &name : names) {
        if (name.empty())
            continue;
        const std::string candidate = lowered(std::string_view(name).substr(0, 256));
        const std::size_t distance = editDistance(needle, candidate);
        const bool related = !needle.empty() && (candidate.find(needle) != std::string::npos ||
                                                 needle.find(candidate) != std::string::npos);
        if (related || distance <= std::max<std::size_t>(2, std::max(needle.size(), candidate.size()) / 3))
            scored.emplace_back(distance, name);
    }
    std::stable_sort(scored.begin(), scored.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    std::vector<std::string> result;
    for (auto &[distance, name] : scored) {
        if (result.size() == most)
            break;
        if (std::find(result.begin(), result.end(), name) == result.end())
            result.push_back(std::move(name));
    }
    return result;
}

std::string didYouMean(std::string_view wanted, const std::vector<std::string> &names,
                       const std::function<std::string(std::string_view)> &shown)
{
    const std::vector<std::string> near = nearestNames(wanted, names);
    if (near.empty())
        return {};
    std::string text = " Did you mean ";
    for (std::size_t i = 0; i < near.size(); ++i) {
        if (i > 0)
            text += i + 1 == near.size() ? " or " : ", ";
        text += shown ? shown(near[i]) : near[i];
    }
    return text + "?";
}

std::vector<std::string> splitText(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    std::size_t start = 0;
    while (true) {
        const std::size_t end = text.find(separator, start);
        parts.emplace_back(text.substr(start, end == std::string_view::npos ? end : end - start));
        if (end == std::string_view::npos)
            return parts;
        start = end + 1;
    }
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r\n\f\v";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::size_t displayWidth(std::string_view utf8)
{
    return static_cast<std::size_t>(
        std::count_if(utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

} // namespace pipescope
