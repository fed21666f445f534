#include "session/example_model.h"

#include "plan/plan_file.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace pipescope;
using namespace pipescope::session;

namespace {

void writeProgram(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("no file");
}

/// A program in place of make-examples.
QString maker(const QTemporaryDir &folder, const QByteArray &script)
{
    const QString path = folder.filePath("make-examples");
    writeProgram(path, "#!/bin/sh\n" + script);
    QFile::setPermissions(path, QFile::permissions(path) | QFileDevice::ExeOwner);
    return path;
}

QString message(const QSignalSpy &failed)
{
    return QString::fromStdString(failed.value(0).value(0).value<Error>().message);
}

} // namespace

class TestExampleModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void initTestCase() { qRegisterMetaType<pipescope::Error>("pipescope::Error"); }

    void aPlanIsUsedWhereItsModelIsThere()
    {
        const QTemporaryDir folder;
        plan::Plan plan;
        plan.model = folder.filePath("decoder.pt").toStdString();
        const QString path = folder.filePath("decoder.json");
        QVERIFY(plan::savePlan(plan, path.toStdString()));
        ExampleModel example({{folder.filePath("nowhere.json"), path}, {}, {}});
        QCOMPARE(example.find(), QString());
        QVERIFY(!example.whyNot().isEmpty());
        writeProgram(folder.filePath("decoder.pt"), "model");
        QCOMPARE(example.find(), path);
        QCOMPARE(example.whyNot(), QString());
        QSignalSpy found(&example, &ExampleModel::found);
        example.get();
        QCOMPARE(found.value(0).value(0).toString(), path);
    }

    void elseItIsMadeWithAPlanThatCanBeRun()
    {
        const QTemporaryDir folder;
        const QString cache = folder.filePath("cache");
        ExampleModel example(
            {{cache + "/decoder.json"}, maker(folder, "mkdir -p \"$1\" && echo model > \"$1/$3.pt\"\n"), cache});
        QSignalSpy found(&example, &ExampleModel::found);
        example.get();
        QVERIFY(example.isMaking());
        QTRY_COMPARE(found.size(), 1);
        const auto plan = plan::loadPlan(found[0][0].toString().toStdString());
        QVERIFY(plan);
        QCOMPARE(plan->model, (cache + "/decoder.pt").toStdString());
        QCOMPARE(plan->inputs.size(), std::size_t(1));
        QCOMPARE(example.find(), cache + "/decoder.json");
    }

    void aMakerThatFailsIsToldInItsOwnWords()
    {
        const QTemporaryDir folder;
        ExampleModel example({{}, maker(folder, "echo 'no space left' >&2; exit 2\n"), folder.filePath("cache")});
        const QSignalSpy failed(&example, &ExampleModel::failed);
        example.get();
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY2(message(failed).contains("no space left"), qPrintable(message(failed)));
    }

    void makingCanBeCancelled()
    {
        const QTemporaryDir folder;
        ExampleModel example({{}, maker(folder, "exec sleep 60\n"), folder.filePath("cache")});
        const QSignalSpy failed(&example, &ExampleModel::failed);
        example.get();
        example.cancel();
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(!example.isMaking());
        QVERIFY(failed[0][0].value<Error>().code == ErrorCode::Cancelled);
    }
};

PIPESCOPE_TEST(TestExampleModel)
#include "tst_example_model.moc"
