#include "base/spec_reader.h"
#include "base/text.h"
#include "shard/device_mesh.h"
#include "shard/placement.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <initializer_list>
#include <optional>
#include <system_error>

namespace pipescope::shard {

namespace {

constexpr std::string_view WhatIsExpected = "a placement (R, S0, S(-1), P, P(avg), SS(0,2) or NormP(2))";
constexpr std::string_view WhatIsReduced = "sum, avg, max, min or product";
constexpr std::string_view WhatIsP =
    "a p that is neither 0 nor infinite (P(sum), P(max) and P(min) stand for the norms of 0, inf and -inf)";

enum class PlacementKind { Replicate, Shard, StridedShard, Partial, NormPartial };

struct KindWord
{
    std::string_view word;
    PlacementKind kind;
};

constexpr std::array KindWords{
    KindWord{"R", PlacementKind::Replicate},
    KindWord{"Replicate", PlacementKind::Replicate},
    KindWord{"S", PlacementKind::Shard},
    KindWord{"Shard", PlacementKind::Shard},
    KindWord{"SS", PlacementKind::StridedShard},
    KindWord{"_S", PlacementKind::StridedShard},
    KindWord{"StridedShard", PlacementKind::StridedShard},
    KindWord{"_StridedShard", PlacementKind::StridedShard},
    KindWord{"P", PlacementKind::Partial},
    KindWord{"Partial", PlacementKind::Partial},
    KindWord{"NormP", PlacementKind::NormPartial},
    KindWord{"_NormP", PlacementKind::NormPartial},
    KindWord{"NormPartial", PlacementKind::NormPartial},
    KindWord{"_NormPartial", PlacementKind::NormPartial},
};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

std::optional<PlacementKind> kindOf(std::string_view word)
{
    for (const KindWord &known : KindWords) {
        if (known.word == word)
            return known.kind;
    }
    return std::nullopt;
}

std::vector<std::string> kindWords()
{
    std::vector<std::string> words;
    words.reserve(std::size(KindWords));
    for (const KindWord &known : KindWords)
        words.emplace_back(known.word);
    return words;
}

class PlacementReader
{
public:
    explicit PlacementReader(std::string_view text)
        : m_reader(text)
    {
    }

    Result<Placement> whole()
    {
        if (auto ok = m_reader.checkLength(); !ok)
            return ok.error();
        Result<Placement> placement = next();
        return placement && !m_reader.atEnd() ? m_reader.expected("the end") : placement;
    }

    Result<Placements> wholeList()
    {
        if (auto ok = m_reader.checkLength(); !ok)
            return ok.error();
        Placements placements;
        const auto add = [&]() -> Status {
            Result<Placement> placement = next();
            if (!placement)
                return placement.error();
            if (placements.size() == static_cast<std::size_t>(DeviceMesh::MaxDims))
                return m_reader.wrong(fmt::format("more than {} placements", DeviceMesh::MaxDims));
            placements.push_back(*placement);
            return Success{};
        };
        const Status read = list(add);
        if (!read)
            return read.error();
        if (!m_reader.atEnd())
            return m_reader.expected("',' or the end");
        return placements;
    }

private:
    /// With or without brackets.
    Status list(const std::function<Status()> &add)
    {
        if (m_reader.take('['))
            return m_reader.items(']', add);
        if (m_reader.take('('))
            return m_reader.items(')', add);
        Status ok = add();
        while (ok && m_reader.take(','))
            ok = add();
        return ok;
    }

    Result<Placement> next()
    {
        SpecReader before = m_reader;
        const std::string_view word = m_reader.word();
        if (const auto kind = kindOf(word))
            return ofKind(*kind);
        if (const auto op = word.starts_with('P') ? reduceOpOf(word.substr(1)) : std::nullopt)
            return Placement{Partial{*op}};
        const bool isShort =
            word.size() > 1 && word.front() == 'S' && std::all_of(word.begin() + 1, word.end(), isDigit);
        if (!isShort)
            return before.expected(WhatIsExpected, word.size() < 3 ? std::string() : didYouMean(word, kindWords()));
        int dim = 0;
        if (std::from_chars(word.data() + 1, word.data() + word.size(), dim).ec != std::errc())
            return m_reader.wrong(fmt::format("{} is too large for a dimension", word.substr(1)));
        return Placement{Shard{dim}};
    }

