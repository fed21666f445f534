// A pickle read as data. No class is looked up and nothing is called, so reading an unknown file is safe: globals stay
// names, calls stay "call this with that". Which opcodes are read is in pickle_opcodes.h.
#pragma once

#include "base/ids.h"
#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pipescope::archive {

/// Whose writing is read; anything else in it is refused.
enum class PickleDialect {
    TorchScript, ///< protocol 2, with the opcodes TorchScript writes and torch::jit::Unpickler reads
    TorchSave,   ///< protocols 2 to 5, as far as torch.save and plain data use them
};

using PickleRef = Id<struct PickleTag>; ///< index of a node in its PickleTree

struct PickleNode
{
    enum class Kind {
        None,
        Bool,       ///< integer
        Int,        ///< integer; in TorchScript's, one beyond 64 bits is Text
        Float,      ///< real
        Text,       ///< text
        Bytes,      ///< text; TorchScript's are Text
        Global,     ///< text: module and name with a newline between them; or items: module, name
        Tuple,      ///< items
        List,       ///< items
        Dict,       ///< items: key, value, key, value ...
        Call,       ///< items: callable, arguments; in TorchScript's, after BUILD a state; in
                    ///< torch.save's, the entries set in what it gives: key, value ...
        Object,     ///< items: class, constructor arguments, and after BUILD the state; TorchScript's only
        Persistent, ///< items: the id
    };
    Kind kind = Kind::None;
    std::int64_t integer = 0;
    double real = 0;
    std::string_view text; ///< into the bytes the tree was read from
    std::vector<PickleRef> items;
};

/// Every reference is in range, and nodes may be shared (a pickle's memo). TorchScript's are never cyclic and lie at
/// most MaxPickleDepth below the root. torch.save's may contain themselves: who walks them counts the levels.
struct PickleTree
{
    std::vector<PickleNode> nodes;
    PickleRef root;

    [[nodiscard]] const PickleNode &node(PickleRef ref) const { return nodes[ref.index()]; }
    /// Item `position` of a node; nullptr when it has fewer.
    [[nodiscard]] const PickleNode *item(const PickleNode &of, std::size_t position) const;
    /// "module.name" of a Global, or of the class or callable of an Object or Call; "" otherwise.
    [[nodiscard]] std::string globalName(const PickleNode &of) const;
    /// Whether that is `name`, which has a dot; nothing is copied to tell.
    [[nodiscard]] bool isNamed(const PickleNode &of, std::string_view name) const;
};

inline constexpr int MaxPickleDepth = 1000;
inline constexpr std::size_t MaxPickleSteps = 16'000'000;
inline constexpr std::size_t MaxTorchSaveNodes = 4'000'000;
inline constexpr std::size_t MaxGlobalName = 64 << 10; ///< bytes: one name can be that of millions of objects

/// `bytes` must outlive the tree. `where` names the record in errors.
/// Error: InvalidFile with the offset of what cannot be read, or naming the limit that was passed; Unsupported for a
/// name that is longer than MaxGlobalName, which is no damage.
Result<PickleTree> readPickle(std::string_view bytes, const std::string &where, PickleDialect dialect);

} // namespace pipescope::archive
