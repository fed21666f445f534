#include "comm/mailbox.h"

#include "support/test_program.h"

#include <QTest>
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <future>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <variant>

using namespace pipescope;
using namespace pipescope::comm;
using namespace std::chrono_literals;

namespace {

using Named = std::vector<Waiting<std::string>>;

const RankId rank0{0};
const RankId rank1{1};
const RankId rank2{2};

// As a collective is: some ranks meet, and nobody goes on before all of them are there.
class Meeting
{
public:
    Meeting(WaitRegistry<int> &waits, int number, int members)
        : m_waits(waits)
        , m_number(number)
        , m_missing(members)
    {
    }

    // Whether all came; false where the meeting was called off.
    bool join(RankId rank)
    {
        std::unique_lock lock(m_mutex);
        if (m_over)
            return false;
        if (--m_missing > 0) {
            m_there.push_back(rank);
            m_waits.begin(rank, m_number, std::move(lock));
            lock = std::unique_lock(m_mutex);
            m_changed.wait(lock, [this] { return m_there.empty(); });
            return !m_over;
        }
        letGo();
        return true;
    }

    void callOff()
    {
        const std::lock_guard lock(m_mutex);
        m_over = true;
        letGo();
    }

private:
    void letGo()
    {
        for (const RankId rank : m_there)
            m_waits.end(rank);
        m_there.clear();
        m_changed.notify_all();
    }

    WaitRegistry<int> &m_waits;
    const int m_number;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<RankId> m_there;
    int m_missing;
    bool m_over = false;
};

// By rank the meetings it goes to, in order: each as good as random, so that some get stuck.
std::vector<std::vector<int>> randomMeetings(unsigned seed)
{
    std::mt19937 random(seed);
    const auto pick = [&random](int from, int to) { return std::uniform_int_distribution(from, to)(random); };
    std::vector<std::vector<int>> ranks(static_cast<std::size_t>(pick(2, 6)));
    const int meetings = pick(1, 8);
    for (int meeting = 0; meeting < meetings; ++meeting)
        for (std::vector<int> &rank : ranks)
            if (pick(0, 1) == 0)
                rank.push_back(meeting);
    if (std::vector<int> &one = ranks.front(); pick(0, 1) == 0 && one.size() > 1)
        std::swap(one.front(), one.back());
    return ranks;
}

std::vector<int> membersOf(const std::vector<std::vector<int>> &ranks)
{
    std::vector<int> members(8);
    for (const std::vector<int> &rank : ranks)
        for (const int meeting : rank)
            ++members[static_cast<std::size_t>(meeting)];
    return members;
}

// Who waits in which meeting in the end.
std::vector<Waiting<int>> stuckRanks(const std::vector<std::vector<int>> &ranks)
{
    const std::vector<int> members = membersOf(ranks);
    std::vector<std::size_t> at(ranks.size());
    const auto isAt = [&](std::size_t rank, int meeting) {
        return at[rank] < ranks[rank].size() && ranks[rank][at[rank]] == meeting;
    };
    for (bool moved = true; moved;) {
        moved = false;
        for (int meeting = 0; meeting < 8; ++meeting) {
            int there = 0;
            for (std::size_t rank = 0; rank < ranks.size(); ++rank)
                there += isAt(rank, meeting) ? 1 : 0;
            if (there == 0 || there < members[static_cast<std::size_t>(meeting)])
                continue;
            for (std::size_t rank = 0; rank < ranks.size(); ++rank)
                at[rank] += isAt(rank, meeting) ? 1 : 0;
            moved = true;
        }
    }
    std::vector<Waiting<int>> waiting;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        if (at[rank] < ranks[rank].size())
            waiting.push_back({RankId{static_cast<int>(rank)}, ranks[rank][at[rank]]});
    return waiting;
}

// Each rank on a thread of its own; "" where what is told in the end is `expected`, at once and once.
std::string meetingFault(const std::vector<std::vector<int>> &ranks, const std::vector<Waiting<int>> &expected)
{
    std::vector<std::unique_ptr<Meeting>> meetings;
    std::vector<Waiting<int>> stalled;
    int times = 0;
    const auto callAllOff = [&meetings] {
        for (const auto &meeting : meetings)
            meeting->callOff();
    };
    WaitRegistry<int> waits(static_cast<int>(ranks.size()), [&](const std::vector<Waiting<int>> &waiting) {
        stalled = waiting;
        ++times;
        callAllOff();
    });
    for (const int members : membersOf(ranks))
        meetings.push_back(std::make_unique<Meeting>(waits, static_cast<int>(meetings.size()), members));
    std::vector<std::future<void>> ends;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        ends.push_back(std::async(std::launch::async, [&, rank] {
            const RankId self{static_cast<int>(rank)};
            for (const int meeting : ranks[rank])
                if (!meetings[static_cast<std::size_t>(meeting)]->join(self))
                    break;
            waits.leave(self);
        }));
    }
    bool hung = false;
    for (const std::future<void> &end : ends)
        hung = hung || end.wait_for(30s) != std::future_status::ready;
    if (hung)
        callAllOff();
    for (const std::future<void> &end : ends)
        end.wait();
    if (hung)
        return "the stall was missed";
    if (times != (expected.empty() ? 0 : 1))
        return "stalls told: " + std::to_string(times);
    return stalled == expected ? "" : "another stall was told";
}

} // namespace

