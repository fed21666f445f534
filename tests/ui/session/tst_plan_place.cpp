#include "session/plan_place.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace pipescope;
using session::ModelPlace;
using session::proposedPlanPath;

class TestPlanPlace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aPlanIsProposedBesideItsModel()
    {
        const QTemporaryDir folder;
        QCOMPARE(proposedPlanPath(folder.filePath("mlp.v2.pt"), ModelPlace::Here),
                 folder.filePath("mlp.v2.pipescope.json"));
    }

    void theHomeFolderIsProposedWhereNothingCanBeWrittenBeside()
    {
        const QString home = QDir::home().filePath("mlp.pipescope.json");
        QCOMPARE(proposedPlanPath("/no/such/folder/mlp.pt", ModelPlace::Here), home);
        const QTemporaryDir folder; // a folder of that name is here, too
        QCOMPARE(proposedPlanPath(folder.filePath("mlp.pt"), ModelPlace::Elsewhere), home);
    }

    void aPlanWithoutAModelIsAPlan()
    {
        QCOMPARE(proposedPlanPath({}, ModelPlace::Here), QDir::home().filePath("plan.pipescope.json"));
    }
};

PIPESCOPE_TEST(TestPlanPlace)
#include "tst_plan_place.moc"
