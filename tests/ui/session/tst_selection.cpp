#include "session/selection.h"

#include "support/qt_warnings.h"
#include "support/selected.h"
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
        selection.select(NodeId{3});
        QCOMPARE(session::idIn<NodeId>(selection.current()), NodeId{3});
        selection.select(StageId{1});
        QVERIFY(!session::idIn<NodeId>(selection.current()).valid());
        QCOMPARE(session::stageIn(selection.current()), StageId{1});
        selection.select(session::SelectedCut{4});
        QVERIFY(selection.current() == session::Selected(session::SelectedCut{4}));
        selection.clear();
        QVERIFY(selection.current() == Selected{});
    }

    void anActionLiesInItsStage()
    {
        Selection selection;
        selection.select(tests::forwardOf(2, 5));
        QCOMPARE(session::stageIn(selection.current()), StageId{2});
        QVERIFY(std::holds_alternative<session::SelectedAction>(selection.current()));
    }

    void aForwardAndABackwardOfOneMicrobatchAreTwoActions()
    {
        Selection selection;
        QSignalSpy changes(&selection, &Selection::changed);
        session::SelectedAction action{session::RunId{4}, {schedule::ActionKind::Forward, StageId{2}, MicrobatchId{5}}};
        selection.select(action);
        QCOMPARE(session::runIn(selection.current()), session::RunId{4});
        action.key.kind = schedule::ActionKind::FullBackward;
        selection.select(action);
        QCOMPARE(changes.size(), 2);
        action.run = session::RunId{5}; // nor is that of another run the same
        selection.select(action);
        QCOMPARE(changes.size(), 3);
        QCOMPARE(session::runIn(StageId{2}), session::RunId());
    }

    void aTensorIsAskedForAndTheSelectionStays()
    {
        Selection selection;
        selection.select(NodeId{3});
        const QSignalSpy asked(&selection, &Selection::shardsAsked);
        const QSignalSpy changes(&selection, &Selection::changed);
        const session::TensorToShow tensor{"layers.0.weight", {64, 32}, "float32"};
        selection.showShards(tensor);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked[0][0].value<session::TensorToShow>(), tensor);
        QCOMPARE(changes.size(), 0);
    }

    void anInvalidIdIsNothing()
    {
        Selection selection;
        selection.select(NodeId{3});
        selection.select(NodeId{});
        QVERIFY(selection.current() == Selected());
    }

    void aLinkIsToldOfBeforeItIsSelected()
    {
        Selection selection;
        QStringList told;
        connect(&selection, &Selection::followed, &selection, [&](const Selected &link) {
            told << (std::holds_alternative<session::SelectedModule>(link) && selection.current() == Selected()
                         ? "followed"
                         : "late");
        });
        connect(&selection, &Selection::changed, &selection, [&] { told << "changed"; });
        Selected link = session::SelectedModule{"layers.1", 0};
        selection.follow(link);
        QCOMPARE(told, QStringList({"followed", "changed"}));
        QVERIFY(selection.current() == link);
        selection.follow({});
        QCOMPARE(told.size(), 2);
        selection.follow(StageId{}); // of nothing
        QCOMPARE(told.size(), 2);
        selection.follow(tests::forwardOf(2, 1));
        QCOMPARE(session::stageIn(selection.current()), StageId{2});
    }

    void onlyAChangeIsSignalled()
    {
        Selection selection;
        QSignalSpy changes(&selection, &Selection::changed);
        selection.clear();
        QCOMPARE(changes.size(), 0);
        selection.select(ValueId{1});
        selection.select(ValueId{1});
        QCOMPARE(changes.size(), 1);
        selection.select(RankId{0});
        QCOMPARE(changes.size(), 2);
    }
};

PIPESCOPE_TEST(TestSelection)
#include "tst_selection.moc"
