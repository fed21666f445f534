#include "engine/stage_files.h"

#include "base/file.h"
#include "core/engine/small_models.h"
#include "engine/split_job.h"
#include "support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace pipescope;
using namespace pipescope::tests;
using Answer = engine::StageFiles::Answer;

/// What check says of the files that split wrote beside a plan.
class TestStageFiles : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string path(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }
    std::string plan() const { return path("out/plan.json"); }

    engine::StageFiles found(const std::vector<std::string> &splits = {"block1"}) const
    {
        const auto files = engine::checkStageFiles(plan(), splits);
        return files && *files ? **files : engine::StageFiles{Answer::Changed, {}, "nothing was found"};
    }

private Q_SLOTS:
    void init()
    {
        QVERIFY(m_folder.isValid());
        report::RunRequest request;
        request.plan.model = save(chain(3, 8), path("chain.pt"));
        request.plan.splits = {"block1"};
        const auto made = engine::split(request, path("out"), {});
        QVERIFY2(made, made ? "" : made.error().message.c_str());
    }

    void filesThatSplitWroteAreAsWritten()
    {
        const engine::StageFiles files = found();
        QCOMPARE(files.answer, Answer::AsWritten);
        QCOMPARE(files.files, (std::vector<std::string>{"stage0.pt", "stage1.pt"}));
        QCOMPARE(files.explanation, std::string());
    }

    void oneThatIsAnotherFileIsNamed()
    {
        QFile stage(QString::fromStdString(path("out/stage1.pt")));
        QVERIFY(stage.open(QIODevice::Append));
        QCOMPARE(stage.write("x"), 1);
        stage.close();
        const engine::StageFiles files = found();
        QCOMPARE(files.answer, Answer::Changed);
        QCOMPARE(files.explanation, std::string("stage1.pt is another file than split wrote"));
    }

    void oneThatIsMissingIsNamed()
    {
        QVERIFY(QFile::remove(QString::fromStdString(path("out/stage0.pt"))));
        const engine::StageFiles files = found();
        QCOMPARE(files.answer, Answer::Changed);
        QCOMPARE(files.explanation, std::string("stage0.pt is missing"));
    }

    void filesOfOtherSplitsAreNotLookedAt()
    {
        const engine::StageFiles files = found({"block2"});
        QCOMPARE(files.answer, Answer::Unknown);
        QCOMPARE(files.explanation, std::string("they were written for other splits (block1) than the plan has now "
                                                "(block2); split again"));
    }

    void withoutHashesTheyAreNotLookedAt()
    {
        const auto text = readFile(path("out/stages.json"), 1 << 20);
        QVERIFY(text);
        QVERIFY(writeFile(path("out/stages.json"),
                          QString::fromStdString(*text).replace("\"sha256\"", "\"other\"").toStdString()));
        const engine::StageFiles files = found();
        QCOMPARE(files.answer, Answer::Unknown);
        QCOMPARE(files.explanation, std::string("stages.json has no hashes; split again"));
    }

    void aDamagedIndexIsSaid_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::newRow("cut off") << std::string("{\"format\": \"pipescope-stages\", \"stages\": [");
        QTest::newRow("another format") << std::string("{\"format\": \"other\", \"stages\": []}");
        QTest::newRow("no object") << std::string("3");
        QTest::newRow("a file elsewhere") << std::string(
            "{\"format\": \"pipescope-stages\", \"splits\": [], \"stages\": [{\"file\": \"../chain.pt\"}]}");
        QTest::newRow("a number for a name")
            << std::string("{\"format\": \"pipescope-stages\", \"splits\": [], \"stages\": [{\"file\": 3}]}");
    }

    void aDamagedIndexIsSaid()
    {
        QFETCH(const std::string, text);
        QVERIFY(writeFile(path("out/stages.json"), text));
        const engine::StageFiles files = found();
        QCOMPARE(files.answer, Answer::Changed);
        QCOMPARE(files.explanation, std::string("stages.json is damaged; split again"));
    }

    void aPlanAloneHasNone()
    {
        const auto files = engine::checkStageFiles(path("alone.json"), {"block1"});
        QVERIFY(files && !*files);
    }

    void aStopEndsIt()
    {
        std::stop_source stop;
        stop.request_stop();
        const auto files = engine::checkStageFiles(plan(), {"block1"}, stop.get_token());
        QVERIFY(!files);
        QCOMPARE(files.error().code, ErrorCode::Cancelled);
    }
};

PIPESCOPE_TEST(TestStageFiles)
#include "tst_stage_files.moc"
