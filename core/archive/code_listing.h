// What the code of a TorchScript archive defines and calls, found by its words alone: nothing is compiled, no name is
// resolved. Relies on the form TorchScript prints: torch.xxx(...) for aten::xxx, ops.ns.xxx(...) for ns::xxx.
#pragma once

#include "base/result.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pipescope::archive {

struct CodeMethod
{
    std::string className; ///< "__torch__.model.Block"
    std::string name;      ///< "forward"
    std::string signature; ///< as written: "(self, x: Tensor) -> Tensor"
    int line = 0;          ///< in the archive's code file

    friend bool operator==(const CodeMethod &, const CodeMethod &) = default;
};

struct CodeClass
{
    std::string base; ///< "Module", "NamedTuple", "Interface", "ModuleInterface", "Enum"; "" for a plain class
    std::vector<std::string> parameters; ///< names in __parameters__
    std::vector<std::string>
        fieldTypes; ///< of a NamedTuple: each name in its fields' types, "Tensor", "__torch__.Pair"
};

struct CodeListing
{
    std::map<std::string, CodeClass> classes; ///< by qualified name, "__torch__.model.Block"
    std::vector<CodeMethod> methods;          ///< in the order of the files and their lines
    std::map<std::string, int> calls;         ///< "aten::linear": how often
    std::size_t bytes = 0;                    ///< that all of this takes, about
};

inline constexpr std::size_t MaxListingBytes = 512ULL << 20;

/// "__torch__.model" for the record "code/__torch__/model.py".
[[nodiscard]] std::string qualifierOf(std::string_view record);

/// The operator that a dotted name calls, "aten::relu" for torch.relu; nothing for methods, functions and forms of the
/// language.
[[nodiscard]] std::optional<std::string> operatorOf(std::span<const std::string_view> path);

/// Adds what one code record holds. `record` is its name in the archive, "code/__torch__/model.py".
/// Error: InvalidFile with the line; see code_tokens.h. Also where the listing would take more than `mostBytes`: each
/// method has the name of its class, so that a small record can ask for a large listing.
Status listCode(std::string_view code, const std::string &record, CodeListing &listing,
                std::size_t mostBytes = MaxListingBytes);

} // namespace pipescope::archive
