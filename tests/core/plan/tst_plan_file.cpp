#include "plan/plan_file.h"

#include "base/file.h"

#include "support/test_program.h"

#include <QFloat16>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

using namespace pipescope;
using namespace pipescope::plan;
namespace fs = std::filesystem;

class TestPlanFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_root = fs::canonical(m_dir->path().toStdString());
        fs::create_directories(m_root / "models");
        fs::create_directories(m_root / "plans/deep");
        m_before = fs::current_path();
        fs::current_path(m_root);
        std::ofstream(m_root / "models/m.pt") << "model";
        m_plan = {};
        m_plan.model = "models/m.pt";
        m_plan.devices = {"cpu:0"};
    }

    void cleanup() { fs::current_path(m_before); }

    void theModelIsStoredRelativeToThePlan()
    {
        QVERIFY(bool(savePlan(m_plan, "plans/deep/p.json")));
        QCOMPARE(stored("plans/deep/p.json").at("model"), nlohmann::json("../../models/m.pt"));
        m_plan.model = (m_root / "models/m.pt").string();
        QVERIFY(bool(savePlan(m_plan, "p.json")));
        QCOMPARE(stored("p.json").at("model"), nlohmann::json("models/m.pt"));
    }

    void theModelIsFoundFromAnyFolder()
    {
        QVERIFY(bool(savePlan(m_plan, "plans/p.json")));
        fs::current_path(m_root / "plans/deep");
        const auto plan = loadPlan("../p.json");
        QVERIFY2(bool(plan), plan ? "" : plan.error().message.c_str());
        QCOMPARE(plan->model, (m_root / "models/m.pt").string());
        fs::rename(m_root / "plans", m_root / "moved");
        fs::current_path(m_root);
        QCOMPARE(loadPlan("moved/p.json")->model, (m_root / "models/m.pt").string());
    }

    void allOtherPathsMoveWithThePlanToo()
    {
        std::ofstream(m_root / "ops.so") << "library";
        m_plan.opLibraries = {"ops.so", "libsystem.so", "/opt/lib.so"};
        m_plan.schedule = "@plans/s.csv";
        m_plan.inputs = {*parseInputSpec("x=@data/x.pt"), *parseInputSpec("[(@a.pt, 1), {k: @b.pt}]"),
                         *parseInputSpec("'@text'")};
        QVERIFY(bool(savePlan(m_plan, "plans/p.json")));
        const nlohmann::json json = stored("plans/p.json");
        QCOMPARE(json.at("opLibraries").at(0), nlohmann::json("../ops.so"));
        QCOMPARE(json.at("opLibraries").at(1), nlohmann::json("libsystem.so"));
        QCOMPARE(json.at("schedule"), nlohmann::json("@s.csv"));
        QCOMPARE(json.at("inputs"), (nlohmann::json{"x=@../data/x.pt", "[(@../a.pt, 1), {k: @../b.pt}]", "'@text'"}));
        const auto plan = loadPlan("plans/p.json");
        QVERIFY2(bool(plan), plan ? "" : plan.error().message.c_str());
        const std::string root = m_root.string();
        QCOMPARE(plan->opLibraries, (std::vector<std::string>{root + "/ops.so", "libsystem.so", "/opt/lib.so"}));
        QCOMPARE(plan->schedule, "@" + root + "/plans/s.csv");
        QCOMPARE(toText(plan->inputs[0]), "x=@" + root + "/data/x.pt");
        QCOMPARE(toText(plan->inputs[1]), "[(@" + root + "/a.pt, 1), {k: @" + root + "/b.pt}]");
    }

    void aLinkedFolderIsFollowedAndALinkedModelKeepsItsName()
    {
        fs::create_directory_symlink(m_root / "plans/deep", m_root / "link");
        fs::create_symlink(m_root / "models/m.pt", m_root / "models/latest.pt");
        m_plan.model = "models/latest.pt";
        QVERIFY(bool(savePlan(m_plan, "link/p.json")));
        // From plans/deep, where the file really is: "link/.." is plans for the system.
        QCOMPARE(stored("link/p.json").at("model"), nlohmann::json("../../models/latest.pt"));
        QCOMPARE(loadPlan("link/p.json")->model, (m_root / "models/latest.pt").string());
    }

    void aModelOnAnotherFileSystemKeepsItsAbsolutePath()
    {
        const fs::path other = "/proc/version"; // never on the file system of a temporary folder
        if (!fs::exists(other))
            QSKIP("there is no /proc");
        m_plan.model = other.string();
        QVERIFY(bool(savePlan(m_plan, "p.json")));
        QCOMPARE(stored("p.json").at("model"), nlohmann::json("/proc/version"));
        QCOMPARE(loadPlan("p.json")->model, other.string());
    }

    void anInvalidPlanIsNotWritten()
    {
        m_plan.microbatches = 0;
        const Status status = savePlan(m_plan, "p.json");
        QVERIFY(!status);
        QCOMPARE(status.error().where, std::string("microbatches"));
        QVERIFY(!fs::exists("p.json"));
    }

    void anOldPlanSurvivesAFailedWrite()
    {
        QVERIFY(bool(savePlan(m_plan, "p.json")));
        const Status status = savePlan(m_plan, "no/such/folder/p.json");
        QVERIFY(!status);
        QCOMPARE(status.error().code, ErrorCode::WriteFailed);
        m_plan.microbatches = 0;
        QVERIFY(!savePlan(m_plan, "p.json"));
        QCOMPARE(loadPlan("p.json")->microbatches, 1);
        QCOMPARE(std::distance(fs::directory_iterator(m_root), fs::directory_iterator()), std::ptrdiff_t(3));
    }

    void aFileThatCannotBeUsedIsNamed()
    {
        QCOMPARE(loadPlan("none.json").error().code, ErrorCode::NotFound);
        std::ofstream("bad.json")
            << R"({"pipescopePlan": 1, "model": "m.pt", "devices": ["cpu:0"], "microbatches": "four"})";
        const auto plan = loadPlan("bad.json");
        QVERIFY(!plan);
        QCOMPARE(plan.error().code, ErrorCode::InvalidFile);
        QCOMPARE(plan.error().where, std::string("microbatches"));
        QCOMPARE(plan.error().message,
                 std::string("cannot use the plan 'bad.json': microbatches: expected a whole number, "
                             "found string"));
    }

    void aFileOfMoreThan16MiBIsNotRead()
    {
        std::ofstream("big.json") << R"({"pipescopePlan": 1)";
        fs::resize_file("big.json", (16 << 20) + 1);
        QVERIFY(loadPlan("big.json").error().message.find("16777216") != std::string::npos);
    }

    void plansAreToldFromModels()
    {
        QVERIFY(bool(savePlan(m_plan, "p.json")));
        QVERIFY(looksLikePlan("p.json"));
        std::ofstream("sorted.json") << " \n{\"devices\": [" << std::string(20000, ' ') << "], \"pipescopePlan\": 1}";
        QVERIFY(looksLikePlan("sorted.json"));
        std::ofstream("marked.json") << "\xEF\xBB\xBF{\"pipescopePlan\": 1}";
        QVERIFY(looksLikePlan("marked.json"));
        std::ofstream("broken.json") << "{\"pipescopePlan\": 1, \"mod";
        QVERIFY(looksLikePlan("broken.json"));
        std::ofstream("other.json") << "{\"traceEvents\": []}";
        QVERIFY(!looksLikePlan("other.json"));
        std::ofstream("model.pt") << "PK\x03\x04 \"pipescopePlan\"";
        QVERIFY(!looksLikePlan("model.pt"));
        std::ofstream("empty");
        QVERIFY(!looksLikePlan("empty"));
        QVERIFY(!looksLikePlan("none"));
        QVERIFY(!looksLikePlan("plans"));
    }

private:
    static nlohmann::json stored(const std::string &path) { return nlohmann::json::parse(*readFile(path, 1 << 20)); }

    std::unique_ptr<QTemporaryDir> m_dir;
    fs::path m_root;
    fs::path m_before;
    Plan m_plan;
};

PIPESCOPE_TEST(TestPlanFile)
#include "tst_plan_file.moc"
