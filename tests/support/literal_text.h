// Literals for tests, written as text: none, true, -1, 0.5, "sum", [1,[2,3]].
#pragma once

#include "graph/literal.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace pipescope::tests {

/// The part of a list's text up to the comma that ends its first item.
inline std::string_view firstItem(std::string_view text)
{
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
        if (depth == 0 && text[i] == ',')
            return text.substr(0, i);
    }
    return text;
}

/// Without blanks; text has no comma or bracket in it. Anything that is none of these is none.
inline graph::Literal literalFromText(std::string_view text)
{
    if (text == "true" || text == "false")
        return {text == "true"};
    if (text.size() >= 2 && text.front() == '"')
        return {std::string(text.substr(1, text.size() - 2))};
    if (text.size() >= 2 && text.front() == '[') {
        graph::Literal::List items;
        for (std::string_view rest = text.substr(1, text.size() - 2); !rest.empty();) {
            const std::string_view item = firstItem(rest);
            items.push_back(literalFromText(item));
            rest.remove_prefix(std::min(item.size() + 1, rest.size()));
        }
        return {std::move(items)};
    }
    if (text.find_first_of("0123456789") == std::string_view::npos)
        return {};
    if (text.find_first_of(".e") != std::string_view::npos)
        return {std::strtod(std::string(text).c_str(), nullptr)};
    return {std::int64_t(std::strtoll(std::string(text).c_str(), nullptr, 10))};
}

} // namespace pipescope::tests
