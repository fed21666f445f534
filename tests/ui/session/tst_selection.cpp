#include "session/selection.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QSignalSpy>
#include <QTest>

using namespace pipescope;
using session::Selected;
using session::Selection;

class TestSelection : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void selectingOneThingDeselectsTheOther()
    {
        Selection selection;
        selection.selectNode(NodeId{3});
        QCOMPARE(selection.current().node, NodeId{3});
        selection.selectStage(StageId{1});
        QVERIFY(!selection.current().node.valid());
        QCOMPARE(selection.current().stage, StageId{1});
        selection.selectCut(4);
        QCOMPARE(selection.current().cut, std::optional<int>(4));
        selection.clear();
        QVERIFY(selection.current() == Selected{});
    }

    void anActionLiesInItsStage()
    {
        Selection selection;
        selection.selectAction({StageId{2}, MicrobatchId{5}});
        QCOMPARE(selection.current().stage, StageId{2});
        QVERIFY(selection.current().action.has_value());
    }

    void aLinkIsToldOfBeforeItIsSelected()
    {
        Selection selection;
        QStringList told;
        connect(&selection, &Selection::followed, &selection, [&](const Selected &link) {
            told << (link.module && selection.current() == Selected() ? "followed" : "late");
        });
        connect(&selection, &Selection::changed, &selection, [&] { told << "changed"; });
        Selected link;
        link.module = session::SelectedModule{"layers.1", 0};
        selection.follow(link);
        QCOMPARE(told, QStringList({"followed", "changed"}));
        QVERIFY(selection.current() == link);
        selection.follow({});
        QCOMPARE(told.size(), 2);
        Selected action;
        action.action = session::SelectedAction{StageId{2}, MicrobatchId{1}};
        selection.follow(action);
        QCOMPARE(selection.current().stage, StageId{2});
    }

    void onlyAChangeIsSignalled()
    {
        Selection selection;
        QSignalSpy changes(&selection, &Selection::changed);
        selection.clear();
        QCOMPARE(changes.size(), 0);
        selection.selectValue(ValueId{1});
        selection.selectValue(ValueId{1});
        QCOMPARE(changes.size(), 1);
        selection.selectRank(RankId{0});
        QCOMPARE(changes.size(), 2);
    }
};

PIPESCOPE_TEST(TestSelection)
#include "tst_selection.moc"
