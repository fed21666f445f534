#include "plan/stage_files.h"

#include "base/file.h"
#include "core/engine/small_models.h"
#include "engine/split_job.h"
#include "support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace pipescope;
using namespace pipescope::tests;
using Answer = plan::StageFiles::Answer;

/// What check says of the files that split wrote beside a plan.
class TestStageFiles : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string path(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }
    std::string plan() const { return path("out/plan.json"); }

    plan::Plan m_plan; // as split wrote it

    plan::Plan planOf(const std::vector<std::string> &splits) const
    {
        plan::Plan other = m_plan;
        other.splits = splits;
        return other;
    }

    plan::StageFiles found() const { return found(m_plan); }
    plan::StageFiles found(const plan::Plan &made) const
    {
        const auto files = plan::checkStageFiles(plan(), made);
        return files && *files ? **files : plan::StageFiles{Answer::Changed, {}, "nothing was found"};
    }

    /// Writes another key in place of `key` into stages.json.
    void rename(const QString &key) const
    {
        const auto text = readFile(path("out/stages.json"), 1 << 20);
        QVERIFY(text);
        const QString changed = QString::fromStdString(*text).replace(key, "\"other\"");
        QVERIFY(changed.toStdString() != *text);
        QVERIFY(writeFile(path("out/stages.json"), changed.toStdString()));
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
        m_plan = made->plan;
    }

    void filesThatSplitWroteAreAsWritten()
    {
        const plan::StageFiles files = found();
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
        const plan::StageFiles files = found();
        QCOMPARE(files.answer, Answer::Changed);
        QCOMPARE(files.explanation, std::string("stage1.pt is another file than split wrote"));
    }

    void oneThatIsMissingIsNamed()
    {
        QVERIFY(QFile::remove(QString::fromStdString(path("out/stage0.pt"))));
        const plan::StageFiles files = found();
        QCOMPARE(files.answer, Answer::Changed);
        QCOMPARE(files.explanation, std::string("stage0.pt is missing"));
    }

    void filesOfOtherSplitsAreNotLookedAt()
    {
        const plan::StageFiles files = found(planOf({"block2"}));
        QCOMPARE(files.answer, Answer::Unknown);
        QCOMPARE(files.explanation,
                 std::string("the stage files were written for other splits (block1) than the plan has now "
                             "(block2); split again"));
    }

    void filesOfAnotherModelAreNotLookedAt()
    {
        report::RunRequest request;
        request.plan.model = save(chain(3, 6), path("narrow.pt"));
        request.plan.splits = {"block1"};
        const auto other = engine::split(request, path("other"), {});
        QVERIFY2(other, other ? "" : other.error().message.c_str());
        QCOMPARE(other->plan.splits, m_plan.splits);
        const plan::StageFiles files = found(other->plan);
        QCOMPARE(files.answer, Answer::Unknown);
        QCOMPARE(files.explanation,
                 std::string("the stage files were written for another model than the plan's is now; split again"));
    }

    void filesOfAnotherMethodAreNotLookedAt()
    {
        plan::Plan other = m_plan;
        other.method = "encode";
        const plan::StageFiles files = found(other);
        QCOMPARE(files.answer, Answer::Unknown);
        QCOMPARE(files.explanation,
                 std::string("the stage files were written for another method (forward) than the plan has now "
                             "(encode); split again"));
    }

    void filesOfAModelThatIsNotSaidAreNotLookedAt_data()
    {
        QTest::addColumn<QString>("key");
        QTest::newRow("no model") << "\"model_sha256\"";
        QTest::newRow("no method") << "\"method\"";
    }

    void filesOfAModelThatIsNotSaidAreNotLookedAt()
    {
        QFETCH(const QString, key);
        rename(key);
        const plan::StageFiles files = found();
        QCOMPARE(files.answer, Answer::Unknown);
        QCOMPARE(files.explanation,
                 std::string("stages.json does not name the stage files' model and method; split again"));
    }

    void withoutHashesTheyAreNotLookedAt()
    {
        rename("\"sha256\"");
        const plan::StageFiles files = found();
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
        QTest::newRow("no stages") << std::string("{\"format\": \"pipescope-stages\", \"splits\": [], \"stages\": []}");
        QTest::newRow("a file twice") << std::string(
            "{\"format\": \"pipescope-stages\", \"splits\": [\"block1\"], \"stages\": "
            "[{\"file\": \"stage0.pt\", \"sha256\": \"0\"}, "
            "{\"file\": \"stage0.pt\", \"sha256\": \"0\"}]}");
        QTest::newRow("fewer stages than its splits make")
            << std::string("{\"format\": \"pipescope-stages\", \"splits\": [\"block1\"], \"stages\": "
                           "[{\"file\": \"stage0.pt\", \"sha256\": \"0\"}]}");
    }

    void aDamagedIndexIsSaid()
    {
        QFETCH(const std::string, text);
        QVERIFY(writeFile(path("out/stages.json"), text));
        const plan::StageFiles files = found();
        QCOMPARE(files.answer, Answer::Changed);
        QCOMPARE(files.explanation, std::string("stages.json is damaged; split again"));
    }

    void aPlanAloneHasNone()
    {
        const auto files = plan::checkStageFiles(path("alone.json"), m_plan);
        QVERIFY(files && !*files);
    }

    void aStopEndsIt()
    {
        std::stop_source stop;
        stop.request_stop();
        const auto files = plan::checkStageFiles(plan(), m_plan, stop.get_token());
        QVERIFY(!files);
        QCOMPARE(files.error().code, ErrorCode::Cancelled);
    }
};

PIPESCOPE_TEST(TestStageFiles)
#include "tst_stage_files.moc"
