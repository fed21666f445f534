#include "plan/plan.h"

#include "support/test_program.h"

#include <QTest>

#include <functional>
#include <limits>

using namespace pipescope;
using namespace pipescope::plan;

namespace {

Plan good()
{
    Plan plan;
    plan.model = "m.pt";
    plan.devices = {"cpu:0"};
    return plan;
}

Error errorAfter(const std::function<void(Plan &)> &change)
{
    Plan plan = good();
    change(plan);
    const Status status = validatePlan(plan);
    return status ? Error{ErrorCode::Internal, "no error", {}, {}} : status.error();
}

} // namespace

class TestPlan : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPlanWithAModelAndADeviceIsValid() { QVERIFY(bool(validatePlan(good()))); }

    void microbatchesAreCountedInRowsOrInItems()
    {
        Plan plan = good();
        plan.inputChunks = {{"x", *microbatch::parseChunkSpec("(0, replicate)")}};
        QCOMPARE(microbatchUnit(plan), std::string_view("row"));
        plan.inputChunks.emplace_back("images", *microbatch::parseChunkSpec("{left: [list]}"));
        QCOMPARE(microbatchUnit(plan), std::string_view("item"));
    }

    void theBoundsThemselvesAreValid()
    {
        Plan plan = good();
        plan.microbatches = 1000000;
        plan.threadsPerRank = 4096;
        plan.maxInFlight = 1000000;
        plan.devices.assign(1024, "cpu:0");
        plan.rtol = 0;
        plan.atol = 0;
        plan.modelSha256 = std::string(64, 'a');
        QVERIFY(bool(validatePlan(plan)));
    }

    void everyKeyThatIsWrongIsNamed_data()
    {
        QTest::addColumn<std::function<void(Plan &)>>("change");
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("message");
        const auto row = [](const char *name, std::function<void(Plan &)> change, const char *where,
                            const char *message) { QTest::newRow(name) << change << where << message; };
        row(
            "model", [](Plan &p) { p.model = ""; }, "model", "model: expected the path of a model, found nothing");
        row(
            "bytes", [](Plan &p) { p.model = "\xFF"; }, "model",
            "model: '\\xff' is not UTF-8, which a plan cannot hold");
        row(
            "hash", [](Plan &p) { p.modelSha256 = "abc"; }, "modelSha256",
            "modelSha256: expected 64 lower-case hexadecimal digits");
        row(
            "upper-case hash", [](Plan &p) { p.modelSha256 = std::string(64, 'A'); }, "modelSha256",
            "modelSha256: expected 64 lower-case hexadecimal digits");
        row(
            "method", [](Plan &p) { p.method = ""; }, "method", "method: expected the name of a method, found nothing");
        row(
            "library",
            [](Plan &p) {
                p.opLibraries = {"a.so", ""};
            },
            "opLibraries[1]", "opLibraries[1]: expected the path of a library, found nothing");
        row(
            "input name",
            [](Plan &p) {
                p.inputs = {{"a b", {true}}};
            },
            "inputs[0]", "inputs[0]: 'a b' is not the name of an argument");
        row(
            "input twice",
            [](Plan &p) {
                p.inputs = {{"x", {true}}, {"", {true}}, {"x", {true}}};
            },
            "inputs[2]", "inputs[2]: the input 'x' is given twice");
        row(
            "specialised for a file",
            [](Plan &p) {
                p.specialised = {{"x", {FileSpec{"x.pt"}}}};
            },
            "specialised[0]",
            "specialised[0]: expected the name of an argument and a number, a bool, a text or None for it, like "
            "sr=16000, found 'x=@x.pt'");
        row(
            "specialised name",
            [](Plan &p) {
                p.specialised = {{"a b", {true}}};
            },
            "specialised[0]", "specialised[0]: 'a b' is not the name of an argument");
        row(
            "chunk twice",
            [](Plan &p) {
                p.inputChunks = {{"x", {}}, {"x", {}}};
            },
            "inputChunks", "inputChunks: 'x' is given twice");
        row(
            "chunk name",
            [](Plan &p) {
                p.inputChunks = {{"", {}}};
            },
            "inputChunks", "inputChunks: '' is not the name of an argument");
        row(
            "split", [](Plan &p) { p.splits = {""}; }, "splits[0]", "splits[0]: expected a split point, found nothing");
        row(
            "microbatches", [](Plan &p) { p.microbatches = 0; }, "microbatches",
            "microbatches: expected a whole number from 1 to 1000000, found 0");
        row(
            "many microbatches", [](Plan &p) { p.microbatches = 1000001; }, "microbatches",
            "microbatches: expected a whole number from 1 to 1000000, found 1000001");
        row(
            "schedule", [](Plan &p) { p.schedule = ""; }, "schedule",
            "schedule: expected the name of a schedule, found nothing");
        row(
            "many devices", [](Plan &p) { p.devices.assign(1025, "cpu:0"); }, "devices", "devices: more than 1024");
        row(
            "device",
            [](Plan &p) {
                p.devices = {"cpu:0", ""};
            },
            "devices[1]", "devices[1]: expected a device, found nothing");
        row(
            "threads", [](Plan &p) { p.threadsPerRank = 0; }, "threadsPerRank",
            "threadsPerRank: expected a whole number from 1 to 4096, found 0");
        row(
            "in flight", [](Plan &p) { p.maxInFlight = -1; }, "maxInFlight",
            "maxInFlight: expected a whole number from 0 to 1000000, found -1");
        row(
            "rtol alone", [](Plan &p) { p.rtol = 1e-5; }, "atol",
            "atol: rtol and atol belong together; give both or neither");
        row(
            "atol alone", [](Plan &p) { p.atol = 1e-5; }, "rtol",
            "rtol: rtol and atol belong together; give both or neither");
        row(
            "negative", [](Plan &p) { p.rtol = -1, p.atol = 0; }, "rtol",
            "rtol: expected a finite number that is not negative, found -1");
        row(
            "infinite", [](Plan &p) { p.rtol = 0, p.atol = std::numeric_limits<double>::infinity(); }, "atol",
            "atol: expected a finite number that is not negative, found inf");
        row(
            "not a number", [](Plan &p) { p.rtol = std::numeric_limits<double>::quiet_NaN(), p.atol = 0; }, "rtol",
            "rtol: expected a finite number that is not negative, found nan");
    }

    void everyKeyThatIsWrongIsNamed()
    {
        QFETCH(std::function<void(Plan &)>, change);
        QFETCH(QString, where);
        QFETCH(QString, message);
        const Error error = errorAfter(change);
        QCOMPARE(error.code, ErrorCode::InvalidArgument);
        QCOMPARE(QString::fromStdString(error.where), where);
        QCOMPARE(QString::fromStdString(error.message), message);
    }
};

PIPESCOPE_TEST(TestPlan)
#include "tst_plan.moc"
