#include "session/last_run.h"

#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/session_desk.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;

/// A run belongs to the stages it was made of, however they were named.
class TestLastRun : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aRunBelongsToItsStagesInWhateverOrderTheyAreNamed()
    {
        tests::SessionDesk desk;
        desk.begin();
        report::Inspection model;
        model.graph = tests::graphFromText(
            "in x\ncall a\nu = aten::sin x\nend\ncall b\nv = aten::cos u\nend\ncall c\nw = aten::neg v\nend\nreturn w");
        desk.document.setModel(std::make_shared<const report::Inspection>(model));
        const auto split = [&](std::vector<std::string> splits) {
            desk.document.edit("Split", [&](plan::Plan &plan) { plan.splits = splits; });
        };
        split({"b", "c"});
        report::TracedRun run;
        run.plan = desk.document.plan();
        desk.finish(run);
        QVERIFY(session::lastRun(desk.controller, desk.document) != nullptr);
        split({"c", "b"});
        QVERIFY(session::lastRun(desk.controller, desk.document) != nullptr);
        split({"b"});
        QVERIFY(session::lastRun(desk.controller, desk.document) == nullptr);
    }
};

PIPESCOPE_TEST(TestLastRun)
#include "tst_last_run.moc"
