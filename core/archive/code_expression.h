// One expression of an archive's code as a tree: grammar only, no name is looked up and nothing is computed.
#pragma once

#include "archive/code_tokens.h"
#include "base/ids.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace pipescope::archive {

using TermRef = Id<struct TermTag>; ///< index of a term in its CodeExpression

struct CodeTerm
{
    enum class Kind {
        Name,      ///< text
        Literal,   ///< text: a number, or a string with its quotes
        Attribute, ///< items: of what; text: the name behind the dot
        Call,      ///< items: what is called, then the arguments
        Index,     ///< items: of what, then what stands in the brackets
        Tuple,     ///< items, also where it has no brackets around it
        List,      ///< items
        Dict,      ///< items: key, value, key, value ...
        Infix,     ///< items: the operands, more than one; text: the first sign or word between them, "=" for "=="
    };
    Kind kind = Kind::Name;
    std::string_view text;
    std::vector<TermRef> items;
    std::vector<std::string_view> names; ///< of a call's arguments; "" for one given by its position
};

struct CodeExpression
{
    std::vector<CodeTerm> terms; ///< what a term is made of stands before it
    TermRef root;

    [[nodiscard]] const CodeTerm &term(TermRef ref) const { return terms[ref.index()]; }
};

/// Nothing where the words are no expression of TorchScript. The words must come from one statement of a CodeReader:
/// its limits bound how deep the tree is. A sign before a term ("-", "not") is left out.
[[nodiscard]] std::optional<CodeExpression> parseExpression(std::span<const CodeWord> words);

} // namespace pipescope::archive
