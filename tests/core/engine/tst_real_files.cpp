// The engine's jobs on model files that others made.
#include "core/engine/serve/served_engine.h"
#include "engine/inspect_job.h"
#include "engine/run_job.h"
#include "engine/statistics_job.h"
#include "graph/check_references.h"
#include "support/real_model.h"
#include "support/test_program.h"

#include <QTest>
#include <algorithm>

using namespace pipescope;

class TestRealFiles : public QObject
{
    Q_OBJECT

    static report::RunRequest request(const std::string &model, const std::vector<std::string> &inputs,
                                      int microbatches, const std::vector<std::string> &splits)
    {
        report::RunRequest made;
        made.plan.model = model;
        for (const std::string &input : inputs)
            made.plan.inputs.push_back(*plan::parseInputSpec(input));
        made.plan.splits = splits;
        made.plan.microbatches = microbatches;
        return made;
    }

private Q_SLOTS:
    void initTestCase() { tests::needRealModels({"silero_vad.jit", "vit4mnist.ptl"}); }

    void sileroIsInspectedAndItsStateIsNamed()
    {
        const std::string model = tests::realModel("silero_vad.jit");
        report::InspectRequest wanted;
        wanted.model = model;
        const auto inspection = engine::inspect(wanted, {});
        QVERIFY2(inspection, inspection ? "" : inspection.error().message.c_str());
        QCOMPARE(inspection->graph.modules.size(), std::size_t(55));
        QCOMPARE(inspection->graph.modules.front().parameters, std::int64_t(462'594));
        QCOMPARE(inspection->state, (std::vector<std::string>{"_context", "_last_batch_size", "_last_sr", "_state"}));
        QCOMPARE(inspection->splitPoints.size(), std::size_t(53));
    }

    void sileroIsEquivalentInEveryLegalSplitInTwo()
    {
        const std::string model = tests::realModel("silero_vad.jit");
        report::InspectRequest wanted;
        wanted.model = model;
        const auto inspection = engine::inspect(wanted, {});
        QVERIFY(inspection);
        int legal = 0;
        for (const partition::SplitPoint &point : inspection->splitPoints) {
            if (!point.cut.legal)
                continue;
            ++legal;
            const auto report = engine::run(request(model, {"float32[2,512]", "16000"}, 2, {point.id}), {});
            QVERIFY2(report, report ? "" : (point.id + ": " + report.error().message).c_str());
            QVERIFY2(report->equivalence->overall.bitwise, point.id.c_str());
            QVERIFY2(!report->separability->holds, point.id.c_str());
            QVERIFY2(report->separability->cause == report::Cause::State, point.id.c_str());
            QVERIFY2(report->separability->explanation.find("_context") != std::string::npos,
                     report->separability->explanation.c_str());
        }
        QCOMPARE(legal, 29); // none after _last_sr and _context are first touched: state belongs to one stage
    }

    /// Its whole network is inside `if sr == 16000`, between the first and the last use of its state.
    void sileroForOneRateIsEquivalentInEveryLegalSplitInTwo()
    {
        const std::string model = tests::realModel("silero_vad.jit");
        report::InspectRequest wanted;
        wanted.model = model;
        wanted.inputs = {*plan::parseInputSpec("float32[2,512]"), *plan::parseInputSpec("16000")};
        const auto whole = engine::inspect(wanted, {});
        QVERIFY2(whole, tests::messageOf(whole).c_str());
        QVERIFY(whole->specialisable.has_value());
        wanted.specialise = true;
        const auto inspection = engine::inspect(wanted, {});
        QVERIFY2(inspection, tests::messageOf(inspection).c_str());
        int legal = 0;
        int inEncoder = 0;
        int inDecoder = 0;
        for (const partition::SplitPoint &point : inspection->splitPoints) {
            if (!point.cut.legal)
                continue;
            ++legal;
            const std::string &fqn = inspection->graph.at(point.cut.position).fqn;
            inEncoder += fqn.starts_with("_model.encoder.") ? 1 : 0;
            inDecoder += fqn.starts_with("_model.decoder.") ? 1 : 0;
            report::RunRequest run = request(model, {"float32[2,512]", "16000"}, 2, {point.id});
            run.specialise = true;
            const auto report = engine::run(run, {});
            QVERIFY2(report, (point.id + ": " + tests::messageOf(report)).c_str());
            QVERIFY2(report->equivalence->overall.bitwise, point.id.c_str());
            QCOMPARE(report->plan.specialised, std::vector{*plan::parseInputSpec("sr=16000")});
        }
        QCOMPARE(whole->specialisable->places, legal);
        QCOMPARE(legal, 78);
        QCOMPARE(inEncoder, 20);
        QCOMPARE(inDecoder, 7);
    }

    void sileroForOneRateRunsInFourStages()
    {
        report::RunRequest run = request(tests::realModel("silero_vad.jit"), {"float32[16,512]", "16000"}, 8, {"4"});
        run.specialise = true;
        const auto report = engine::run(run, {});
        QVERIFY2(report, tests::messageOf(report).c_str());
        QCOMPARE(report->stages.size(), std::size_t(4));
        QVERIFY(report->equivalence->overall.bitwise);
    }

    void sileroIsLookedIntoValueByValue()
    {
        report::StatisticsRequest wanted;
        wanted.plan = request(tests::realModel("silero_vad.jit"), {"float32[2,512]", "16000"}, 1, {}).plan;
        report::InspectRequest inspected;
        inspected.model = wanted.plan.model;
        const auto inspection = engine::inspect(inspected, {});
        QVERIFY2(inspection, tests::messageOf(inspection).c_str());
        const graph::ModelGraph &graph = inspection->graph;
        // What it returns is how likely there is speech in each row.
        wanted.value = graph.outputs.at(0);
        const auto returned = engine::statistics(wanted, {});
        QVERIFY2(returned, tests::messageOf(returned).c_str());
        const report::LeafStatistics &leaf = returned->leaves.at(0);
        QCOMPARE(leaf.sizes, (std::vector<std::int64_t>{2, 1}));
        QVERIFY(leaf.smallest.value() >= 0 && leaf.largest.value() <= 1);
        QCOMPARE(leaf.nans, 0);
        // The sample rate as it was given, and a weight.
        wanted.value = graph.arguments.at(1).value;
        const auto rate = engine::statistics(wanted, {});
        QVERIFY2(rate, tests::messageOf(rate).c_str());
        QCOMPARE(rate->text, std::string("16000"));
        const auto parameter = std::find_if(graph.parameters.begin(), graph.parameters.end(),
                                            [](const graph::Parameter &candidate) { return !candidate.isBuffer; });
        QVERIFY(parameter != graph.parameters.end());
        wanted.value = {};
        wanted.parameter = parameter->fqn;
        const auto weight = engine::statistics(wanted, {});
        QVERIFY2(weight, tests::messageOf(weight).c_str());
        QCOMPARE(weight->leaves.at(0).sizes, parameter->tensor.sizes);
        QVERIFY(weight->leaves[0].deviation.value() > 0);
    }

    void sileroComesThroughAnEngineWhole()
    {
        tests::ServedEngine engine;
        QVERIFY(engine.greet());
        report::InspectRequest load;
        load.model = tests::realModel("silero_vad.jit");
        engine.talk->ask<protocol::LoadCall>(2, load);
        const auto inspection = engine.talk->answer<protocol::LoadCall>(2);
        QVERIFY2(inspection, tests::messageOf(inspection).c_str());
        QVERIFY(inspection->graph.size() > 30);
        QVERIFY(graph::checkReferences(inspection->graph));
        QVERIFY(!inspection->splitPoints.empty());
    }

    void vitIsEquivalentButQuantizesOverTheWholeBatch_data()
    {
        QTest::addColumn<QByteArray>("stages");
        for (const char *stages : {"2", "3", "4"})
            QTest::newRow(stages) << QByteArray(stages);
    }

    void vitIsEquivalentButQuantizesOverTheWholeBatch()
    {
        QFETCH(QByteArray, stages);
        const std::string model = tests::realModel("vit4mnist.ptl");
        report::RunRequest wanted = request(model, {"img=float32[20,1,28,28]"}, 10, {});
        wanted.balanceInto = stages.toInt();
        const auto report = engine::run(wanted, {});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QCOMPARE(report->stages.size(), std::size_t(stages.toInt()));
        QCOMPARE(report->microbatches, std::vector<std::int64_t>(10, 2));
        QVERIFY(report->equivalence->overall.bitwise);
        QVERIFY(!report->separability->holds);
        QVERIFY(report->separability->cause == report::Cause::DynamicQuantization);
        QVERIFY2(report->separability->explanation.find("quantizes dynamically") != std::string::npos,
                 report->separability->explanation.c_str());
        // As much as the digits' scores differ: far above rounding, whatever the random images.
        QVERIFY2(report->separability->maxAbsError > 0.1 && report->separability->maxAbsError < 3,
                 qPrintable(QString::number(report->separability->maxAbsError)));
    }
};

PIPESCOPE_TEST(TestRealFiles)
#include "tst_real_files.moc"
