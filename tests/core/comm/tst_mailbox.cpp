#include "comm/mailbox.h"

#include "support/test_program.h"

#include <QTest>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <numeric>
#include <random>
#include <thread>

using namespace pipescope;
using namespace pipescope::comm;
using namespace std::chrono_literals;

namespace {

using Boxed = std::unique_ptr<int>; // cannot be copied, so nothing on its way is

using Waits = WaitRegistry<Address>;
using Waiters = std::vector<Waiting<Address>>;

Address address(int value, int microbatch, int from, int to)
{
    return {ValueId{value}, MicrobatchId{microbatch}, StageId{from}, StageId{to}};
}

Address gradient(int value, int microbatch, int from, int to)
{
    return {ValueId{value}, MicrobatchId{microbatch}, StageId{from}, StageId{to}, Direction::Backward};
}

const RankId first{0};
const RankId second{1};

// Something a reader does: it posts to another, or takes what was posted to it.
struct Deed
{
    bool posts = false;
    Address address;
    RankId reader;
};

using Programs = std::vector<std::vector<Deed>>; // by reader

// Values between random readers, posted and taken in random order; some are never posted, some never taken.
Programs randomPrograms(unsigned seed)
{
    std::mt19937 random(seed);
    const auto pick = [&random](int from, int to) { return std::uniform_int_distribution(from, to)(random); };
    const int readers = pick(2, 6);
    Programs programs(static_cast<std::size_t>(readers));
    const int values = pick(1, 4 * readers);
    for (int value = 0; value < values; ++value) {
        const int from = pick(0, readers - 1);
        const int to = pick(0, readers - 1);
        const Address address =
            pick(0, 1) == 0 ? comm::Address{ValueId{value}, {}, StageId{from}, StageId{to}} : gradient(7, 0, value, to);
        if (pick(1, 20) > 1)
            programs[static_cast<std::size_t>(from)].push_back({true, address, RankId{to}});
        if (pick(1, 20) > 1)
            programs[static_cast<std::size_t>(to)].push_back({false, address, RankId{to}});
    }
    for (std::vector<Deed> &program : programs) {
        std::shuffle(program.begin(), program.end(), random);
        if (pick(0, 2) > 0) // posts first, or most would stall
            std::stable_partition(program.begin(), program.end(), [](const Deed &deed) { return deed.posts; });
    }
    return programs;
}

// Who waits for what in the end, whatever the order in which the readers come to run.
Waiters walked(const Programs &programs)
{
    std::vector<std::size_t> at(programs.size());
    std::vector<Address> posted;
    const auto canGoOn = [&](const Deed &deed) {
        return deed.posts || std::find(posted.begin(), posted.end(), deed.address) != posted.end();
    };
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t reader = 0; reader < programs.size(); ++reader)
            for (; at[reader] < programs[reader].size() && canGoOn(programs[reader][at[reader]]); ++at[reader]) {
                moved = true;
                if (programs[reader][at[reader]].posts)
                    posted.push_back(programs[reader][at[reader]].address);
            }
    }
    Waiters waiters;
    for (std::size_t reader = 0; reader < programs.size(); ++reader)
        if (at[reader] < programs[reader].size())
            waiters.push_back({RankId{static_cast<int>(reader)}, programs[reader][at[reader]].address});
    return waiters;
}

// A mailbox that a stall closes.
struct Watched
{
    explicit Watched(int readers, std::chrono::nanoseconds spin = {})
        : waits(readers,
                [this](const Waiters &waiting) {
                    stalled = waiting;
                    ++times;
                    mailbox.close();
                })
        , mailbox(waits, spin)
    {
    }

    Waiters stalled;
    int times = 0;
    Waits waits;
    Mailbox<Boxed> mailbox;
};

// Each program on a thread of its own; "" where what is told in the end is `expected`, at once and once.
std::string faultOf(const Programs &programs, const Waiters &expected, std::chrono::nanoseconds spin)
{
    Watched watched(static_cast<int>(programs.size()), spin);
    std::vector<std::future<void>> ends;
    for (std::size_t i = 0; i < programs.size(); ++i) {
        ends.push_back(std::async(std::launch::async, [&watched, &program = programs[i], i] {
            const RankId self{static_cast<int>(i)};
            for (const Deed &deed : program) {
                if (deed.posts)
                    watched.mailbox.post(deed.address, deed.reader, std::make_unique<int>(1));
                else if (!watched.mailbox.take(deed.address, self))
                    break;
            }
            watched.waits.leave(self);
        }));
    }
    bool hung = false;
    for (const std::future<void> &end : ends)
        hung = hung || end.wait_for(30s) != std::future_status::ready;
    if (hung)
        watched.mailbox.close();
    for (const std::future<void> &end : ends)
        end.wait();
    if (hung)
        return "the stall was missed";
    if (watched.times != (expected.empty() ? 0 : 1))
        return "stalls told: " + std::to_string(watched.times);
    return watched.stalled == expected ? "" : "another stall was told";
}

} // namespace

