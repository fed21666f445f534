// The engine's jobs where the graph is made for the inputs that are given.
#include "base/file.h"
#include "core/engine/serve/served_engine.h"
#include "core/engine/small_models.h"
#include "engine/inspect_job.h"
#include "engine/run_job.h"
#include "engine/split_job.h"
#include "engine/statistics_job.h"
#include "make_examples/script_text.h"
#include "plan/plan_file.h"
#include "plan/stage_files.h"
#include "support/test_program.h"
#include "support/torch/models.h"

#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

using namespace pipescope;
using namespace pipescope::tests;

namespace {

std::vector<plan::InputSpec> inputs(const std::vector<std::string> &texts)
{
    std::vector<plan::InputSpec> specs;
    for (const std::string &text : texts)
        specs.push_back(*plan::parseInputSpec(text));
    return specs;
}

/// All of it stands in branches on `rate` and `mode`.
torch::jit::Module branches()
{
    at::manual_seed(5);
    torch::jit::Module module = emptyModule("Branches");
    for (const char *name : {"first", "second", "third"})
        module.register_module(name, layer(at::randn({8, 8}) / 8));
    module.define(R"(
def forward(self, x: Tensor, rate: int, mode: str = 'mean') -> Tensor:
    if rate == 16000:
        x = self.first.forward(x)
        x = self.second.forward(x)
        if mode == 'mean':
            x = self.third.forward(x)
    else:
        x = torch.sin(x)
    return x
)");
    return module;
}

} // namespace

