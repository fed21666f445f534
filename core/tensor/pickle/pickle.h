// A Python pickle read as plain data. Nothing in it is imported, called or built: a call stays a node that names what
// it would call, and value_from_pickle.cpp decides which names it knows. No torch in here.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace pipescope::tensor {

/// Index of a node; nodes may be used in several places, and in hostile files even inside themselves.
using PickleRef = std::uint32_t;

struct PickleNode
{
    using Items = std::vector<PickleRef>;
    using Entries = std::vector<std::pair<PickleRef, PickleRef>>;
    struct None
    {
    };
    struct Bytes
    {
    };
    struct List
    {
        Items items;
    };
    struct Tuple
    {
        Items items;
    };
    struct Dict
    {
        Entries entries;
    };
    /// A class, function or constant: "torch._utils._rebuild_tensor_v2".
    struct Global
    {
        std::string name;
    };
    /// `function(arguments)`, then `[key] = value` for each entry; a state set afterwards is left out.
    struct Call
    {
        PickleRef function = 0;
        PickleRef arguments = 0;
        Entries entries;
    };
    /// Something kept outside the pickle; torch.save's storages.
    struct Persistent
    {
        PickleRef id = 0;
    };
    std::variant<None, bool, std::int64_t, double, std::string, Bytes, List, Tuple, Dict, Global, Call, Persistent>
        node;
};

struct Pickle
{
    std::vector<PickleNode> nodes;
    PickleRef root = 0;

    [[nodiscard]] const PickleNode &at(PickleRef ref) const { return nodes[ref]; }
};

/// Reads protocols 2 to 5 as far as torch.save and plain data use them. Every reference in the result is in range.
/// Error: InvalidFile with the byte at which reading stopped.
Result<Pickle> readPickle(std::string_view bytes);

} // namespace pipescope::tensor
