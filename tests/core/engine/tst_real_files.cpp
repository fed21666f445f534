// The main job on model files that others made.
#include "engine/inspect_job.h"
#include "engine/run_job.h"
#include "support/real_model.h"
#include "support/test_program.h"

#include <QTest>

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
    void sileroIsInspectedAndItsStateIsNamed()
    {
        const std::string model = tests::realModel("silero_vad.jit");
        if (model.empty())
            QSKIP("silero_vad.jit is not here: put it into $PIPESCOPE_MODELS");
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
        if (model.empty())
            QSKIP("silero_vad.jit is not here: put it into $PIPESCOPE_MODELS");
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
        if (model.empty())
            QSKIP("vit4mnist.ptl is not here: put it into $PIPESCOPE_MODELS");
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
