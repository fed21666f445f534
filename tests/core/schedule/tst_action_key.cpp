#include "schedule/action_key.h"
#include "support/schedule_text.h"
#include "support/test_program.h"

#include <QTest>
#include <unordered_set>

using namespace pipescope;
using namespace pipescope::schedule;
using tests::shown;

class TestActionKey : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aKeyIsTheActionsKindStageAndMicrobatch()
    {
        QVERIFY(keyOf(**parseAction("2F0")) == (ActionKey{ActionKind::Forward, StageId{2}, MicrobatchId{0}}));
        QVERIFY(keyOf(**parseAction("1REDUCE_GRAD")) == (ActionKey{ActionKind::ReduceGrad, StageId{1}, {}}));
    }

    void aKeyReadsAsItsAction_data()
    {
        QTest::addColumn<QString>("text");
        for (const char *text : {"2F0", "12B34", "0I2", "0W2", "3SEND_F1", "1UNSHARD", "1WAIT_REDUCE_GRAD"})
            QTest::newRow(text) << text;
    }
    void aKeyReadsAsItsAction()
    {
        QFETCH(QString, text);
        QCOMPARE(shown(toText(keyOf(**parseAction(text.toStdString())))), text);
    }

    void keysThatDifferInOnePartAreNotEqual()
    {
        const ActionKey key = keyOf(**parseAction("2F3"));
        for (const char *other : {"2B3", "1F3", "2F2", "3F2"})
            QVERIFY2(key != keyOf(**parseAction(other)), other);
    }

    void aTableKeepsEachKeyOnce()
    {
        std::unordered_set<ActionKey> keys;
        std::unordered_set<std::size_t> hashes;
        for (int round = 0; round < 2; ++round)
            for (const ActionKind kind : {ActionKind::Forward, ActionKind::FullBackward, ActionKind::BackwardInput})
                for (int stage = 0; stage < 64; ++stage)
                    for (int microbatch = 0; microbatch < 64; ++microbatch) {
                        const ActionKey key{kind, StageId{stage}, MicrobatchId{microbatch}};
                        keys.insert(key);
                        hashes.insert(std::hash<ActionKey>{}(key));
                    }
        QCOMPARE(keys.size(), std::size_t{3 * 64 * 64});
        QCOMPARE(hashes.size(), keys.size());
    }
};

PIPESCOPE_TEST(TestActionKey)
#include "tst_action_key.moc"
