#include "schedule/validate/seen_actions.h"

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::schedule;

namespace {

Schedule withCells(int stages, int microbatches, std::size_t cells)
{
    return {"", stages, microbatches, {Row(cells)}};
}

} // namespace

class TestSeenActions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachKindOfEachStageAndMicrobatchIsSeenOnItsOwn_data()
    {
        QTest::addColumn<int>("microbatches");
        QTest::addColumn<int>("cells");
        QTest::newRow("as many actions as there can be") << 4 << 60;
        QTest::newRow("few of many") << (1 << 29) << 4; // counted as high as any: no room is made for all of them
    }

    void eachKindOfEachStageAndMicrobatchIsSeenOnItsOwn()
    {
        QFETCH(const int, microbatches);
        QFETCH(const int, cells);
        SeenActions seen(withCells(2, microbatches, static_cast<std::size_t>(cells)));
        const ActionKey forward{ActionKind::Forward, StageId{1}, MicrobatchId{microbatches - 1}};
        QVERIFY(!seen.contains(forward));
        QVERIFY(seen.insert(forward));
        QVERIFY(seen.contains(forward));
        QVERIFY(!seen.insert(forward));
        for (const ActionKey &other : {ActionKey{ActionKind::FullBackward, StageId{1}, MicrobatchId{microbatches - 1}},
                                       ActionKey{ActionKind::Forward, StageId{0}, MicrobatchId{microbatches - 1}},
                                       ActionKey{ActionKind::Forward, StageId{1}, MicrobatchId{0}},
                                       ActionKey{ActionKind::WaitSendB, StageId{1}, MicrobatchId{microbatches - 1}}}) {
            QVERIFY(!seen.contains(other));
            QVERIFY(seen.insert(other));
            QVERIFY(!seen.insert(other));
        }
    }
};

PIPESCOPE_TEST(TestSeenActions)
#include "tst_seen_actions.moc"
