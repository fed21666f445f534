#include "comm/mailbox.h"

#include "support/test_program.h"

#include <QTest>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <random>
#include <thread>

using namespace pipescope;
using namespace pipescope::comm;
using namespace std::chrono_literals;

namespace {

using Boxed = std::unique_ptr<int>; // cannot be copied, so nothing on its way is

Address address(int value, int microbatch, int consumer)
{
    return {ValueId{value}, MicrobatchId{microbatch}, StageId{consumer}};
}

const RankId first{0};
const RankId second{1};

} // namespace

class TestMailbox : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aValuePostedBeforeIsTaken()
    {
        Mailbox<Boxed> mailbox(1);
        mailbox.post(address(7, 0, 1), first, std::make_unique<int>(42));
        QCOMPARE(mailbox.size(), std::size_t(1));
        QCOMPARE(**mailbox.take(address(7, 0, 1), first), 42);
        QCOMPARE(mailbox.size(), std::size_t(0));
    }

    void aValueIsTakenOnce()
    {
        Mailbox<Boxed> mailbox(1);
        mailbox.post(address(7, 0, 1), first, std::make_unique<int>(42));
        QVERIFY(mailbox.tryTake(address(7, 0, 1)).has_value());
        QVERIFY(!mailbox.tryTake(address(7, 0, 1)).has_value());
    }

    void everyPartOfTheAddressMatters()
    {
        Mailbox<Boxed> mailbox(1);
        mailbox.post(address(7, 3, 1), first, std::make_unique<int>(42));
        QVERIFY(!mailbox.tryTake(address(8, 3, 1)).has_value());
        QVERIFY(!mailbox.tryTake(address(7, 2, 1)).has_value());
        QVERIFY(!mailbox.tryTake(address(7, 3, 2)).has_value());
        QVERIFY(mailbox.tryTake(address(7, 3, 1)).has_value());
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
        Mailbox<Boxed> mailbox(1, std::chrono::microseconds(spinMicroseconds));
        std::optional<Boxed> taken;
        std::thread reader([&] { taken = mailbox.take(address(1, 2, 3), first); });
        while (mailbox.waiting().empty())
            std::this_thread::yield();
        mailbox.post(address(9, 2, 3), first, std::make_unique<int>(1)); // not what it wants
        QCOMPARE(mailbox.waiting(), (std::vector<Waiting>{{first, address(1, 2, 3)}}));
        mailbox.post(address(1, 2, 3), first, std::make_unique<int>(5));
        reader.join();
        QCOMPARE(**taken, 5);
        QVERIFY(mailbox.waiting().empty());
    }

    void whatIsToBeDoneBeforeTheReaderGoesOnIsDoneBefore_data() { aValuePostedAfterWakesTheReader_data(); }

    void whatIsToBeDoneBeforeTheReaderGoesOnIsDoneBefore()
    {
        QFETCH(int, spinMicroseconds);
        Mailbox<Boxed> mailbox(1, std::chrono::microseconds(spinMicroseconds));
        std::atomic<int> done = 0;
        int seen = -1;
        std::thread reader([&] {
            mailbox.take(address(1, 2, 3), first);
            seen = done;
        });
        while (mailbox.waiting().empty())
            std::this_thread::yield();
        mailbox.post(address(1, 2, 3), first, std::make_unique<int>(5), [&done] {
            std::this_thread::sleep_for(std::chrono::milliseconds(5)); // long enough for one that does not wait for it
            ++done;
        });
        reader.join();
        QCOMPARE(seen, 1);
        mailbox.close();
        mailbox.post(address(4, 2, 3), first, std::make_unique<int>(5), [&done] { ++done; });
        QCOMPARE(done.load(), 1);
    }

    void waitingNamesEveryReaderAndItsAddress()
    {
        Mailbox<Boxed> mailbox(2);
        std::thread a([&] { mailbox.take(address(1, 0, 0), first); });
        std::thread b([&] { mailbox.take(address(2, 5, 1), second); });
        while (mailbox.waiting().size() < 2)
            std::this_thread::yield();
        const auto waiting = mailbox.waiting();
        mailbox.close();
        a.join();
        b.join();
        QCOMPARE(waiting, (std::vector<Waiting>{{first, address(1, 0, 0)}, {second, address(2, 5, 1)}}));
    }

    void closingWakesEveryReader_data() { aValuePostedAfterWakesTheReader_data(); }

    void closingWakesEveryReader()
    {
        QFETCH(int, spinMicroseconds);
        Mailbox<Boxed> mailbox(2, std::chrono::microseconds(spinMicroseconds));
        std::optional<Boxed> a = Boxed{};
        std::optional<Boxed> b = Boxed{};
        std::thread one([&] { a = mailbox.take(address(1, 0, 0), first); });
        std::thread two([&] { b = mailbox.take(address(2, 0, 0), second); });
        while (mailbox.waiting().size() < 2)
            std::this_thread::yield();
        mailbox.close();
        one.join();
        two.join();
        QVERIFY(!a && !b);
    }

    void aClosedMailboxGivesAndKeepsNothing()
    {
        Mailbox<std::shared_ptr<int>> mailbox(1);
        const auto before = std::make_shared<int>(1);
        const auto after = std::make_shared<int>(2);
        mailbox.post(address(1, 0, 0), first, before);
        mailbox.close();
        mailbox.post(address(2, 0, 0), first, after);
        QVERIFY(!mailbox.take(address(1, 0, 0), first));
        QVERIFY(!mailbox.take(address(2, 0, 0), first));
        QCOMPARE(before.use_count(), 1L);
        QCOMPARE(after.use_count(), 1L);
    }

    void readersThatWaitForEachOtherAreReportedAtOnce()
    {
        std::vector<Waiting> stalled;
        Mailbox<Boxed> *box = nullptr;
        Mailbox<Boxed> mailbox(2, 0us, [&](const std::vector<Waiting> &waiting) {
            stalled = waiting;
            box->close();
        });
        box = &mailbox;
        std::thread a([&] { mailbox.take(address(1, 0, 0), first); });
        std::thread b([&] { mailbox.take(address(2, 0, 1), second); });
        a.join();
        b.join();
        QCOMPARE(stalled, (std::vector<Waiting>{{first, address(1, 0, 0)}, {second, address(2, 0, 1)}}));
    }

    void aReaderLeftAloneIsReported()
    {
        std::vector<Waiting> stalled;
        Mailbox<Boxed> *box = nullptr;
        Mailbox<Boxed> mailbox(2, 0us, [&](const std::vector<Waiting> &waiting) {
            stalled = waiting;
            box->close();
        });
        box = &mailbox;
        std::thread a([&] { mailbox.take(address(1, 0, 0), first); });
        while (mailbox.waiting().empty())
            std::this_thread::yield();
        mailbox.leave(second);
        a.join();
        QCOMPARE(stalled, (std::vector<Waiting>{{first, address(1, 0, 0)}}));
    }

    void readersThatAllLeaveAreNoStall()
    {
        bool stalled = false;
        Mailbox<Boxed> mailbox(2, 0us, [&](const std::vector<Waiting> &) { stalled = true; });
        mailbox.leave(first);
        mailbox.leave(second);
        QVERIFY(!stalled);
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
        Mailbox<Boxed> mailbox(readers, spin, [&](const std::vector<Waiting> &) { stalled = true; });
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
                    mailbox.post(address(self, microbatch, to), RankId{to},
                                 std::make_unique<int>(contents(self, microbatch, to)));
                }
                std::shuffle(jobs.begin(), jobs.end(), random);
                for (const int job : jobs) {
                    const int from = job / microbatches;
                    const int microbatch = job % microbatches;
                    const auto got = mailbox.take(address(from, microbatch, self), RankId{self});
                    if (!got || **got != contents(from, microbatch, self))
                        ++wrong;
                }
                mailbox.leave(RankId{self});
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