    Result<Placement> ofKind(PlacementKind kind)
    {
        switch (kind) {
        case PlacementKind::Replicate:
            return m_reader.take('(') ? closed(Replicate{}) : Placement{Replicate{}};
        case PlacementKind::Shard:
            return shard();
        case PlacementKind::StridedShard:
            return stridedShard();
        case PlacementKind::Partial:
            return m_reader.take('(') ? partial() : Placement{Partial{}};
        case PlacementKind::NormPartial:
            return normPartial();
        }
        PIPESCOPE_ASSERT(false);
    }

    Result<Placement> shard()
    {
        const bool isBracketed = m_reader.take('(');
        const char ahead = m_reader.peek();
        if (!isBracketed && ahead != '-' && !isDigit(ahead))
            return m_reader.expected("'(' or a dimension");
        const Result<int> dim = argument<int>("a dimension", {"dim"});
        if (!dim)
            return dim.error();
        return isBracketed ? closed(Shard{*dim}) : Placement{Shard{*dim}};
    }

    Result<Placement> stridedShard()
    {
        if (!m_reader.take('('))
            return m_reader.expected("'('");
        const Result<int> dim = argument<int>("a dimension", {"dim"});
        if (!dim)
            return dim.error();
        if (!m_reader.take(','))
            return m_reader.expected("',' and a split factor");
        const Result<std::int64_t> factor = argument<std::int64_t>("a split factor", {"sf", "split_factor"});
        if (!factor)
            return factor.error();
        if (*factor < 1)
            return m_reader.wrong(fmt::format("the split factor {} is below 1", *factor));
        return closed(StridedShard{*dim, *factor});
    }

    /// After the opening bracket: nothing, `sum`, `"sum"`, `reduce_op="sum"`.
    Result<Placement> partial()
    {
        if (m_reader.take(')'))
            return Placement{Partial{}};
        if (auto ok = keyword({"reduce_op"}); !ok)
            return ok.error();
        SpecReader before = m_reader;
        Result<std::string> word = isQuote(m_reader.peek()) ? m_reader.quoted() : std::string(m_reader.word());
        if (!word)
            return word.error();
        const std::optional<ReduceOp> op = reduceOpOf(*word);
        if (!op)
            return before.expected(WhatIsReduced, *word == "prod" ? " Did you mean product?" : "");
        return closed(Partial{*op});
    }

    Result<Placement> normPartial()
    {
        if (!m_reader.take('('))
            return m_reader.expected("'('");
        if (auto ok = keyword({"p", "norm_type"}); !ok)
            return ok.error();
        SpecReader before = m_reader;
        std::string_view word = m_reader.number();
        if (word.starts_with('+'))
            word.remove_prefix(1);
        double p = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), p);
        const bool isNumber = !word.empty() && error == std::errc() && end == word.data() + word.size();
        if (!isNumber || p == 0 || !std::isfinite(p))
            return before.expected(WhatIsP);
        return closed(NormPartial{p});
    }

    template <class T>
    Result<T> argument(std::string_view what, std::initializer_list<std::string_view> keywords)
    {
        if (auto ok = keyword(keywords); !ok)
            return ok.error();
        return m_reader.integer<T>(what);
    }

    /// Takes `dim=` and its like where it stands.
    Status keyword(std::initializer_list<std::string_view> known)
    {
        SpecReader ahead = m_reader;
        const std::string_view word = ahead.word();
        if (word.empty() || !ahead.take('='))
            return Success{};
        if (std::find(known.begin(), known.end(), word) == known.end())
            return m_reader.expected(fmt::format("{}=", *known.begin()));
        m_reader = ahead;
        return Success{};
    }

    Result<Placement> closed(Placement placement)
    {
        if (!m_reader.take(')'))
            return m_reader.expected("')'");
        return placement;
    }

    SpecReader m_reader;
};

} // namespace

Result<Placement> parsePlacement(std::string_view text)
{
    return PlacementReader(text).whole();
}

Result<Placements> parsePlacements(std::string_view text)
{
    return PlacementReader(text).wholeList();
}

} // namespace pipescope::shard
