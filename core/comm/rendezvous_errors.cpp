#include "comm/rendezvous_errors.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace pipescope::comm {

namespace {

constexpr std::string_view Advice = "ranks that share collectives must call the same ones in the same order";

// The group that has most members; of equal ones the one whose first member comes first.
std::size_t largestGroup(const std::vector<Called> &called)
{
    std::map<std::size_t, std::size_t> sizes;
    for (const Called &one : called)
        ++sizes[one.group];
    std::size_t largest = called.front().group;
    for (const Called &one : called) {
        if (sizes[one.group] > sizes[largest])
            largest = one.group;
    }
    return largest;
}

// "ranks 0 and 2 called barrier, rank 3 called all_reduce(sum) of float32[4]".
std::string othersText(const std::vector<Called> &called, std::size_t without)
{
    std::string text;
    std::set<std::size_t> told{without};
    for (const Called &first : called) {
        if (!told.insert(first.group).second)
            continue;
        std::vector<RankId> ranks;
        for (const Called &one : called) {
            if (one.group == first.group)
                ranks.push_back(one.rank);
        }
        text += fmt::format("{}{} called {}", text.empty() ? "" : ", ", ranksText(ranks), first.call);
    }
    return text;
}

std::string waitText(const Stuck &one)
{
    return fmt::format("waits in its collective {}, {} on ranks {}", one.number, one.call, lineText(one.line));
}

std::string awayText(const Away &one)
{
    return one.ended ? fmt::format("has ended after {} collective{}", one.calls, one.calls == 1 ? "" : "s")
                     : "waits for something else";
}

const Stuck *findStuck(const std::vector<Stuck> &stuck, RankId rank)
{
    const auto found = std::find_if(stuck.begin(), stuck.end(), [rank](const Stuck &one) { return one.rank == rank; });
    return found == stuck.end() ? nullptr : &*found;
}

// Whom it waits for: one that is away, if any, as that one will never come.
RankId nextOf(const Stuck &one, const std::vector<Stuck> &stuck)
{
    const auto away = std::find_if(one.missing.begin(), one.missing.end(),
                                   [&stuck](RankId rank) { return findStuck(stuck, rank) == nullptr; });
    return away == one.missing.end() ? one.missing.front() : *away;
}

const Stuck &rootOf(const std::vector<Stuck> &stuck)
{
    const Stuck *at = &*std::min_element(stuck.begin(), stuck.end(),
                                         [](const Stuck &a, const Stuck &b) { return a.number < b.number; });
    std::set<RankId> passed;
    while (passed.insert(at->rank).second) {
        const Stuck *const next = findStuck(stuck, nextOf(*at, stuck));
        if (next == nullptr)
            return *at;
        at = next;
    }
    return *at;
}

std::string stateText(const std::vector<Stuck> &stuck, const std::vector<Away> &away, RankId rank)
{
    if (const Stuck *const one = findStuck(stuck, rank))
        return waitText(*one);
    const auto found = std::find_if(away.begin(), away.end(), [rank](const Away &one) { return one.rank == rank; });
    PIPESCOPE_ASSERT(found != away.end());
    return awayText(*found);
}

} // namespace

Error disagreement(const std::vector<Called> &called)
{
    const std::size_t most = largestGroup(called);
    const auto odd =
        std::find_if(called.begin(), called.end(), [most](const Called &one) { return one.group != most; });
    PIPESCOPE_ASSERT(odd != called.end());
    Error error{ErrorCode::InvalidArgument,
                fmt::format("rank {} called {} as its collective {}, where {}; {}", odd->rank.value, odd->call,
                            odd->number, othersText(called, odd->group), Advice),
                fmt::format("rank {}", odd->rank.value),
                {}};
    for (const Called &one : called)
        error.details += fmt::format("rank {}: collective {}: {}\n", one.rank.value, one.number, one.call);
    return error;
}

Error stall(const std::vector<Stuck> &stuck, const std::vector<Away> &away)
{
    const Stuck &root = rootOf(stuck);
    const RankId next = nextOf(root, stuck);
    Error error{ErrorCode::Deadlock,
                fmt::format("rank {} {}, for rank {}, which {}; {}", root.rank.value, waitText(root), next.value,
                            stateText(stuck, away, next), Advice),
                fmt::format("rank {}", root.rank.value),
                {}};
    std::set<RankId> all;
    for (const Stuck &one : stuck)
        all.insert(one.rank);
    for (const Away &one : away)
        all.insert(one.rank);
    for (const RankId rank : all)
        error.details += fmt::format("rank {} {}\n", rank.value, stateText(stuck, away, rank));
    return error;
}

} // namespace pipescope::comm
