#include "inspector/explained_run.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/trace_builder.h"

#include <QSignalSpy>
#include <QTest>
#include <new>

using namespace pipescope;
using inspector::ExplainedRun;

namespace {

std::shared_ptr<const report::TracedRun> runOf(int microbatches)
{
    report::TracedRun run;
    run.trace = tests::evenForward(2, microbatches, 1000);
    return std::make_shared<const report::TracedRun>(std::move(run));
}

std::shared_ptr<const report::TracedRun> longRun()
{
    return runOf(static_cast<int>(ExplainedRun::MostAtOnce));
}

std::shared_ptr<const trace::Explanation> explainWithoutMemory(std::shared_ptr<const report::TracedRun>)
{
    throw std::bad_alloc();
}

} // namespace

class TestExplainedRun : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aShortTraceIsExplainedAtOnceAndOnlyOnce()
    {
        ExplainedRun explained;
        QVERIFY(explained.explanation() == nullptr);
        explained.setRun(runOf(3));
        const trace::Explanation *first = explained.explanation();
        QVERIFY(first != nullptr);
        QCOMPARE(first->lanes()[1].slices.size(), std::size_t{3});
        QVERIFY(explained.explanation() == first);
        explained.setRun(nullptr);
        QVERIFY(explained.explanation() == nullptr);
    }

    void aLongTraceIsExplainedBesideTheWindow()
    {
        ExplainedRun explained;
        QSignalSpy told(&explained, &ExplainedRun::explained);
        explained.setRun(longRun());
        QVERIFY(explained.explanation() == nullptr);
        QVERIFY(explained.explanation() == nullptr); // it is asked for once
        QTRY_COMPARE_WITH_TIMEOUT(told.size(), 1, 60000);
        QCOMPARE(explained.explanation()->lanes()[1].slices.size(), ExplainedRun::MostAtOnce);
    }

    void aRunThatIsNotAskedOfAnyMoreIsNotToldOf()
    {
        ExplainedRun explained;
        QSignalSpy told(&explained, &ExplainedRun::explained);
        auto run = longRun();
        const std::weak_ptr<const report::TracedRun> held = run;
        explained.setRun(std::exchange(run, nullptr));
        QVERIFY(explained.explanation() == nullptr);
        explained.setRun(runOf(3));
        QTRY_VERIFY(held.expired());
        QCOMPARE(told.size(), 0);
        QCOMPARE(explained.explanation()->lanes()[1].slices.size(), std::size_t{3});
    }

    void anExplanationThatIsLentIsTaken()
    {
        const auto run = longRun();
        const auto lent = std::make_shared<const trace::Explanation>(run->trace);
        ExplainedRun explained;
        QSignalSpy told(&explained, &ExplainedRun::explained);
        explained.setLend(
            [&](const trace::Trace &trace) { return ExplainedRun::Lent{&trace == &run->trace ? lent : nullptr}; });
        explained.setRun(run);
        QVERIFY(explained.explanation() == lent.get());
        QCOMPARE(told.size(), 0);
    }

    void anExplanationThatAViewIsMakingIsWaitedFor()
    {
        const auto run = longRun();
        ExplainedRun::Lent lent{nullptr, true};
        ExplainedRun explained(&explainWithoutMemory); // which would be a failure
        QSignalSpy told(&explained, &ExplainedRun::explained);
        explained.setLend([&](const trace::Trace &) { return lent; });
        explained.setRun(run);
        QVERIFY(explained.explanation() == nullptr);
        QTest::qWait(50);
        QCOMPARE(told.size(), 0);
        lent = {std::make_shared<const trace::Explanation>(run->trace), false};
        QVERIFY(explained.explanation() == lent.explanation.get());
        // A view that gave it up leaves it to be made here.
        explained.setRun(longRun());
        lent = {};
        QVERIFY(explained.explanation() == nullptr);
        QTRY_COMPARE(told.size(), 1);
    }

    void aRunThatDoesNotFitTheMemoryIsAFailureInWords()
    {
        ExplainedRun explained(&explainWithoutMemory);
        QSignalSpy told(&explained, &ExplainedRun::explained);
        explained.setRun(longRun());
        QVERIFY(explained.explanation() == nullptr);
        QVERIFY(!explained.failure());
        QTRY_COMPARE(told.size(), 1);
        QVERIFY(explained.failure().has_value());
        QCOMPARE(explained.failure()->message, std::string("there is not enough memory"));
        QVERIFY(explained.explanation() == nullptr);
        QTest::qWait(50);
        QCOMPARE(told.size(), 1); // it is not tried again
        explained.setRun(nullptr);
        QVERIFY(!explained.failure());
    }
};

PIPESCOPE_TEST(TestExplainedRun)
#include "tst_explained_run.moc"
