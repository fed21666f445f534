#include "schedule/action.h"
#include "support/schedule_text.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::schedule;
using tests::shown;

class TestAction : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void acceptanceA35TextGoesThereAndBack_data()
    {
        QTest::addColumn<QString>("text");
        for (const char *text :
             {"1F0", "2I1", "0W3", "0B3", "1UNSHARD", "3RESHARD", "2SEND_B2", "1RECV_F1", "3SEND_F1", "0RECV_B0",
              "1WAIT_SEND_F0", "1WAIT_SEND_B0", "0REDUCE_GRAD", "0WAIT_REDUCE_GRAD", "(0F7;7B3)OVERLAP_F_B",
              "(3F2)OVERLAP_F_B", "(3F2;0I0;0W0)OVERLAP_F_B", "999999999F999999999"})
            QTest::newRow(text) << text;
    }
    void acceptanceA35TextGoesThereAndBack()
    {
        QFETCH(QString, text);
        const auto action = parseAction(text.toStdString());
        QVERIFY(action && *action);
        QCOMPARE(shown(toText(**action)), text);
    }

    void anActionIsReadIntoItsParts()
    {
        QCOMPARE(**parseAction("2F0"), (Action{StageId{2}, ActionKind::Forward, MicrobatchId{0}, {}}));
        QCOMPARE(**parseAction("12WAIT_SEND_B34"), (Action{StageId{12}, ActionKind::WaitSendB, MicrobatchId{34}, {}}));
        QCOMPARE(**parseAction("0REDUCE_GRAD"), (Action{StageId{0}, ActionKind::ReduceGrad, {}, {}}));
        const Action f7{StageId{0}, ActionKind::Forward, MicrobatchId{7}, {}};
        const Action b3{StageId{7}, ActionKind::FullBackward, MicrobatchId{3}, {}};
        QCOMPARE(**parseAction("(0F7;7B3)OVERLAP_F_B"), (Action{{}, ActionKind::OverlapFB, {}, {f7, b3}}));
    }

    void blanksAroundAreFine()
    {
        QCOMPARE(shown(toText(**parseAction(" 1F0 "))), QString("1F0"));
        QCOMPARE(shown(toText(**parseAction("1F0\r"))), QString("1F0"));
        QCOMPARE(shown(toText(**parseAction("(0F0 ; 1B0)OVERLAP_F_B"))), QString("(0F0;1B0)OVERLAP_F_B"));
    }

    void emptyTextIsIdle()
    {
        QVERIFY(parseAction("") && !*parseAction(""));
        QVERIFY(parseAction("   ") && !*parseAction("   "));
    }

    void whatUpstreamReadsLooselyIsRefused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char *text, const char *reason) { QTest::newRow(text) << text << reason; };
        row("2F0junk", "'junk' is left over");
        row("2F00", "after F, the microbatch number 00 has a leading zero");
        row("02F0", "the stage number 02 has a leading zero");
        row("2REDUCE_GRADX", "'X' is left over");
        row("2BLAH", "after B, the microbatch number is missing");
        row("2F", "after F, the microbatch number is missing");
        row("1SEND_F", "after SEND_F, the microbatch number is missing");
        row("2WAIT_F0", "after W, the microbatch number is missing");
        row("2UNSHARD3", "'3' is left over");
        row("(0F0,1B0)OVERLAP_F_B", "in part '0F0,1B0', ',1B0' is left over");
        row("()OVERLAP_F_B", "in part '', the stage number is missing");
        row("(;)OVERLAP_F_B", "in part '', the stage number is missing");
        row("(0F0;)OVERLAP_F_B", "in part '', the stage number is missing");
        row("(0F0;1B0)F", "OVERLAP_F_B must follow the bracket, not 'F'");
        row("F0", "the stage number is missing");
        row("-1F0", "the stage number is missing");
        row("2X0", "'X0' begins with no action type");
        row("2 F0", "' F0' begins with no action type");
        row("2f0", "'f0' begins with no action type");
        row("2", "the action type is missing");
        row("0OVERLAP_F_B", "OVERLAP_F_B is written as a compound, (0F1;1B0)OVERLAP_F_B");
        row("(0F0;1B0", "the bracket is not closed");
        row("((0F0;1B0)OVERLAP_F_B;2F0)OVERLAP_F_B", "compounds do not nest");
        row("(0F0;1B0)", "OVERLAP_F_B must follow the bracket, not ''");
        row("(0F0;1B0)F3", "OVERLAP_F_B must follow the bracket, not 'F3'");
        row("(0F0;1B0) OVERLAP_F_B", "OVERLAP_F_B must follow the bracket, not ' OVERLAP_F_B'");
        row("1234567890F0", "the stage number has more than 9 digits");
        row("0F1234567890", "after F, the microbatch number has more than 9 digits");
        row("0F+1", "after F, the microbatch number is missing");
    }
    void whatUpstreamReadsLooselyIsRefused()
    {
        QFETCH(QString, text);
        QFETCH(QString, reason);
        const auto action = parseAction(text.toStdString());
        QVERIFY(!action);
        QCOMPARE(action.error().code, ErrorCode::InvalidArgument);
        QCOMPARE(
            shown(action.error().message),
            QString("Invalid action string: %1, should be formatted as [stage][action type][(microbatch)] e.g. 2F0: %2")
                .arg(text, reason));
    }

    void bytesThatAreNoTextAreShownAsNumbers()
    {
        const auto action = parseAction(std::string_view("2\x1b[31m\0\xff", 8));
        QVERIFY(!action);
        QVERIFY(shown(action.error().message).startsWith("Invalid action string: 2\\x1B[31m\\x00\\xFF, should"));
    }

    void aLongTextIsCutInTheMessage()
    {
        const auto action = parseAction(std::string(100'000, 'x'));
        QVERIFY(!action);
        QVERIFY(action.error().message.size() < 400);
    }

    void aCompoundHas64PartsAtMost()
    {
        std::string parts = "0F0";
        for (int i = 1; i < 64; ++i)
            parts += ";0F" + std::to_string(i);
        QVERIFY(parseAction("(" + parts + ")OVERLAP_F_B"));
        const auto longer = parseAction("(" + parts + ";0F64)OVERLAP_F_B");
        QVERIFY(!longer);
        QVERIFY(shown(longer.error().message).endsWith("a compound has at most 64 parts"));
    }

    void computationsAndCommunicationAreToldApart()
    {
        const std::vector<std::string> computations{"0F0", "0I0", "0W0", "0B0", "(0F0;1B0)OVERLAP_F_B"};
        for (const std::string &text : computations)
            QVERIFY(isCompute((*parseAction(text))->kind));
        for (const char *text : {"0UNSHARD", "0RESHARD", "0SEND_F0", "0RECV_F0", "0SEND_B0", "0RECV_B0",
                                 "0WAIT_SEND_F0", "0WAIT_SEND_B0", "0REDUCE_GRAD", "0WAIT_REDUCE_GRAD"})
            QVERIFY(!isCompute((*parseAction(text))->kind));
    }

    void partsAreTheCompoundsOrTheActionItself()
    {
        const Action simple = **parseAction("2F0");
        QCOMPARE(partsOf(simple).data(), &simple);
        QCOMPARE(partsOf(simple).size(), std::size_t(1));
        const Action compound = **parseAction("(0F7;7B3)OVERLAP_F_B");
        QCOMPARE(partsOf(compound).size(), std::size_t(2));
        QCOMPARE(shown(toText(partsOf(compound)[1])), QString("7B3"));
    }
};

PIPESCOPE_TEST(TestAction)
#include "tst_action.moc"
