#include "checkview/check_view.h"

#include "support/qt_warnings.h"
#include "support/session_desk.h"

#include <QLabel>
#include <QTableView>
#include <QtTest>

using namespace pipescope;
using namespace pipescope::session;
using checkview::CheckView;

namespace {

struct Desk : tests::SessionDesk
{
    CheckView view{controller, selection, style::Theme::dark()};

    Desk() { begin(); }
    [[nodiscard]] QLabel &label(const char *name) const { return *view.findChild<QLabel *>(name); }
};

report::RunReport wrong()
{
    report::RunReport run;
    run.equivalence.emplace();
    run.equivalence->overall.bitwise = run.equivalence->overall.equal = false;
    run.equivalence->explanation = "x < y & z";
    run.equivalence->byMicrobatch.resize(4);
    run.equivalence->first.emplace();
    run.equivalence->first->node = NodeId{7};
    run.separability.emplace();
    return run;
}

} // namespace

class TestCheckView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void bothQuestionsStandThereBeforeTheyAreAnswered()
    {
        const Desk desk;
        QVERIFY(desk.label("equivalent").text().contains("Is the split model the unsplit one?"));
        QVERIFY(desk.label("equivalent").text().contains("not asked"));
        QVERIFY(desk.label("separable").text().contains("May this batch be cut?"));
    }

    void theLastRunIsShown()
    {
        Desk desk;
        desk.finish(wrong());
        QVERIFY(desk.label("equivalent").text().contains(">no<"));
        QVERIFY(desk.label("equivalent").text().contains("x &lt; y &amp; z"));
        QCOMPARE(desk.view.findChild<QTableView *>("differences")->model()->rowCount(), 4);
        report::RunReport right;
        right.equivalence.emplace();
        desk.finish(right);
        QVERIFY(desk.label("equivalent").text().contains("yes (bitwise)"));
        QVERIFY(!desk.label("equivalent").text().contains("href"));
    }

    void theLinkSelectsTheNodeToBlame()
    {
        Desk desk;
        desk.finish(wrong());
        QVERIFY(desk.label("equivalent").text().contains("href='7'"));
        Q_EMIT desk.label("equivalent").linkActivated("7");
        QCOMPARE(desk.selection.current().node, NodeId{7});
    }
};

QTEST_MAIN(TestCheckView)
#include "tst_check_view.moc"
