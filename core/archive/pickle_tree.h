// A pickle read as data. No class is looked up and nothing is called, so reading an unknown file is safe: globals stay
// names, calls stay "call this with that". Knows the opcodes TorchScript writes and torch::jit::Unpickler reads.
#pragma once

#include "base/ids.h"
#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pipescope::archive {

using PickleRef = Id<struct PickleTag>; ///< index of a node in its PickleTree

struct PickleNode
{
    enum class Kind {
        None,
        Bool,       ///< integer
        Int,        ///< integer; one beyond 64 bits is Text
        Float,      ///< real
        Text,       ///< text
        Global,     ///< text: module and name with a newline between them
        Tuple,      ///< items
        List,       ///< items
        Dict,       ///< items: key, value, key, value ...
        Call,       ///< items: callable, arguments, and after BUILD a state
        Object,     ///< items: class, constructor arguments, and after BUILD the state
        Persistent, ///< items: the id
    };
    Kind kind = Kind::None;
    std::int64_t integer = 0;
    double real = 0;
    std::string_view text; ///< into the bytes the tree was read from
    std::vector<PickleRef> items;
};

/// Nodes may be shared (a pickle's memo), are never cyclic, and lie at most MaxPickleDepth below the root.
struct PickleTree
{
    std::vector<PickleNode> nodes;
    PickleRef root;

    [[nodiscard]] const PickleNode &node(PickleRef ref) const { return nodes[ref.index()]; }
    /// Item `position` of a node; nullptr when it has fewer.
    [[nodiscard]] const PickleNode *item(const PickleNode &of, std::size_t position) const;
    /// "module.name" of a Global, or of the class or callable of an Object or Call; "" otherwise.
    [[nodiscard]] std::string globalName(const PickleNode &of) const;
};

inline constexpr int MaxPickleDepth = 1000;
inline constexpr std::size_t MaxPickleSteps = 16'000'000;
inline constexpr std::size_t MaxGlobalName = 4096; ///< bytes: one name can be that of millions of objects

/// `bytes` must outlive the tree. `where` names the record in errors.
/// Error: InvalidFile with the offset of what cannot be read, or naming the limit that was passed.
Result<PickleTree> readPickle(std::string_view bytes, const std::string &where);

} // namespace pipescope::archive