class TestWaitRegistry : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRankIsListedWithWhatItWaitsForUntilItIsThere()
    {
        WaitRegistry<std::string> waits(3);
        std::mutex mutex;
        QCOMPARE(waits.waiting(), Named{});
        waits.begin(rank2, "h from stage 1", std::unique_lock(mutex));
        waits.begin(rank0, "the others", std::unique_lock(mutex));
        QCOMPARE(waits.waiting(), (Named{{rank0, "the others"}, {rank2, "h from stage 1"}}));
        waits.end(rank2);
        QCOMPARE(waits.waiting(), (Named{{rank0, "the others"}}));
        waits.end(rank0);
        QCOMPARE(waits.waiting(), Named{});
    }

    void theLastOneToWaitIsToldWithoutItsLock()
    {
        Named told;
        std::mutex mutex;
        WaitRegistry<std::string> waits(2, [&](const Named &waiting) {
            const std::lock_guard lock(mutex);
            told = waiting;
        });
        waits.begin(rank0, "a", std::unique_lock(mutex));
        QCOMPARE(told, Named{});
        waits.begin(rank1, "b", std::unique_lock(mutex));
        QCOMPARE(told, (Named{{rank0, "a"}, {rank1, "b"}}));
    }

    void whoLeavesTellsOfThoseThatWait()
    {
        Named told;
        std::mutex mutex;
        WaitRegistry<std::string> waits(3, [&](const Named &waiting) { told = waiting; });
        waits.leave(rank0);
        waits.begin(rank1, "b", std::unique_lock(mutex));
        QCOMPARE(told, Named{});
        waits.leave(rank2);
        QCOMPARE(told, (Named{{rank1, "b"}}));
    }

    void ranksThatAllLeaveAreNoStall()
    {
        int times = 0;
        WaitRegistry<std::string> waits(2, [&](const Named &) { ++times; });
        waits.leave(rank0);
        waits.leave(rank1);
        QCOMPARE(times, 0);
    }

    void aRankWhoseThingWasBroughtDoesNotWaitThoughItSleeps()
    {
        int times = 0;
        std::mutex mutex;
        WaitRegistry<std::string> waits(2, [&](const Named &) { ++times; });
        waits.begin(rank0, "a", std::unique_lock(mutex));
        waits.end(rank0); // by rank 1, before rank 0 has seen it
        waits.begin(rank1, "b", std::unique_lock(mutex));
        QCOMPARE(times, 0);
        QCOMPARE(waits.waiting(), (Named{{rank1, "b"}}));
    }

    void afterClosingNoStallIsTold()
    {
        int times = 0;
        std::mutex mutex;
        WaitRegistry<std::string> waits(2, [&](const Named &) { ++times; });
        waits.begin(rank0, "a", std::unique_lock(mutex));
        waits.close();
        waits.begin(rank1, "b", std::unique_lock(mutex));
        QCOMPARE(times, 0);
    }

    void aMailboxAndWhatElseMakesRanksWaitShareOne()
    {
        struct Sum
        {
            int dimension = 0;
            bool operator==(const Sum &) const = default;
        };
        using Awaited = std::variant<Address, Sum>;
        using Stuck = std::vector<Waiting<Awaited>>;
        const Address address{ValueId{4}, MicrobatchId{2}, StageId{1}, StageId{0}};
        Stuck told;
        Mailbox<int, Awaited> *box = nullptr;
        WaitRegistry<Awaited> waits(2, [&](const Stuck &waiting) {
            told = waiting;
            box->close();
        });
        Mailbox<int, Awaited> mailbox(waits);
        box = &mailbox;
        std::mutex mutex;
        waits.begin(rank1, Sum{3}, std::unique_lock(mutex));
        QVERIFY(!mailbox.take(address, rank0));
        QCOMPARE(told, (Stuck{{rank0, address}, {rank1, Sum{3}}}));
    }

    void oneOfSeveralStoppingRanksTells()
    {
        constexpr int ranks = 4;
        for (int round = 0; round < 1000; ++round) {
            std::vector<Named> told(ranks);
            std::atomic<int> times = 0;
            std::atomic<int> arrived = 0;
            WaitRegistry<std::string> waits(
                ranks, [&](const Named &waiting) { told[static_cast<std::size_t>(times++)] = waiting; });
            std::vector<std::thread> threads;
            for (int rank = 0; rank < ranks; ++rank)
                threads.emplace_back([&waits, &arrived, rank] {
                    std::mutex mutex;
                    for (++arrived; arrived < ranks;)
                        std::this_thread::yield();
                    if (rank % 2 == 0)
                        waits.begin(RankId{rank}, "a", std::unique_lock(mutex));
                    else
                        waits.leave(RankId{rank});
                });
            for (std::thread &thread : threads)
                thread.join();
            QCOMPARE(times.load(), 1);
            QCOMPARE(told.front(), (Named{{rank0, "a"}, {rank2, "a"}}));
        }
    }

    // No false stall and no missed one: ranks that meet in random groups. Walking from meeting to meeting on one thread
    // tells who is stuck in which; the threads must be told the same.
    void aStallIsToldJustWhereThereIsOne()
    {
        int stalls = 0;
        for (unsigned seed = 1; seed <= 400; ++seed) {
            const auto ranks = randomMeetings(seed);
            const auto expected = stuckRanks(ranks);
            stalls += expected.empty() ? 0 : 1;
            const std::string fault = meetingFault(ranks, expected);
            QVERIFY2(fault.empty(), qPrintable(QString("seed %1: %2").arg(seed).arg(QString::fromStdString(fault))));
        }
        QVERIFY2(stalls > 50 && stalls < 350, qPrintable(QString::number(stalls))); // both are tried
    }
};

PIPESCOPE_TEST(TestWaitRegistry)
#include "tst_wait_registry.moc"
