// A value that is known without running anything, as plain data: what a program has written out.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace pipescope::graph {

struct Literal
{
    enum class Kind { None, Bool, Int, Float, Text, List }; ///< in the order of the alternatives of `is`
    using List = std::vector<Literal>;                      ///< of a list or a tuple

    /// A dtype, layout or memory format is the number that TorchScript writes for it, a device its name ("cuda:0").
    std::variant<std::monostate, bool, std::int64_t, double, std::string, List> is;

    [[nodiscard]] Kind kind() const { return static_cast<Kind>(is.index()); }
};

/// Not-a-number equals itself here: a graph is equal to its copy.
[[nodiscard]] bool operator==(const Literal &a, const Literal &b);

} // namespace pipescope::graph
