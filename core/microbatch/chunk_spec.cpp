#include "microbatch/chunk_spec.h"

#include "base/spec_reader.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace pipescope::microbatch {

namespace {

struct LeafWord
{
    std::string_view word;
    std::variant<Replicate, ListChunkSpec, Reducer> leaf;
};

constexpr std::array LeafWords{
    LeafWord{"replicate", Replicate{}}, LeafWord{"list", ListChunkSpec{}}, LeafWord{"sum", Reducer::Sum},
    LeafWord{"mean", Reducer::Mean},    LeafWord{"max", Reducer::Max},     LeafWord{"min", Reducer::Min},
};

constexpr std::string_view WhatIsExpected = "a dimension, replicate, list, sum, mean, max, min, '(', '[' or '{'";

class ChunkSpecParser
{
public:
    explicit ChunkSpecParser(std::string_view text)
        : m_reader(text)
    {
    }

    Result<ChunkSpec> run()
    {
        if (auto ok = m_reader.checkLength(); !ok)
            return ok.error();
        auto parsed = spec();
        if (parsed && !m_reader.atEnd())
            return m_reader.expected("the end");
        return parsed;
    }

private:
    Result<ChunkSpec> spec()
    {
        if (m_reader.take('('))
            return sequence<ChunkSpec::Tuple>(')');
        if (m_reader.take('['))
            return sequence<ChunkSpec::List>(']');
        if (m_reader.take('{'))
            return dict();
        const char next = m_reader.peek();
        if (next == '-' || next == '+' || (next >= '0' && next <= '9')) {
            const auto dim = m_reader.integer<int>("a dimension");
            if (!dim)
                return dim.error();
            return ChunkSpec{TensorChunkSpec{*dim}};
        }
        return leafWord();
    }

    Result<ChunkSpec> leafWord()
    {
        SpecReader before = m_reader;
        const std::string_view word = m_reader.word();
        std::vector<std::string> words;
        for (const LeafWord &known : LeafWords) {
            if (known.word == word)
                return std::visit([](const auto &leaf) { return ChunkSpec{leaf}; }, known.leaf);
            words.emplace_back(known.word);
        }
        return before.expected(WhatIsExpected, word.empty() ? std::string() : didYouMean(word, words));
    }

    template <class Sequence>
    Result<ChunkSpec> sequence(char close)
    {
        Sequence sequence;
        auto ok = m_reader.items(close, [&]() -> Status {
            auto item = spec();
            if (!item)
                return item.error();
            sequence.items.push_back(std::move(*item));
            return Success{};
        });
        if (!ok)
            return ok.error();
        return ChunkSpec{std::move(sequence)};
    }

    Result<ChunkSpec> dict()
    {
        ChunkSpec::Dict dict;
        auto ok = m_reader.entries([&](std::string key) -> Status {
            auto value = spec();
            if (!value)
                return value.error();
            dict.entries.push_back({std::move(key), std::move(*value)});
            return Success{};
        });
        if (!ok)
            return ok.error();
        return ChunkSpec{std::move(dict)};
    }

    SpecReader m_reader;
};

std::string joined(const ChunkSpec::Children &items)
{
    std::string text;
    for (const ChunkSpec &item : items)
        text += (text.empty() ? "" : ", ") + toText(item);
    return text;
}

std::string wordOf(const decltype(LeafWord::leaf) &leaf)
{
    for (const LeafWord &known : LeafWords)
        if (known.leaf == leaf)
            return std::string(known.word);
    return {};
}

struct Printer
{
    std::string operator()(const TensorChunkSpec &spec) const { return std::to_string(spec.dim); }
    std::string operator()(const Replicate &leaf) const { return wordOf(leaf); }
    std::string operator()(const ListChunkSpec &leaf) const { return wordOf(leaf); }
    std::string operator()(const Reducer &leaf) const { return wordOf(leaf); }
    std::string operator()(const ChunkSpec::Tuple &tuple) const
    {
        return fmt::format("({}{})", joined(tuple.items), tuple.items.size() == 1 ? "," : "");
    }
    std::string operator()(const ChunkSpec::List &list) const { return fmt::format("[{}]", joined(list.items)); }
    std::string operator()(const ChunkSpec::Dict &dict) const
    {
        std::string text;
        for (const auto &[key, value] : dict.entries)
            text += (text.empty() ? "" : ", ") + keyText(key) + ": " + toText(value);
        return "{" + text + "}";
    }
};

} // namespace

bool operator==(const ChunkSpec::Dict &a, const ChunkSpec::Dict &b)
{
    return a.entries == b.entries;
}

ChunkSpec fromTuple(const std::vector<int> &dims)
{
    ChunkSpec::Tuple tuple;
    for (const int dim : dims)
        tuple.items.push_back({TensorChunkSpec{dim}});
    return {std::move(tuple)};
}

ChunkSpec fromDict(const std::vector<std::pair<std::string, int>> &dims)
{
    ChunkSpec::Dict dict;
    for (const auto &[name, dim] : dims)
        dict.entries.push_back({name, ChunkSpec{TensorChunkSpec{dim}}});
    return {std::move(dict)};
}

bool cutsList(const ChunkSpec &spec)
{
    const auto cutsOne = [](const ChunkSpec::Children &items) {
        return std::any_of(items.begin(), items.end(), cutsList);
    };
    if (const auto *tuple = std::get_if<ChunkSpec::Tuple>(&spec.node))
        return cutsOne(tuple->items);
    if (const auto *list = std::get_if<ChunkSpec::List>(&spec.node))
        return cutsOne(list->items);
    if (const auto *dict = std::get_if<ChunkSpec::Dict>(&spec.node))
        return std::any_of(dict->entries.begin(), dict->entries.end(),
                           [](const ChunkSpec::Entry &entry) { return cutsList(entry.second); });
    return std::holds_alternative<ListChunkSpec>(spec.node);
}

std::string toText(const ChunkSpec &spec)
{
    return std::visit(Printer{}, spec.node);
}

Result<ChunkSpec> parseChunkSpec(std::string_view text)
{
    return ChunkSpecParser(text).run();
}

std::vector<std::int64_t> chunkSizes(std::int64_t rows, std::int64_t chunks)
{
    PIPESCOPE_ASSERT(rows >= 0 && chunks >= 1);
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(chunks), rows / chunks);
    std::for_each_n(sizes.begin(), rows % chunks, [](std::int64_t &size) { ++size; });
    return sizes;
}

} // namespace pipescope::microbatch
