#include "import/source_lines.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <torch/csrc/jit/frontend/source_range.h>
#include <vector>

namespace pipescope::import {

namespace {

constexpr std::size_t MostSourceLines = 12;
constexpr std::size_t LongestSourceLine = 200;

// At most so many bytes, and no half of a character.
std::string shortened(std::string line)
{
    std::size_t size = std::min(line.size(), LongestSourceLine);
    while (size < line.size() && size > 0 && (static_cast<unsigned char>(line[size]) & 0xc0) == 0x80)
        --size;
    line.resize(size);
    return line;
}

std::size_t indentationOf(std::string_view line)
{
    return std::min(line.find_first_not_of(" \t"), line.size());
}

// Brackets that a line opens and does not close, without those in its texts and comments.
int openedIn(std::string_view line)
{
    int opened = 0;
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quote != 0) {
            if (c == '\\')
                ++i;
            else if (c == quote)
                quote = 0;
        } else if (c == '\'' || c == '"') {
            quote = c;
        } else if (c == '#') {
            break;
        } else if (c == '(' || c == '[' || c == '{') {
            ++opened;
        } else if (c == ')' || c == ']' || c == '}') {
            --opened;
        }
    }
    return opened;
}

} // namespace

std::string linesOf(const torch::jit::SourceRange &range)
{
    if (!range.source() || range.start() >= range.source()->size())
        return {};
    const torch::jit::Source &source = *range.source();
    std::vector<std::string> lines;
    std::size_t shared = std::string::npos;
    int opened = 0;
    for (std::size_t number = source.lineno_for_offset(range.start()); number < source.num_lines(); ++number) {
        if (lines.size() == MostSourceLines) {
            lines.emplace_back("...");
            break;
        }
        const std::string line = shortened(source.get_line(number).str());
        lines.emplace_back(line.substr(0, line.find_last_not_of(" \t\r\n") + 1));
        if (!lines.back().empty())
            shared = std::min(shared, indentationOf(lines.back()));
        opened += openedIn(line);
        if (opened <= 0)
            break;
    }
    for (std::string &line : lines)
        line.erase(0, std::min(shared, indentationOf(line)));
    return fmt::format("{}", fmt::join(lines, "\n"));
}

} // namespace pipescope::import