class TestMailbox : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aValuePostedBeforeIsTaken()
    {
        Waits waits(1);
        Mailbox<Boxed> mailbox(waits);
        mailbox.post(address(7, 0, 0, 1), first, std::make_unique<int>(42));
        QCOMPARE(mailbox.size(), std::size_t(1));
        QCOMPARE(**mailbox.take(address(7, 0, 0, 1), first), 42);
        QCOMPARE(mailbox.size(), std::size_t(0));
    }

    void aValueIsTakenOnce()
    {
        Waits waits(1);
        Mailbox<Boxed> mailbox(waits);
        mailbox.post(address(7, 0, 0, 1), first, std::make_unique<int>(42));
        QVERIFY(mailbox.tryTake(address(7, 0, 0, 1), first).has_value());
        QVERIFY(!mailbox.tryTake(address(7, 0, 0, 1), first).has_value());
    }

    void everyPartOfTheAddressMatters()
    {
        Waits waits(2);
        Mailbox<Boxed> mailbox(waits);
        mailbox.post(address(7, 3, 0, 1), first, std::make_unique<int>(42));
        QVERIFY(!mailbox.tryTake(address(8, 3, 0, 1), first).has_value());
        QVERIFY(!mailbox.tryTake(address(7, 2, 0, 1), first).has_value());
        QVERIFY(!mailbox.tryTake(address(7, 3, 2, 1), first).has_value());
        QVERIFY(!mailbox.tryTake(address(7, 3, 0, 2), first).has_value());
        QVERIFY(!mailbox.tryTake(gradient(7, 3, 0, 1), first).has_value());
        QVERIFY(!mailbox.tryTake(address(7, 3, 0, 1), second).has_value());
        QVERIFY(mailbox.tryTake(address(7, 3, 0, 1), first).has_value());
    }

    void twoGradientsOfOneValueReachTheStageThatMadeIt()
    {
        Waits waits(1);
        Mailbox<Boxed> mailbox(waits);
        mailbox.post(gradient(7, 0, 3, 1), first, std::make_unique<int>(30)); // stages 2 and 3 took value 7
        mailbox.post(gradient(7, 0, 2, 1), first, std::make_unique<int>(20));
        QCOMPARE(**mailbox.take(gradient(7, 0, 2, 1), first), 20);
        QCOMPARE(**mailbox.take(gradient(7, 0, 3, 1), first), 30);
    }

    void postingToOneReaderDoesNotWaitForAnother()
    {
        Waits waits(2);
        Mailbox<Boxed> mailbox(waits);
        std::optional<Boxed> taken;
        mailbox.post(address(1, 0, 0, 0), first, std::make_unique<int>(1), [&] { // the first reader's lock is held
            std::thread reader([&] { taken = mailbox.take(address(2, 0, 0, 1), second); });
            mailbox.post(address(2, 0, 0, 1), second, std::make_unique<int>(2));
            reader.join();
        });
        QCOMPARE(**taken, 2);
        QCOMPARE(**mailbox.take(address(1, 0, 0, 0), first), 1);
    }

    void aValuePostedAfterWakesTheReader_data()
    {
        QTest::addColumn<int>("spinMicroseconds");
        QTest::newRow("asleep") << 0;
        QTest::newRow("looking") << 1'000'000;
    }

    void aValuePostedAfterWakesTheReader()
    {
        QFETCH(int, spinMicroseconds);
        Waits waits(1);
        Mailbox<Boxed> mailbox(waits, std::chrono::microseconds(spinMicroseconds));
        std::optional<Boxed> taken;
        std::thread reader([&] { taken = mailbox.take(address(1, 2, 0, 3), first); });
        while (waits.waiting().empty())
            std::this_thread::yield();
        mailbox.post(address(9, 2, 0, 3), first, std::make_unique<int>(1)); // not what it wants
        QCOMPARE(waits.waiting(), (Waiters{{first, address(1, 2, 0, 3)}}));
        mailbox.post(address(1, 2, 0, 3), first, std::make_unique<int>(5));
        reader.join();
        QCOMPARE(**taken, 5);
        QVERIFY(waits.waiting().empty());
    }

    void whatIsToBeDoneBeforeTheReaderGoesOnIsDoneBefore_data() { aValuePostedAfterWakesTheReader_data(); }

    void whatIsToBeDoneBeforeTheReaderGoesOnIsDoneBefore()
    {
        QFETCH(int, spinMicroseconds);
        Waits waits(1);
        Mailbox<Boxed> mailbox(waits, std::chrono::microseconds(spinMicroseconds));
        std::atomic<int> done = 0;
        int seen = -1;
        std::thread reader([&] {
            mailbox.take(address(1, 2, 0, 3), first);
            seen = done;
        });
        while (waits.waiting().empty())
            std::this_thread::yield();
        Waiters before;
        mailbox.post(address(1, 2, 0, 3), first, std::make_unique<int>(5), [&] {
            before = waits.waiting();
            ++done;
        });
        reader.join();
        QCOMPARE(before, (Waiters{{first, address(1, 2, 0, 3)}})); // a reader that goes on waits no more
        QCOMPARE(seen, 1);
        mailbox.close();
        mailbox.post(address(4, 2, 0, 3), first, std::make_unique<int>(5), [&done] { ++done; });
        QCOMPARE(done.load(), 1);
    }

    void waitingNamesEveryReaderAndItsAddress()
    {
        Waits waits(2);
        Mailbox<Boxed> mailbox(waits);
        std::thread a([&] { mailbox.take(address(1, 0, 0, 0), first); });
        std::thread b([&] { mailbox.take(address(2, 5, 0, 1), second); });
        while (waits.waiting().size() < 2)
            std::this_thread::yield();
        const auto waiting = waits.waiting();
        mailbox.close();
        a.join();
        b.join();
        QCOMPARE(waiting, (Waiters{{first, address(1, 0, 0, 0)}, {second, address(2, 5, 0, 1)}}));
    }

    void closingWakesEveryReader_data() { aValuePostedAfterWakesTheReader_data(); }

    void closingWakesEveryReader()
    {
        QFETCH(int, spinMicroseconds);
        Waits waits(2);
        Mailbox<Boxed> mailbox(waits, std::chrono::microseconds(spinMicroseconds));
        std::optional<Boxed> a = Boxed{};
        std::optional<Boxed> b = Boxed{};
        std::thread one([&] { a = mailbox.take(address(1, 0, 0, 0), first); });
        std::thread two([&] { b = mailbox.take(address(2, 0, 0, 0), second); });
        while (waits.waiting().size() < 2)
            std::this_thread::yield();
        mailbox.close();
        one.join();
        two.join();
        QVERIFY(!a && !b);
    }

    void aClosedMailboxGivesAndKeepsNothing()
    {
        Waits waits(1);
        Mailbox<std::shared_ptr<int>> mailbox(waits);
        const auto before = std::make_shared<int>(1);
        const auto after = std::make_shared<int>(2);
        mailbox.post(address(1, 0, 0, 0), first, before);
        mailbox.close();
        mailbox.post(address(2, 0, 0, 0), first, after);
        QVERIFY(!mailbox.take(address(1, 0, 0, 0), first));
        QVERIFY(!mailbox.take(address(2, 0, 0, 0), first));
        QCOMPARE(before.use_count(), 1L);
        QCOMPARE(after.use_count(), 1L);
    }

    void readersThatWaitForEachOtherAreReportedAtOnce()
    {
        Watched watched(2);
        std::thread a([&] { watched.mailbox.take(address(1, 0, 1, 0), first); });
        std::thread b([&] { watched.mailbox.take(address(2, 0, 0, 1), second); });
        a.join();
        b.join();
        QCOMPARE(watched.stalled, (Waiters{{first, address(1, 0, 1, 0)}, {second, address(2, 0, 0, 1)}}));
        QCOMPARE(watched.times, 1);
    }

    void aReaderLeftAloneIsReported()
    {
        Watched watched(2);
        std::thread a([&] { watched.mailbox.take(address(1, 0, 1, 0), first); });
        while (watched.waits.waiting().empty())
            std::this_thread::yield();
        watched.waits.leave(second);
        a.join();
        QCOMPARE(watched.stalled, (Waiters{{first, address(1, 0, 1, 0)}}));
    }

    void aClosedMailboxReportsNoStall()
    {
        Watched watched(2);
        std::thread a([&] { watched.mailbox.take(address(1, 0, 1, 0), first); });
        while (watched.waits.waiting().empty())
            std::this_thread::yield();
        watched.mailbox.close();
        a.join();
        watched.waits.leave(first);
        watched.waits.leave(second);
        QCOMPARE(watched.times, 0);
    }

    // No false stall and no missed one: readers that post and take in random order, some of what they want never sent.
    // Walking the programs on one thread tells who is stuck with what in the end; the threads must be told the same.
    void aStallIsReportedJustWhereThereIsOne_data() { aValuePostedAfterWakesTheReader_data(); }

    void aStallIsReportedJustWhereThereIsOne()
    {
        QFETCH(int, spinMicroseconds);
        int stalls = 0;
        constexpr unsigned seeds = 400;
        for (unsigned seed = 1; seed <= seeds; ++seed) {
            const Programs programs = randomPrograms(seed);
            const Waiters expected = walked(programs);
            stalls += expected.empty() ? 0 : 1;
            const std::string fault = faultOf(programs, expected, std::chrono::microseconds(spinMicroseconds));
            QVERIFY2(fault.empty(), qPrintable(QString("seed %1: %2").arg(seed).arg(QString::fromStdString(fault))));
        }
        QVERIFY2(stalls > 100 && stalls < 300, qPrintable(QString::number(stalls))); // both are tried
    }

    // Every reader posts one value for every other reader and microbatch in an order of its own, and takes its own in
    // another: whatever the order, each gets exactly what was meant for it, and no stall is reported.
    void anyOrderOfPostingAndTakingDelivers_data() { aValuePostedAfterWakesTheReader_data(); }

    void anyOrderOfPostingAndTakingDelivers()
    {
        QFETCH(int, spinMicroseconds);
        for (unsigned seed = 1; seed <= 60; ++seed) {
            std::mt19937 random(seed);
            const int readers = std::uniform_int_distribution(2, 6)(random);
            const int microbatches = std::uniform_int_distribution(1, 12)(random);
            const std::string fault =
                exchange(readers, microbatches, seed, std::chrono::microseconds(spinMicroseconds));
            QVERIFY2(fault.empty(), qPrintable(QString("seed %1: %2").arg(seed).arg(QString::fromStdString(fault))));
        }
    }

