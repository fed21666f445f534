#include "plan_options.h"

#include "plan/plan_file.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pipescope;
using app::makeRequest;
using app::PlanOptions;

namespace {

PlanOptions modelOptions()
{
    PlanOptions options;
    options.file = "model.pt";
    return options;
}

} // namespace

class TestPlanOptions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void withoutOptionsThePlanHasItsDefaults()
    {
        const auto request = makeRequest(modelOptions());
        QVERIFY(request);
        plan::Plan expected;
        expected.model = "model.pt";
        QCOMPARE(request->plan, expected);
        QVERIFY(!request->balanceInto);
    }

    void splitsAreSeparatedByCommasAndRepeated()
    {
        PlanOptions options = modelOptions();
        options.splits = {"layers.1, layers.2:end", "head"};
        QCOMPARE(makeRequest(options)->plan.splits, (std::vector<std::string>{"layers.1", "layers.2:end", "head"}));
    }

    void aCommaInQuotesSeparatesNothing()
    {
        PlanOptions options = modelOptions();
        options.splits = {"\"a,b\",fc2", "'c,d':end"};
        QCOMPARE(makeRequest(options)->plan.splits, (std::vector<std::string>{"\"a,b\"", "fc2", "'c,d':end"}));
        options.splits = {"fc1,\"a,b"};
        const auto refused = makeRequest(options);
        QVERIFY(!refused);
        QCOMPARE(refused.error().where, std::string("--split"));
        QVERIFY2(refused.error().message.starts_with("the name that begins with \" has no end: \"a,b"),
                 refused.error().message.c_str());
    }

    void aLoneNumberGoesAlongUntilTheModelIsKnown()
    {
        PlanOptions options = modelOptions();
        options.splits = {"4"};
        const auto request = makeRequest(options);
        QVERIFY(!request->balanceInto);
        QCOMPARE(request->plan.splits, std::vector<std::string>{"4"}); // it may be the name of a module
    }

    void countsOutOfRangeNameTheOption()
    {
        const auto errorOf = [](const PlanOptions &options) {
            const auto request = makeRequest(options);
            return request ? Error{ErrorCode::Internal, "no error", {}, {}} : request.error();
        };
        PlanOptions microbatches = modelOptions();
        microbatches.microbatches = 0;
        QCOMPARE(errorOf(microbatches).where, std::string("--microbatches"));
        QCOMPARE(errorOf(microbatches).message, std::string("expected a whole number from 1 to 1000000, found 0"));
        PlanOptions threads = modelOptions();
        threads.threadsPerRank = 5000;
        QCOMPARE(errorOf(threads).where, std::string("--threads-per-rank"));
        PlanOptions inFlight = modelOptions();
        inFlight.maxInFlight = -1;
        QCOMPARE(errorOf(inFlight).where, std::string("--max-in-flight"));
        PlanOptions tolerance = modelOptions();
        tolerance.rtol = 0.1;
        tolerance.atol = -1;
        QCOMPARE(errorOf(tolerance).where, std::string("--atol"));
        PlanOptions library = modelOptions();
        library.opLibraries = {"lib.so", ""};
        QCOMPARE(errorOf(library).where, std::string("--op-library"));
        QCOMPARE(errorOf(library).message, std::string("expected the path of a library, found nothing"));
    }

    void chunksAreNamed()
    {
        PlanOptions options = modelOptions();
        options.chunks = {"x=0", "mask = replicate", "cache=(1, replicate)"};
        options.outputChunks = "-1";
        const auto request = makeRequest(options);
        QVERIFY(request);
        QCOMPARE(request->plan.inputChunks.size(), std::size_t(3));
        QCOMPARE(request->plan.inputChunks[1].first, std::string("mask"));
        QCOMPARE(toText(request->plan.inputChunks[1].second), std::string("replicate"));
        QCOMPARE(toText(request->plan.inputChunks[2].second), std::string("(1, replicate)"));
        QCOMPARE(toText(*request->plan.outputChunks), std::string("-1"));
    }

    void mistakesNameTheOption_data()
    {
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("message");
        QTest::newRow("a chunk without a name") << "--chunk"
                                                << "0"
                                                << "'0' names no input; write NAME=SPEC, like x=0 or mask=replicate";
        QTest::newRow("devices") << "--devices"
                                 << "gpu"
                                 << "'gpu' is no device; write cpu:4 for four CPU devices, or a list like cpu:0,cpu:1";
        QTest::newRow("one tolerance") << "--rtol"
                                       << "0.1"
                                       << "--rtol and --atol go together: give both or neither";
        QTest::newRow("an input") << "--input"
                                  << "x=float33[4]"
                                  << "";
        QTest::newRow("a chunk spec") << "--chunk"
                                      << "x=rplicate"
                                      << "";
    }

    void mistakesNameTheOption()
    {
        QFETCH(QString, option);
        QFETCH(QString, value);
        QFETCH(QString, message);
        PlanOptions options = modelOptions();
        if (option == "--chunk")
            options.chunks = {value.toStdString()};
        else if (option == "--devices")
            options.devices = value.toStdString();
        else if (option == "--input")
            options.inputs = {value.toStdString()};
        else
            options.rtol = value.toDouble();
        const auto request = makeRequest(options);
        QVERIFY(!request);
        QVERIFY(request.error().code == ErrorCode::InvalidArgument);
        QCOMPARE(QString::fromStdString(request.error().where), option);
        if (!message.isEmpty())
            QCOMPARE(QString::fromStdString(request.error().message), message);
    }

    void aPlanStaysSpecialisedUntilItIsSaidOtherwise()
    {
        QTemporaryDir folder;
        PlanOptions options;
        options.file = folder.filePath("plan.json").toStdString();
        plan::Plan saved;
        saved.model = folder.filePath("model.pt").toStdString();
        saved.specialised = {*plan::parseInputSpec("sr=16000")};
        QVERIFY(plan::savePlan(saved, options.file));
        options.inputs = {"float32[8,512]", "8000"};
        const auto kept = makeRequest(options);
        QVERIFY2(kept, kept ? "" : kept.error().message.c_str());
        QCOMPARE(kept->plan.specialised, saved.specialised);
        QVERIFY(!kept->specialise);
        options.specialise = true; // for what is given, once the model tells the names
        const auto anew = makeRequest(options);
        QVERIFY(anew && anew->specialise && anew->plan.specialised.empty());
        options.specialise = false;
        const auto whole = makeRequest(options);
        QVERIFY(whole && !whole->specialise && whole->plan.specialised.empty());
    }

    void optionsReplaceWhatAPlanSays()
    {
        QTemporaryDir folder;
        const std::string file = folder.filePath("plan.json").toStdString();
        plan::Plan saved;
        saved.model = folder.filePath("model.pt").toStdString();
        saved.inputs = {*plan::parseInputSpec("x=float32[8,4]")};
        saved.splits = {"a", "b"};
        saved.microbatches = 8;
        saved.devices = {"cpu:0", "cpu:1", "cpu:2"};
        saved.grad = true;
        QVERIFY(plan::savePlan(saved, file));

        PlanOptions options;
        options.file = file;
        const auto unchanged = makeRequest(options);
        QVERIFY2(unchanged, unchanged ? "" : unchanged.error().message.c_str());
        QCOMPARE(unchanged->plan.splits, saved.splits);
        QCOMPARE(unchanged->plan.devices, saved.devices);

        options.microbatches = 2;
        options.grad = false;
        options.splits = {"a"};
        const auto changed = makeRequest(options);
        QVERIFY(changed);
        QCOMPARE(changed->plan.microbatches, 2);
        QCOMPARE(changed->plan.grad, false);
        QCOMPARE(changed->plan.inputs, saved.inputs);
        // The three devices were for three stages.
        QCOMPARE(changed->plan.devices, std::vector<std::string>{});
    }
};

PIPESCOPE_TEST(TestPlanOptions)
#include "tst_plan_options.moc"