class TestSpecialisedRuns : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::string m_model;

    std::string path(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }

    report::RunRequest request(const std::vector<std::string> &given, const std::vector<std::string> &splits) const
    {
        report::RunRequest made;
        made.plan.model = m_model;
        made.plan.inputs = inputs(given);
        made.plan.splits = splits;
        made.plan.microbatches = 2;
        made.specialise = true;
        return made;
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        m_model = save(branches(), path("branches.pt"));
    }

    void inspectingTellsWhatSpecialisingWouldBring()
    {
        report::InspectRequest wanted;
        wanted.model = m_model;
        wanted.inputs = inputs({"float32[4,8]", "16000", "mode='mean'"});
        const auto whole = engine::inspect(wanted, {});
        QVERIFY2(whole, messageOf(whole).c_str());
        QVERIFY(whole->specialised.empty());
        QVERIFY(whole->specialisable.has_value());
        QCOMPARE(whole->specialisable->inputs, inputs({"rate=16000", "mode='mean'"}));
        wanted.specialise = true;
        const auto alone = engine::inspect(wanted, {});
        QVERIFY2(alone, messageOf(alone).c_str());
        QCOMPARE(alone->specialised, inputs({"rate=16000", "mode='mean'"}));
        QVERIFY(!alone->specialisable);
        const auto legal = std::count_if(alone->splitPoints.begin(), alone->splitPoints.end(),
                                         [](const partition::SplitPoint &point) { return point.cut.legal; });
        QCOMPARE(legal, 8); // nine nodes: a transposition, a product and a relu in each layer
        QCOMPARE(whole->specialisable->places, 8);
        QCOMPARE(alone->graph.arguments.size(), std::size_t(3));
        QVERIFY(alone->profiled);
    }

    void aGraphIsMadeForValuesWithoutARunOnTheOthers()
    {
        report::InspectRequest wanted;
        wanted.model = m_model;
        wanted.inputs = inputs({"rate=16000", "mode='mean'"}); // no x
        wanted.measure = false;
        const auto whole = engine::inspect(wanted, {});
        QVERIFY2(whole, messageOf(whole).c_str());
        QVERIFY(!whole->profiled && whole->specialised.empty());
        QCOMPARE(whole->specialisable->places, 8);
        wanted.specialise = true;
        const auto alone = engine::inspect(wanted, {});
        QVERIFY2(alone, messageOf(alone).c_str());
        QVERIFY(!alone->profiled);
        QCOMPARE(alone->specialised, wanted.inputs);
        QCOMPARE(alone->splitPoints.size(), std::size_t(8));
    }

    void whereSpecialisingBringsNothingNothingIsSaid()
    {
        report::InspectRequest wanted;
        wanted.model = m_model;
        wanted.inputs = inputs({"float32[4,8]", "8000"}); // one node is left
        const auto inspection = engine::inspect(wanted, {});
        QVERIFY2(inspection, messageOf(inspection).c_str());
        QVERIFY(!inspection->specialisable);
    }

    void aSpecialisedRunSplitsInsideABranch()
    {
        const auto report = engine::run(request({"float32[4,8]", "16000"}, {"second", "third"}), {});
        QVERIFY2(!report && report.error().code == ErrorCode::Unsupported,
                 messageOf(report).c_str()); // mode: not given
        const auto whole = engine::run(request({"float32[4,8]", "16000", "'mean'"}, {"second", "third"}), {});
        QVERIFY2(whole, messageOf(whole).c_str());
        QVERIFY(whole->equivalence->overall.bitwise);
        QCOMPARE(whole->stages.size(), std::size_t(3));
        QCOMPARE(whole->plan.specialised, inputs({"rate=16000", "mode='mean'"}));
    }

    /// For this rate nothing is left but the model's own refusal.
    void aGraphThatOnlyRaisesSaysWhatTheModelSays()
    {
        const torch::jit::Module module = examples::ScriptText(R"script(
class Refuses(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.Refuses, x: Tensor, rate: int) -> Tensor:
    _0 = uninitialized(Tensor)
    if torch.eq(rate, 16000):
      _1 = torch.cos(torch.sin(x))
    else:
      ops.prim.RaiseException("Supported rates: [16000]", "builtins.ValueError")
      _1 = _0
    return _1
)script")
                                              .make("Refuses");
        const std::string model = save(module, path("refuses.pt"));
        const auto says = [](const auto &result) { return result ? std::string("no error") : messageOf(result); };
        report::InspectRequest look;
        look.model = model;
        look.specialise = true;
        look.inputs = inputs({"float32[4,8]", "11025"});
        const auto inspected = engine::inspect(look, {});
        QVERIFY(!inspected);
        QCOMPARE(inspected.error().code, ErrorCode::ModelFailed);
        QVERIFY2(says(inspected).find("Supported rates: [16000]") != std::string::npos, says(inspected).c_str());
        report::RunRequest run = request({"float32[4,8]", "11025"}, {});
        run.plan.model = model;
        run.plan.microbatches = 1;
        for (const std::optional<int> stages : {std::optional<int>(), std::optional(2)}) {
            run.balanceInto = stages;
            const auto ran = engine::run(run, {});
            QVERIFY(!ran);
            QCOMPARE(ran.error().code, ErrorCode::ModelFailed);
            QVERIFY2(says(ran).find("Supported rates: [16000]") != std::string::npos, says(ran).c_str());
        }
        const auto split = engine::split(run, path("refuses"), {});
        QVERIFY(!split);
        QCOMPARE(split.error().code, ErrorCode::ModelFailed);
        look.inputs = inputs({"float32[4,8]", "16000"});
        QVERIFY(engine::inspect(look, {}));
    }

    void anErrorInAPlansValuesNamesThem_data()
    {
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("says");
        QTest::newRow("no such argument") << "speed=3"
                                          << "got an unexpected keyword argument 'speed'. It takes x, rate, "
                                             "mode.";
        QTest::newRow("of another type") << "rate='fast'"
                                         << "argument 'rate' ";
        QTest::newRow("of a type that no graph has") << "x=none"
                                                     << "argument 'x' ";
    }

    void anErrorInAPlansValuesNamesThem()
    {
        QFETCH(QString, value);
        QFETCH(QString, says);
        report::RunRequest run = request({"float32[4,8]", "16000"}, {});
        run.specialise = false;
        run.plan.specialised = inputs({"mode='mean'", value.toStdString()});
        const auto report = engine::run(run, {});
        QVERIFY(!report);
        QCOMPARE(report.error().where, std::string("specialised[1]"));
        QVERIFY2(report.error().message.starts_with("specialised[1]: " + says.toStdString()),
                 messageOf(report).c_str());
    }

    void aMissingInputIsAdvisedWithTheValueThatThePlanHas()
    {
        report::RunRequest run = request({"float32[4,8]"}, {});
        run.specialise = false;
        run.plan.specialised = inputs({"rate=16000"});
        const auto missing = engine::run(run, {});
        QVERIFY(!missing);
        QVERIFY2(messageOf(missing).find("'rate' (int); give it a value, such as 16000") != std::string::npos,
                 messageOf(missing).c_str());
        run.plan.inputs = inputs({"float32[4,8]", "'fast'"});
        const auto wrong = engine::run(run, {});
        QVERIFY(!wrong);
        QVERIFY2(messageOf(wrong).ends_with("; write it as rate=16000"), messageOf(wrong).c_str());
    }

    void aPlanRunsForItsValuesOnly()
    {
        const auto made = engine::run(request({"float32[4,8]", "16000", "'mean'"}, {"third"}), {});
        QVERIFY2(made, messageOf(made).c_str());
        QVERIFY(plan::savePlan(made->plan, path("plan.json")));
        report::RunRequest again;
        again.plan = *plan::loadPlan(path("plan.json"));
        const auto same = engine::check(again, {});
        QVERIFY2(same, messageOf(same).c_str());
        QVERIFY(same->equivalence->overall.bitwise);
        again.plan.inputs = inputs({"float32[4,8]", "8000", "'mean'"});
        const auto other = engine::check(again, {});
        QVERIFY(!other);
        QCOMPARE(other.error().where, std::string("rate"));
        QVERIFY2(other.error().message.starts_with("'rate' is 8000, but the graph is specialised for 16000"),
                 other.error().message.c_str());
        again.plan.inputs = inputs({"float32[4,8]", "16000"}); // mode's default is the value
        QVERIFY(engine::check(again, {}));
        again.specialise = true; // for what is given now: the rate
        const auto anew = engine::check(again, {});
        QVERIFY(!anew); // third is inside an if on the mode again
        QCOMPARE(anew.error().code, ErrorCode::Unsupported);
        again.plan.splits = {"second"};
        const auto renewed = engine::check(again, {});
        QVERIFY2(renewed, messageOf(renewed).c_str());
        QCOMPARE(renewed->plan.specialised, inputs({"rate=16000"}));
    }

    void whatAPlanCannotBeSpecialisedForIsRefused()
    {
        report::RunRequest wanted = request({"float32[4,8]", "16000"}, {"second"});
        wanted.specialise = false;
        wanted.plan.specialised = inputs({"speed=16000"});
        const auto name = engine::check(wanted, {});
        QVERIFY(!name);
        QVERIFY2(name.error().message.starts_with("specialised[0]: got an unexpected keyword argument 'speed'"),
                 name.error().message.c_str());
        wanted.plan.specialised = inputs({"rate='fast'"});
        const auto type = engine::check(wanted, {});
        QVERIFY(!type);
        QVERIFY2(type.error().message.starts_with("specialised[0]: argument 'rate' must be int, got str"),
                 type.error().message.c_str());
        wanted.plan.specialised = inputs({"x=float32[2]"});
        const auto tensor = engine::check(wanted, {});
        QVERIFY(!tensor);
        QCOMPARE(tensor.error().where, std::string("specialised[0]"));
        wanted = request({"float32[4,8]"}, {"second"});
        const auto nothing = engine::check(wanted, {});
        QVERIFY(!nothing);
        QCOMPARE(QString::fromStdString(nothing.error().message),
                 QString("there is no number, bool or text among the inputs to specialise for; give one of these a "
                         "value: rate (int), mode (str)"));
    }

    void savedStagesSayWhatTheyAreFor()
    {
        const report::RunRequest wanted = request({"float32[4,8]", "16000", "'mean'"}, {"second"});
        const auto report = engine::split(wanted, path("parts"), {});
        QVERIFY2(report, messageOf(report).c_str());
        const auto index = nlohmann::json::parse(*readFile(path("parts") + "/stages.json", 1 << 20));
        QCOMPARE(index.at("specialised").dump(), std::string(R"(["rate=16000","mode='mean'"])"));
        const std::string planFile = path("parts") + "/plan.json";
        plan::Plan saved = *plan::loadPlan(planFile);
        QCOMPARE(saved.specialised, report->plan.specialised);
        const auto asWritten = plan::checkStageFiles(planFile, report->plan);
        QVERIFY(asWritten && *asWritten);
        QVERIFY((*asWritten)->answer == plan::StageFiles::Answer::AsWritten);
        plan::Plan other = report->plan;
        other.specialised = inputs({"rate=16000"});
        const auto unlike = plan::checkStageFiles(planFile, other);
        QVERIFY((*unlike)->answer == plan::StageFiles::Answer::Unknown);
        QCOMPARE((*unlike)->explanation,
                 std::string("the stage files were specialised for other inputs (rate=16000, mode='mean') "
                             "than the plan is now (rate=16000); split again"));
    }

    void aValueOfASpecialisedGraphIsLookedAt()
    {
        report::InspectRequest look;
        look.model = m_model;
        look.specialised = inputs({"rate=16000", "mode='mean'"});
        const auto inspection = engine::inspect(look, {});
        QVERIFY2(inspection, messageOf(inspection).c_str());
        report::StatisticsRequest wanted;
        wanted.plan.model = m_model;
        wanted.plan.inputs = inputs({"float32[4,8]", "16000"});
        wanted.plan.specialised = look.specialised;
        wanted.value = inspection->graph.at(4).outputs.at(0); // of the second layer
        const auto told = engine::statistics(wanted, {});
        QVERIFY2(told, messageOf(told).c_str());
        QCOMPARE(told->leaves.at(0).sizes, (std::vector<std::int64_t>{4, 8}));
    }

    void withoutLoadingNothingIsSpecialised()
    {
        report::InspectRequest look;
        look.model = m_model;
        look.structureOnly = true;
        look.specialise = true;
        const auto refused = engine::inspect(look, {});
        QVERIFY(!refused);
        QCOMPARE(refused.error().where, std::string("specialised"));
    }
};

PIPESCOPE_TEST(TestSpecialisedRuns)
#include "tst_specialised_runs.moc"