private:
    static int contents(int from, int microbatch, int to) { return from * 10000 + microbatch * 100 + to; }

    static std::string exchange(int readers, int microbatches, unsigned seed, std::chrono::microseconds spin)
    {
        std::atomic<bool> stalled = false;
        std::atomic<int> wrong = 0;
        Waits waits(readers, [&](const Waiters &) { stalled = true; });
        Mailbox<Boxed> mailbox(waits, spin);
        std::vector<std::thread> threads;
        for (int self = 0; self < readers; ++self) {
            threads.emplace_back([&, self] {
                std::mt19937 random(seed * 1000 + static_cast<unsigned>(self));
                std::vector<int> jobs(static_cast<std::size_t>(readers * microbatches));
                std::iota(jobs.begin(), jobs.end(), 0);
                std::shuffle(jobs.begin(), jobs.end(), random);
                for (const int job : jobs) {
                    const int to = job / microbatches;
                    const int microbatch = job % microbatches;
                    mailbox.post(address(self, microbatch, self, to), RankId{to},
                                 std::make_unique<int>(contents(self, microbatch, to)));
                }
                std::shuffle(jobs.begin(), jobs.end(), random);
                for (const int job : jobs) {
                    const int from = job / microbatches;
                    const int microbatch = job % microbatches;
                    const auto got = mailbox.take(address(from, microbatch, from, self), RankId{self});
                    if (!got || **got != contents(from, microbatch, self))
                        ++wrong;
                }
                waits.leave(RankId{self});
            });
        }
        for (std::thread &thread : threads)
            thread.join();
        if (stalled)
            return "reported as stalled";
        if (mailbox.size() != 0)
            return "values left over";
        return wrong == 0 ? "" : std::to_string(wrong) + " wrong values";
    }
};

PIPESCOPE_TEST(TestMailbox)
#include "tst_mailbox.moc"
