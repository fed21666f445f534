// One exchange of a rendezvous (rendezvous.h): who has called what, what each brought, and how far the work is.
#pragma once

#include "comm/line.h"
#include "comm/rendezvous_errors.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pipescope::comm {

/// A rank's part in an exchange that is done.
template <class Call, class Part>
struct Attendance
{
    RankId rank;
    int number = 0; ///< among the rank's calls, from 1
    const Line &line;
    const Call &call;
    const Part &part;
    RankId last;                                 ///< the rank that called last
    std::chrono::steady_clock::time_point begin; ///< when this rank called
    std::chrono::steady_clock::time_point end;   ///< when the shares of all were done
};

/// Guarded by the rendezvous' lock, but for the parts while shares are done.
template <class Call, class Part>
struct Exchange
{
    struct Member
    {
        std::optional<Call> call; ///< none until it has called
        int number = 0;           ///< of the call among the rank's, from 1
        std::chrono::steady_clock::time_point begin;
        bool claimed = false; ///< somebody does its share
    };

    explicit Exchange(const Line &ranks)
        : line(ranks)
        , members(ranks.size())
        , parts(ranks.size())
        , missing(ranks.size())
        , shares(ranks.size())
    {
    }

    const Line line;
    std::vector<Member> members; ///< by place in the line, as the parts
    std::vector<Part> parts;
    std::size_t missing; ///< members that have not called
    std::size_t shares;  ///< that are not done
    int working = 0;     ///< threads that are at it
    bool finished = false;
    RankId last; ///< who called last
    std::condition_variable changed;
};

/// The exchanges of a line for which some rank has called, and not all.
template <class Call, class Part>
class Upcoming
{
public:
    explicit Upcoming(const Line &line)
        : m_line(line)
        , m_ahead(line.size())
    {
    }

    /// The one that the next call of the rank at `place` belongs to.
    std::shared_ptr<Exchange<Call, Part>> next(std::size_t place)
    {
        const std::size_t index = m_ahead[place]++;
        if (index == m_exchanges.size())
            m_exchanges.push_back(std::make_shared<Exchange<Call, Part>>(m_line));
        return m_exchanges[index];
    }

    /// All have called for the first one.
    void dropFirst()
    {
        m_exchanges.pop_front();
        for (std::size_t &count : m_ahead)
            --count;
    }

private:
    const Line m_line;
    std::deque<std::shared_ptr<Exchange<Call, Part>>> m_exchanges;
    std::vector<std::size_t> m_ahead; ///< by place: in how many of them the rank has called
};

/// The error of an exchange whose members called different things; all have called.
template <class Call, class Part>
std::optional<Error> differences(const Exchange<Call, Part> &exchange,
                                 const std::function<std::string(const Call &)> &text)
{
    const auto &members = exchange.members;
    std::vector<std::size_t> groups;
    for (const auto &member : members) {
        const auto first = std::find_if(members.begin(), members.end(),
                                        [&member](const auto &other) { return *other.call == *member.call; });
        groups.push_back(static_cast<std::size_t>(first - members.begin()));
    }
    if (std::all_of(groups.begin(), groups.end(), [](std::size_t group) { return group == 0; }))
        return std::nullopt;
    std::vector<Called> called;
    for (std::size_t i = 0; i < groups.size(); ++i)
        called.push_back({exchange.line[i], members[i].number, text(*members[i].call), groups[i]});
    return disagreement(called);
}

/// How a rank of the exchange waits for those that have not called.
template <class Call, class Part>
Stuck stuckIn(const Exchange<Call, Part> &exchange, RankId rank, const std::function<std::string(const Call &)> &text)
{
    Stuck stuck{rank, 0, {}, exchange.line, {}};
    for (std::size_t i = 0; i < exchange.line.size(); ++i) {
        const auto &member = exchange.members[i];
        if (!member.call)
            stuck.missing.push_back(exchange.line[i]);
        if (exchange.line[i] == rank) {
            stuck.number = member.number;
            stuck.call = text(*member.call);
        }
    }
    return stuck;
}

} // namespace pipescope::comm
