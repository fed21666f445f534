// The plans that come with the example models.
#include "plan/plan_file.h"

#include "support/test_program.h"

#include <QTest>
#include <filesystem>

using namespace pipescope;
namespace fs = std::filesystem;

class tst_ExamplePlans : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachIsAPlanForTheModelOfItsName_data()
    {
        QTest::addColumn<QString>("path");
        for (const auto &entry : fs::directory_iterator(fs::path(PIPESCOPE_SOURCE_DIR) / "examples/plans"))
            QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().string());
    }

    void eachIsAPlanForTheModelOfItsName()
    {
        QFETCH(const QString, path);
        const fs::path file = path.toStdString();
        QVERIFY(plan::looksLikePlan(file));
        const auto loaded = plan::loadPlan(file);
        QVERIFY2(loaded, loaded ? "" : loaded.error().message.c_str());
        const std::string name = file.filename().string();
        QVERIFY(name.ends_with(".pipescope.json"));
        QCOMPARE(loaded->model, (file.parent_path() / (name.substr(0, name.find('.')) + ".pt")).string());
        QVERIFY(!loaded->inputs.empty());
        QVERIFY(!loaded->splits.empty());
    }
};

PIPESCOPE_TEST(tst_ExamplePlans)
#include "tst_example_plans.moc"
