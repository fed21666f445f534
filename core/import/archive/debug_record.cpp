#include "import/archive/debug_record.h"

#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace pipescope::import {

namespace {

using archive::PickleNode;
using archive::PickleTree;
using Kind = PickleNode::Kind;

constexpr std::string_view WithTable = "FORMAT_WITH_STRING_TABLE";

// Written since PyTorch 1.13: (WithTable, (text ...), (entry ...)); before: (entry ...). An entry is (byte of the code,
// (source, begin, end), ...); a source is ([text index ...], index of the file's name, line) with a table, and (text,
// the file's name or None, line) without.
class RecordCheck
{
public:
    RecordCheck(const PickleTree &tree, std::size_t &lines)
        : m_tree(tree)
        , m_lines(lines)
    {
    }

    std::string fault()
    {
        const PickleNode *entries = &m_tree.node(m_tree.root);
        if (!isTuple(entries, 0))
            return "it is no tuple of source ranges";
        const PickleNode *first = m_tree.item(*entries, 0);
        if (first != nullptr && first->kind == Kind::Text && first->text == WithTable) {
            const PickleNode *texts = m_tree.item(*entries, 1);
            entries = m_tree.item(*entries, 2);
            if (!isTuple(texts, 0) || !isTuple(entries, 0))
                return "its table of texts or its source ranges are missing";
            for (const archive::PickleRef text : texts->items)
                if (m_tree.node(text).kind != Kind::Text)
                    return "an entry of its table of texts is no text";
            m_texts = texts->items.size();
        }
        for (std::size_t i = 0; i < entries->items.size(); ++i)
            if (const std::string fault = faultOfEntry(m_tree.item(*entries, i)); !fault.empty())
                return fmt::format("source range {}: {}", i, fault);
        return {};
    }

private:
    static bool isTuple(const PickleNode *node, std::size_t atLeast)
    {
        return node != nullptr && node->kind == Kind::Tuple && node->items.size() >= atLeast;
    }

    static bool isInt(const PickleNode *node) { return node != nullptr && node->kind == Kind::Int; }
    static bool isOffset(const PickleNode *node) { return isInt(node) && node->integer >= 0; }

    std::string faultOfEntry(const PickleNode *entry)
    {
        if (!isTuple(entry, 2) || !isOffset(m_tree.item(*entry, 0)))
            return "it does not say which code it is of";
        const PickleNode *range = m_tree.item(*entry, 1);
        if (!isTuple(range, 3) || range->items.size() != 3 || !isOffset(m_tree.item(*range, 1)) ||
            !isOffset(m_tree.item(*range, 2)))
            return "it has no begin and end in a source";
        const PickleNode *source = m_tree.item(*range, 0);
        if (!m_checked.insert(source).second) // most ranges share theirs
            return {};
        if (!isTuple(source, 3) || source->items.size() != 3 || !isInt(m_tree.item(*source, 2)))
            return "its source is not a text, a file and a line";
        return m_texts ? faultOfIndexed(*source) : faultOfPlain(*source);
    }

    std::string faultOfPlain(const PickleNode &source) const
    {
        const Kind text = m_tree.item(source, 0)->kind;
        const Kind file = m_tree.item(source, 1)->kind;
        return text == Kind::Text && (file == Kind::Text || file == Kind::None) ? "" : "its source is no text";
    }

    std::string faultOfIndexed(const PickleNode &source)
    {
        const PickleNode &lines = *m_tree.item(source, 0);
        const PickleNode *arguments = m_tree.item(lines, 1);
        const bool isList = lines.kind == Kind::Call && lines.items.size() == 2 && isTuple(arguments, 1) &&
                            m_tree.isNamed(lines, "torch.jit._pickle.build_intlist") &&
                            m_tree.item(*arguments, 0)->kind == Kind::List;
        if (!isList)
            return "its source is no list of texts";
        const PickleNode &list = *m_tree.item(*arguments, 0);
        m_lines += list.items.size();
        if (m_lines > MaxDebugLines)
            return fmt::format("the archive's sources have more than {} lines", MaxDebugLines);
        if (std::string fault = faultOfLines(list); !fault.empty())
            return fault;
        return faultOfIndex(*m_tree.item(source, 1));
    }

    /// A list that is shared is looked at once.
    std::string faultOfLines(const PickleNode &list)
    {
        if (!m_checked.insert(&list).second)
            return {};
        for (const archive::PickleRef line : list.items)
            if (std::string fault = faultOfIndex(m_tree.node(line)); !fault.empty())
                return fault;
        return {};
    }

    std::string faultOfIndex(const PickleNode &index) const
    {
        if (!isInt(&index))
            return "it refers to a text by something that is no number";
        if (index.integer < 0 || std::cmp_greater_equal(index.integer, *m_texts))
            return fmt::format("it refers to text {}, of {}", index.integer, *m_texts);
        return {};
    }

    const PickleTree &m_tree;
    std::size_t &m_lines;
    std::optional<std::size_t> m_texts;               ///< in the table; nothing without one
    std::unordered_set<const PickleNode *> m_checked; ///< sources and lists of lines
};

} // namespace

std::string faultOfDebugRecord(const PickleTree &tree, std::size_t &lines)
{
    return RecordCheck(tree, lines).fault();
}

} // namespace pipescope::import
