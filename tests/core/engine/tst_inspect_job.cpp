#include "engine/inspect_job.h"

#include "core/engine/small_models.h"
#include "support/test_program.h"
#include "support/torch/archive_edit.h"
#include "support/torch/models.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>

using namespace pipescope;
using namespace pipescope::tests;

class TestInspectJob : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string path(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }

    static const partition::SplitPoint *pointNamed(const report::Inspection &inspection, const std::string &id)
    {
        const auto found = std::find_if(inspection.splitPoints.begin(), inspection.splitPoints.end(),
                                        [&](const partition::SplitPoint &point) { return point.id == id; });
        return found == inspection.splitPoints.end() ? nullptr : &*found;
    }

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void aModelIsDescribedWithoutInputs()
    {
        report::InspectRequest request;
        request.model = save(chain(3, 8), path("chain.pt"));
        const auto inspection = engine::inspect(request, {});
        QVERIFY2(inspection, inspection ? "" : inspection.error().message.c_str());
        QCOMPARE(inspection->graph.modelClass, std::string("Chain"));
        QCOMPARE(inspection->graph.modules.size(), std::size_t(4));
        QCOMPARE(inspection->graph.modules[0].parameters, std::int64_t(3 * 64));
        QVERIFY(!inspection->profiled);
        QVERIFY(!inspection->structureOnly);
        QVERIFY(inspection->moduleCosts.empty());
        QVERIFY(inspection->state.empty());
        QCOMPARE(inspection->sha256.size(), std::size_t(64));
        QCOMPARE(inspection->methods.size(), std::size_t(1));
        QCOMPARE(inspection->methods[0].name, std::string("forward"));
        QCOMPARE(inspection->methods[0].signature, std::string("(Tensor x) -> Tensor"));
        QVERIFY(pointNamed(*inspection, "block1"));
        QVERIFY(pointNamed(*inspection, "block1")->cut.legal);
        const std::pair<std::string, int> relus{"aten::relu", 3};
        QVERIFY(std::count(inspection->operators.begin(), inspection->operators.end(), relus) == 1);
    }

    void inputsGiveShapesTimesAndFlops()
    {
        report::InspectRequest request;
        request.model = save(chain(2, 8), path("chain.pt"));
        request.inputs = {*plan::parseInputSpec("x=float32[6,8]")};
        const auto inspection = engine::inspect(request, {});
        QVERIFY2(inspection, inspection ? "" : inspection.error().message.c_str());
        QVERIFY(inspection->profiled);
        QCOMPARE(inspection->moduleCosts.size(), std::size_t(3));
        QVERIFY(inspection->moduleCosts[0].seconds > 0);
        // Two products of 6x8 with 8x8, two operations for each multiply-add.
        QVERIFY(inspection->moduleCosts[0].flops.value_or(0) >= 2 * 2 * 6 * 8 * 8);
        const partition::SplitPoint *point = pointNamed(*inspection, "block1");
        QVERIFY(point);
        QCOMPARE(point->cut.crossing.size(), std::size_t(1));
        const graph::Value &crossing = inspection->graph.value(point->cut.crossing[0]);
        QVERIFY(crossing.tensor.has_value());
        QCOMPARE(graph::toText(*crossing.tensor), std::string("float32[6, 8]"));
        QCOMPARE(partition::crossingBytes(inspection->graph, point->cut), std::optional<std::int64_t>(6 * 8 * 4));
    }

    void aModelOnTheMetaDeviceIsShownAndNotMeasured()
    {
        const std::string words =
            "block0.weight, block1.weight are on the meta device, without values: the model can be "
            "looked at and split, but not run; give it values (to_empty, then load_state_dict) and "
            "save it again";
        report::InspectRequest request;
        request.model = save(chainOnMeta(), path("meta.pt"));
        const auto loaded = engine::inspect(request, {});
        QVERIFY2(loaded, loaded ? "" : loaded.error().message.c_str());
        QCOMPARE(loaded->graph.modules[0].parameterBytes, std::int64_t(2 * 8 * 8 * 4));
        QVERIFY(pointNamed(*loaded, "block1")->cut.legal);
        QCOMPARE(loaded->warnings, std::vector<std::string>{words});
        request.structureOnly = true;
        const auto read = engine::inspect(request, {});
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QCOMPARE(read->graph.modules[0].parameterBytes, std::int64_t(2 * 8 * 8 * 4));
        request.structureOnly = false;
        request.inputs = {*plan::parseInputSpec("x=float32[6,8]")};
        const auto measured = engine::inspect(request, {});
        QVERIFY(!measured);
        QCOMPARE(measured.error().code, ErrorCode::Unsupported);
        QCOMPARE(measured.error().message, words);
    }

    void stateAndOtherMethodsAreShown()
    {
        report::InspectRequest request;
        request.model = save(counting(), path("counting.pt"));
        const auto inspection = engine::inspect(request, {});
        QVERIFY2(inspection, inspection ? "" : inspection.error().message.c_str());
        QCOMPARE(inspection->state, (std::vector<std::string>{"count"}));

        request.model = save(awkward(), path("awkward.pt"));
        request.method = "doubled";
        const auto other = engine::inspect(request, {});
        QVERIFY2(other, other ? "" : other.error().message.c_str());
        QCOMPARE(other->methods.size(), std::size_t(2));
        QCOMPARE(other->graph.method, std::string("doubled"));
        QCOMPARE(other->graph.arguments.size(), std::size_t(1));
    }

    void aMissingMethodIsAnError()
    {
        report::InspectRequest request;
        request.model = save(chain(1, 4), path("chain.pt"));
        request.method = "forwrad";
        const auto inspection = engine::inspect(request, {});
        QVERIFY(!inspection);
        QVERIFY(inspection.error().code == ErrorCode::NotFound);
        QVERIFY(inspection.error().message.find("forward") != std::string::npos);
    }

    void structureOnlyReadsWithoutLoading()
    {
        report::InspectRequest request;
        request.model = save(chain(2, 8), path("chain.pt"));
        request.structureOnly = true;
        const auto inspection = engine::inspect(request, {});
        QVERIFY2(inspection, inspection ? "" : inspection.error().message.c_str());
        QVERIFY(inspection->structureOnly);
        QVERIFY(inspection->splitPoints.empty());
        QCOMPARE(inspection->graph.modelClass, std::string("Chain"));
        QCOMPARE(inspection->graph.modules.size(), std::size_t(3));
        QCOMPARE(inspection->graph.parameters.size(), std::size_t(2));
        QCOMPARE(inspection->graph.calls.size(), std::size_t(2));
        QVERIFY(inspection->graph.order.size() >= 2);
        QVERIFY(!inspection->methods.empty());
        QVERIFY(!inspection->producerVersion.empty());
    }

    void anUnknownOperatorLeavesTheStructure()
    {
        const std::string known = save(testing::exampleCode(), path("known.pt"));
        report::InspectRequest request;
        request.model = path("unknown.pt");
        testing::rewriteArchive(known, request.model, [](const std::string &name, const std::string &bytes) {
            return name == "code/__torch__.py" ? testing::replaced(bytes, "torch.mm(", "ops.nolib.mix(") : bytes;
        });
        const auto inspection = engine::inspect(request, {});
        QVERIFY2(inspection, inspection ? "" : inspection.error().message.c_str());
        QVERIFY(inspection->structureOnly);
        QCOMPARE(inspection->unknownOperators, (std::vector<std::string>{"nolib::mix"}));
        const std::pair<std::string, int> calls{"nolib::mix", 3};
        QVERIFY(std::count(inspection->operators.begin(), inspection->operators.end(), calls) == 1);
        QCOMPARE(inspection->graph.modules.size(), std::size_t(3)); // the model, lin1, lin2
        QCOMPARE(inspection->warnings.size(), std::size_t(1));
        QVERIFY2(inspection->warnings[0].starts_with("only the structure is shown"), inspection->warnings[0].c_str());
        QVERIFY2(inspection->warnings[0].find("load the library that registers it") != std::string::npos,
                 inspection->warnings[0].c_str());
    }

    /// Case C2: cos and sin come from positions alone, so no stage owes them a gradient.
    void onlyWhatDependsOnParametersNeedsGradients()
    {
        report::InspectRequest request;
        request.model = save(testing::c2Rope(), path("rope.pt"));
        request.inputs = {*plan::parseInputSpec("x=float32[4,16]"), *plan::parseInputSpec("positions=float32[4,16]")};
        request.grad = true;
        const auto inspection = engine::inspect(request, {});
        QVERIFY2(inspection, inspection ? "" : inspection.error().message.c_str());
        for (const char *end : {"first:end", "second:end", "third:end"}) {
            const partition::SplitPoint *point = pointNamed(*inspection, end);
            QVERIFY2(point, end);
            std::map<std::string, std::optional<bool>> needsGradient;
            for (const ValueId id : point->cut.crossing) {
                const graph::Value &value = inspection->graph.value(id);
                needsGradient[value.name] = value.requiresGrad;
            }
            const std::string h = std::string(end, std::string_view(end).find(':')) + "/aten::linear:0";
            const std::map<std::string, std::optional<bool>> expected{
                {"aten::cos:0", false}, {"aten::sin:0", false}, {h, true}};
            QCOMPARE(needsGradient, expected);
        }
    }

    void aTextFileIsNamed()
    {
        const std::string file = path("notes.txt");
        std::ofstream(file) << "just some words\n";
        report::InspectRequest request;
        request.model = file;
        for (const bool structureOnly : {false, true}) {
            request.structureOnly = structureOnly;
            const auto inspection = engine::inspect(request, {});
            QVERIFY(!inspection);
            QVERIFY(inspection.error().code == ErrorCode::InvalidFile);
            QVERIFY2(inspection.error().message.find("text") != std::string::npos, inspection.error().message.c_str());
        }
    }

    void aStopBeforeTheWorkCancels()
    {
        report::InspectRequest request;
        request.model = save(chain(1, 4), path("chain.pt"));
        std::stop_source source;
        source.request_stop();
        engine::JobContext context;
        context.stop = source.get_token();
        const auto inspection = engine::inspect(request, context);
        QVERIFY(!inspection);
        QVERIFY(inspection.error().code == ErrorCode::Cancelled);
    }
};

PIPESCOPE_TEST(TestInspectJob)
#include "tst_inspect_job.moc"
