#include "session/plan_watch.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace pipescope;
using namespace pipescope::session;

namespace {

using FileState = Document::FileState;

/// A saved plan, watched.
struct PlanWatchDesk
{
    QTemporaryDir folder;
    QString path = folder.filePath("plan.json");
    Document document;
    PlanWatch watch{document};
    QSignalSpy looked{&watch, &PlanWatch::looked};

    PlanWatchDesk()
    {
        document.newFor(folder.filePath("model.pt"));
        if (!document.saveAs(path))
            qFatal("no plan");
    }
    [[nodiscard]] FileState last() const { return looked.last().first().value<FileState>(); }
    void saveElsewhere(int microbatches) const
    {
        Document other;
        QVERIFY(other.open(path));
        other.edit("Microbatches", [microbatches](plan::Plan &plan) { plan.microbatches = microbatches; });
        QVERIFY(other.saveAs(path));
    }
};

} // namespace

class TestPlanWatch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aPlanSavedBySomeoneElseIsHeardOf()
    {
        PlanWatchDesk desk;
        QTRY_COMPARE(desk.looked.size(), 1);
        QCOMPARE(desk.last(), FileState::Same);
        desk.saveElsewhere(2);
        QTRY_COMPARE(desk.looked.size(), 2);
        QCOMPARE(desk.last(), FileState::Changed);
        desk.saveElsewhere(3); // by a rename, as the first was: the folder is watched, and the new file
        QTRY_COMPARE(desk.looked.size(), 3);
        QCOMPARE(desk.last(), FileState::Changed);
        QVERIFY(desk.document.saveAs(desk.path));
        QTRY_COMPARE(desk.looked.size(), 4);
        QCOMPARE(desk.last(), FileState::Same);
    }

    void aPlanThatGoesAndComesBackIsHeardOf()
    {
        PlanWatchDesk desk;
        QTRY_COMPARE(desk.looked.size(), 1);
        QVERIFY(QFile::rename(desk.path, desk.path + ".away"));
        QTRY_COMPARE(desk.looked.size(), 2);
        QCOMPARE(desk.last(), FileState::Gone);
        QVERIFY(QFile::rename(desk.path + ".away", desk.path));
        QTRY_COMPARE(desk.looked.size(), 3);
        QCOMPARE(desk.last(), FileState::Same);
    }

    void whatIsNotThePlanIsNot()
    {
        PlanWatchDesk desk;
        QTRY_COMPARE(desk.looked.size(), 1);
        QFile other(desk.folder.filePath("other.json"));
        QVERIFY(other.open(QIODevice::WriteOnly));
        other.close();
        desk.saveElsewhere(2);
        QTRY_COMPARE(desk.looked.size(), 2); // of the plan
        QCOMPARE(desk.last(), FileState::Changed);
    }

    void aPlanWithoutAFileIsNotWatched()
    {
        PlanWatchDesk desk;
        QTRY_COMPARE(desk.looked.size(), 1);
        desk.document.newFor("model.pt");
        desk.watch.look();
        QCOMPARE(desk.last(), FileState::None);
    }
};

PIPESCOPE_TEST(TestPlanWatch)
#include "tst_plan_watch.moc"
