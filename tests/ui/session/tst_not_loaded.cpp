#include "session/not_loaded.h"

#include "session/document.h"
#include "session/split_preview.h"
#include "session/staging.h"
#include "support/layers_model.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::session;

namespace {

std::shared_ptr<const report::Inspection> inspected(bool structureOnly, bool loadRefused = false,
                                                    const std::vector<std::string> &unknown = {})
{
    report::Inspection inspection = tests::layersModel(2, structureOnly);
    inspection.loadRefused = loadRefused;
    inspection.unknownOperators = unknown;
    return std::make_shared<const report::Inspection>(std::move(inspection));
}

} // namespace

class TestNotLoaded : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aLoadedModelLacksNothing()
    {
        const auto model = inspected(false);
        QCOMPARE(whyNotRun(*model), QString());
        QCOMPARE(whyNotSplit(*model), QString());
        QCOMPARE(splitPointsOf(model).get(), &model->splitPoints);
    }

    void theReasonSaysWhatToDo()
    {
        QVERIFY(whyNotRun(*inspected(true)).contains("trust and load"));
        QVERIFY(whyNotRun(*inspected(true, true)).contains("LibTorch cannot load this file"));
        QCOMPARE(whyNotRun(*inspected(true, true, {"a::b"})),
                 QString("LibTorch does not know a::b: load the library that registers it with the model first."));
        QCOMPARE(whyNotRun(*inspected(true, true, {"aten::squash"})),
                 QString("LibTorch does not know aten::squash: another version of PyTorch wrote this file."));
        QCOMPARE(whyNotRun(*inspected(true, true, {"prepacked::linear_clamp_run"})),
                 QString("LibTorch does not know prepacked::linear_clamp_run: the model was made for phones; save it "
                         "again without optimize_for_mobile."));
        QCOMPARE(whyNotSplit(*inspected(true)), QString("Not loaded: trust and load it to place splits."));
    }

    void operatorsAreNamedAsFarAsTheyCanBeRead()
    {
        QCOMPARE(unknownOperators(*inspected(true, true, {"a::b", "c::d"})), QString("a::b, c::d"));
        QCOMPARE(unknownOperators(*inspected(true, true, std::vector<std::string>(1000, "a::b"))),
                 QString("a::b, a::b, a::b, a::b, a::b and 995 more"));
        QVERIFY(unknownOperators(*inspected(true, true, {std::string(100'000, 'x')})).size() < 100);
    }

    void everyPlaceOfAReadModelIsRefusedWithTheReason()
    {
        const auto model = inspected(true);
        const auto points = splitPointsOf(model);
        QCOMPARE(points->size(), std::size_t(1));
        const SplitTable table({model, &model->graph}, points);
        const SplitPreview preview = table.preview({}, 1);
        QVERIFY(!preview.legal);
        QCOMPARE(QString::fromStdString(preview.reason), whyNotSplit(*model));
    }

    void theSplitsOfAPlanAreLeftAloneUntilItsModelIsLoaded()
    {
        Document document;
        document.newFor("model.pt");
        document.edit("Split", [](plan::Plan &plan) { plan.splits = {"only.in.the.loaded.one"}; });
        document.setModel(inspected(true));
        const Staging staging = stagingOf(document.plan(), *document.model());
        QVERIFY(!staging.problem);
        QVERIFY(staging.partition.stages.empty());
        const Status placed = placeSplit(document, "layers.1");
        QVERIFY(!placed);
        QCOMPARE(QString::fromStdString(placed.error().message), whyNotSplit(*document.model()));
        QCOMPARE(document.plan().splits.size(), std::size_t(1));
        document.setModel(inspected(false));
        QVERIFY(stagingOf(document.plan(), *document.model()).problem);
    }
};

PIPESCOPE_TEST(TestNotLoaded)
#include "tst_not_loaded.moc"
