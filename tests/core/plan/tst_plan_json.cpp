#include "plan/plan_file.h"

#include "base/file.h"
#include "support/member_count.h"
#include "support/random_plan.h"
#include "support/test_program.h"

#include <QTest>
#include <nlohmann/json.hpp>

using namespace pipescope;
using namespace pipescope::plan;

namespace {

Plan full()
{
    Plan plan;
    plan.model = "models/gpt.pt";
    plan.modelSha256 = std::string(64, '0');
    plan.opLibraries = {"libops.so"};
    plan.inputs = {*parseInputSpec("x=float32[16,512]"), *parseInputSpec("ids=int64[8,128]<50257"),
                   *parseInputSpec("true")};
    plan.specialised = {*parseInputSpec("sr=16000"), *parseInputSpec("mode='sum'"), *parseInputSpec("gain=-inf")};
    plan.inputChunks = {{"x", *microbatch::parseChunkSpec("0")}, {"mask", *microbatch::parseChunkSpec("replicate")}};
    plan.outputChunks = *microbatch::parseChunkSpec("[0, sum]");
    plan.splits = {"layers.4", "layers.8:end"};
    plan.microbatches = 8;
    plan.devices = {"cpu:0", "cpu:1", "cpu:2"};
    plan.threadsPerRank = 2;
    plan.maxInFlight = 5;
    plan.seed = 18446744073709551615U;
    plan.grad = true;
    plan.rtol = 1e-5;
    plan.atol = 1e-8;
    return plan;
}

// The error of a plan with these members beside the ones every plan needs.
Error planError(const std::string &members)
{
    const auto plan = parsePlan(std::string("{\"pipescopePlan\": 1, \"model\": \"m.pt\", \"devices\": [\"cpu:0\"]") +
                                (members.empty() ? "" : ", ") + members + "}");
    return plan ? Error{ErrorCode::Internal, "no error", {}, {}} : plan.error();
}

} // namespace

class TestPlanJson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void textThatJsonCannotHoldIsNamed()
    {
        QVERIFY(checkWritable(Plan()));
        QVERIFY(checkWritable(full()));
        const auto problemOf = [](auto change) {
            Plan plan = full();
            change(plan);
            const Status writable = checkWritable(plan);
            return writable ? "none" : writable.error().message;
        };
        QCOMPARE(problemOf([](Plan &plan) { plan.model = "/tmp/m\xff.pt"; }),
                 std::string("model: '/tmp/m\\xff.pt' is not UTF-8, which a plan cannot hold"));
        QCOMPARE(problemOf([](Plan &plan) {
                     plan.opLibraries = {"a.so", "\xc3.so"};
                 }),
                 std::string("opLibraries[1]: '\\xc3.so' is not UTF-8, which a plan cannot hold"));
        QCOMPARE(problemOf([](Plan &plan) { plan.inputs = {*parseInputSpec("x='\\xff'")}; }), std::string("none"));
    }

    void thePlanIsWrittenAsDocumented()
    {
        const QString expected = R"({
  "pipescopePlan": 1,
  "model": "models/gpt.pt",
  "modelSha256": "0000000000000000000000000000000000000000000000000000000000000000",
  "method": "forward",
  "opLibraries": [
    "libops.so"
  ],
  "inputs": [
    "x=float32[16,512]",
    "ids=int64[8,128]<50257",
    "true"
  ],
  "specialised": [
    "sr=16000",
    "mode='sum'",
    "gain=-inf"
  ],
  "inputChunks": {
    "x": "0",
    "mask": "replicate"
  },
  "outputChunks": "[0, sum]",
  "splits": [
    "layers.4",
    "layers.8:end"
  ],
  "microbatches": 8,
  "schedule": "gpipe",
  "devices": [
    "cpu:0",
    "cpu:1",
    "cpu:2"
  ],
  "threadsPerRank": 2,
  "maxInFlight": 5,
  "seed": 18446744073709551615,
  "grad": true,
  "rtol": 1e-05,
  "atol": 1e-08
}
)";
        QCOMPARE(QString::fromStdString(toJson(full())), expected);
        QCOMPARE(*parsePlan(toJson(full())), full());
    }

    void keysThatAreLeftOutHaveTheirDefaults()
    {
        Plan expected;
        expected.model = "m.pt";
        expected.devices = {"cpu:0"};
        const auto plan =
            parsePlan("\xEF\xBB\xBF{\"devices\": [\"cpu:0\"], \"model\": \"m.pt\", \"pipescopePlan\": 1}");
        QVERIFY(bool(plan));
        QCOMPARE(*plan, expected);
        QCOMPARE(*parsePlan(toJson(expected)), expected);
    }

    void everyKeyIsDocumented()
    {
        const auto page = readFile(PIPESCOPE_SOURCE_DIR "/docs/plan-format.md", 1 << 20);
        QVERIFY(bool(page));
        const nlohmann::json json = nlohmann::json::parse(toJson(full()));
        for (const auto &[key, value] : json.items())
            QVERIFY2(page->find("`" + key + "`") != std::string::npos, key.c_str());
    }

    void anUnknownKeyIsRefusedByName()
    {
        const Error error = planError(R"("microbatch": 4)");
        QCOMPARE(error.code, ErrorCode::InvalidFile);
        QCOMPARE(error.where, std::string("microbatch"));
        QCOMPARE(error.message, std::string("microbatch: there is no such key. Did you mean microbatches?"));
    }

    void aKeyTwiceIsRefused()
    {
        QCOMPARE(planError(R"("seed": 1, "seed": 2)").message, std::string("seed: the key is there twice"));
        QCOMPARE(planError(R"("inputChunks": {"x": "0", "y": "0", "x": "1"})").message,
                 std::string("x: the key is there twice"));
        QCOMPARE(planError(R"("inputChunks": {"seed": "0"}, "seed": 2)").message, std::string("no error"));
    }

    void aNewerPlanIsNamedAsSuch()
    {
        const auto plan = parsePlan(R"({"pipescopePlan": 2, "somethingNew": [[[1]]], "model": 3})");
        QVERIFY(!plan);
        // Nesting that no version 1 plan has is refused before the version can be looked at.
        QCOMPARE(plan.error().message, std::string("nested deeper than a plan is"));
        const auto newer = parsePlan(R"({"pipescopePlan": 2, "somethingNew": [1], "model": 3})");
        QCOMPARE(newer.error().where, std::string("pipescopePlan"));
        QCOMPARE(newer.error().message,
                 std::string("pipescopePlan: the plan is of version 2, and this program reads version 1; use a newer "
                             "Pipescope"));
    }

    void aTextOfMegabytesIsRefused()
    {
        const std::string path(5000, 'm');
        QCOMPARE(planError("\"method\": \"" + path + '"').message,
                 std::string("method: expected at most 4096 bytes, found 5000"));
        QCOMPARE(planError("\"splits\": [\"a\", \"" + path + "\"]").message,
                 std::string("splits[1]: expected at most 4096 bytes, found 5000"));
        const std::string huge(2 << 20, '1');
        QCOMPARE(planError("\"inputs\": [\"" + huge + "\"]").message,
                 std::string("inputs[0]: expected at most 1048576 bytes, found 2097152"));
    }

    void whatIsNoPlanIsRefused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("nothing") << ""
                                 << "this is not valid JSON: parse error at line 1, column 1";
        QTest::newRow("cut off") << "{\"pipescopePlan\": 1,"
                                 << "this is not valid JSON: parse error at line 1, column 21";
        QTest::newRow("a list") << "[1]"
                                << "expected a JSON object, found array";
        QTest::newRow("a number") << "1"
                                  << "expected a JSON object, found number";
        QTest::newRow("another object") << "{}"
                                        << "pipescopePlan: this key is missing, so this is no Pipescope plan";
        QTest::newRow("version as text") << "{\"pipescopePlan\": \"1\"}"
                                         << "pipescopePlan: expected a version number";
        QTest::newRow("version zero") << "{\"pipescopePlan\": 0}"
                                      << "pipescopePlan: expected a version number";
        QTest::newRow("two objects") << "{} {}"
                                     << "this is not valid JSON: parse error at line 1, column 4";
        QTest::newRow("a huge number") << "{\"pipescopePlan\": 1e999}"
                                       << "this is not valid JSON: number overflow";
        QTest::newRow("deep") << QString(100000, '[') << "nested deeper than a plan is";
    }

    void whatIsNoPlanIsRefused()
    {
        QFETCH(QString, text);
        QFETCH(QString, message);
        const auto plan = parsePlan(text.toStdString());
        QVERIFY(!plan);
        QCOMPARE(plan.error().code, ErrorCode::InvalidFile);
        // An unclosed run of brackets is broken JSON as well as too deep; either answer will do.
        const QString found = QString::fromStdString(plan.error().message);
        QVERIFY2(found.startsWith(message) || (text.size() == 100000 && found.startsWith("this is not valid JSON")),
                 qPrintable(found));
    }

    void valuesOfAnotherTypeAreRefusedWithTheirPath_data()
    {
        QTest::addColumn<QString>("members");
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("message");
        QTest::newRow("string") << R"("method": 3)"
                                << "method"
                                << "method: expected a string, found number";
        QTest::newRow("bool") << R"("grad": 1)"
                              << "grad"
                              << "grad: expected true or false, found number";
        QTest::newRow("hash") << R"("modelSha256": "")"
                              << "modelSha256"
                              << "modelSha256: expected 64 lower-case hexadecimal digits";
        QTest::newRow("list") << R"("splits": "layers.4")"
                              << "splits"
                              << "splits: expected a list, found string";
        QTest::newRow("item") << R"("splits": ["a", null])"
                              << "splits[1]"
                              << "splits[1]: expected a string, found null";
        QTest::newRow("object") << R"("inputChunks": [])"
                                << "inputChunks"
                                << "inputChunks: expected an object of chunk specs by argument name, found array";
        QTest::newRow("count") << R"("microbatches": 1.5)"
                               << "microbatches"
                               << "microbatches: expected a whole number, found 1.5";
        QTest::newRow("count as text") << R"("microbatches": "4")"
                                       << "microbatches"
                                       << "microbatches: expected a whole number, found string";
        QTest::newRow("large") << R"("microbatches": 4294967297)"
                               << "microbatches"
                               << "microbatches: expected a whole number, found 4294967297";
        QTest::newRow("small") << R"("maxInFlight": -4294967296)"
                               << "maxInFlight"
                               << "maxInFlight: expected a whole number, found -4294967296";
        QTest::newRow("range") << R"("microbatches": 0)"
                               << "microbatches"
                               << "microbatches: expected a whole number from 1 to 1000000, found 0";
        QTest::newRow("seed") << R"("seed": -1)"
                              << "seed"
                              << "seed: expected a whole number from 0 to 2^64 - 1, found -1";
        QTest::newRow("tolerance") << R"("rtol": null, "atol": 1)"
                                   << "rtol"
                                   << "rtol: expected a number, found null";
        QTest::newRow("input")
            << R"("inputs": ["x=1", "y=float33[2]"])"
            << "inputs[1]"
            << "inputs[1]: input 'y': expected a dtype, found 'float33' at column 3. Did you mean float32, float64 or "
               "float16?";
        QTest::newRow("specialised for a tensor")
            << R"("specialised": ["sr=16000", "x=float32[2]"])"
            << "specialised[1]"
            << "specialised[1]: expected the name of an argument and a number, a bool, a text or None for it, like "
               "sr=16000, found 'x=float32[2]'";
        QTest::newRow("specialised for a list") << R"("specialised": ["sizes=[1, 2]"])"
                                                << "specialised[0]"
                                                << "specialised[0]: expected the name of an argument and a number, a "
                                                   "bool, a text or None for it, like sr=16000, found 'sizes=[1, 2]'";
        QTest::newRow("specialised without a name")
            << R"("specialised": ["16000"])"
            << "specialised[0]"
            << "specialised[0]: expected the name of an argument and a number, a bool, a text or None for it, like "
               "sr=16000, found '16000'";
        QTest::newRow("specialised for a bare number") << R"("specialised": [16000])"
                                                       << "specialised[0]"
                                                       << "specialised[0]: expected a string, found number";
        QTest::newRow("specialised as an object") << R"("specialised": {"sr": 16000})"
                                                  << "specialised"
                                                  << "specialised: expected a list, found object";
        QTest::newRow("specialised twice") << R"("specialised": ["sr=1", "sr=2"])"
                                           << "specialised[1]"
                                           << "specialised[1]: the input 'sr' is given twice";
        QTest::newRow("chunk") << "\"inputChunks\": {\"x\": \"0\", \"mask\": \"[0\"}"
                               << "inputChunks.mask"
                               << "inputChunks.mask: expected ',' or ']', found the end at column 3.";
        QTest::newRow("output chunk") << R"("outputChunks": 0)"
                                      << "outputChunks"
                                      << "outputChunks: expected a string, found number";
        QTest::newRow("device") << R"("devicez": [])"
                                << "devicez"
                                << "devicez: there is no such key. Did you mean devices?";
    }

    void valuesOfAnotherTypeAreRefusedWithTheirPath()
    {
        QFETCH(QString, members);
        QFETCH(QString, where);
        QFETCH(QString, message);
        const Error error = planError(members.toStdString());
        QCOMPARE(error.code, ErrorCode::InvalidFile);
        QCOMPARE(QString::fromStdString(error.where), where);
        QCOMPARE(QString::fromStdString(error.message), message);
    }

    void aPlanWithoutWhatItNeedsIsRefused()
    {
        QCOMPARE(parsePlan(R"({"pipescopePlan": 1, "devices": ["cpu:0"]})").error().where, std::string("model"));
    }

    void aPlanMayLeaveItsDevicesOpen()
    {
        const auto plan = parsePlan(R"({"pipescopePlan": 1, "model": "m.pt"})");
        QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
        QVERIFY(plan->devices.empty());
        QVERIFY(*parsePlan(toJson(*plan)) == *plan);
    }

    void listsAreBounded()
    {
        std::string list = "\"a\"";
        for (int i = 0; i < 100000; ++i)
            list += ",\"a\"";
        QCOMPARE(planError("\"splits\": [" + list + "]").message, std::string("splits: more than 100000 items"));
    }

    void everyMemberHasItsKey()
    {
        const auto keys = nlohmann::json::parse(toJson(full()));
        QCOMPARE(keys.size(), tests::memberCount<Plan>() + 1); // and the version
    }

    /// One that is being made: its path, its schedule or a count may be missing or wrong, and stays so.
    void aDraftReadsBackTheSame()
    {
        Plan draft = full();
        draft.model.clear();
        draft.modelSha256.clear();
        draft.method.clear();
        draft.schedule.clear();
        draft.microbatches = -3;
        draft.atol.reset();
        const auto back = parseDraft(toJson(draft));
        QVERIFY2(back, back ? "" : back.error().message.c_str());
        QVERIFY(*back == draft);
        QCOMPARE(parsePlan(toJson(draft)).error().message,
                 std::string("model: expected the path of a model, found nothing"));
        const auto empty = parseDraft(toJson({}));
        QVERIFY(empty && *empty == Plan());
        QCOMPARE(parseDraft(R"({"pipescopePlan": 1, "seed": -1})").error().message,
                 std::string("seed: expected a whole number from 0 to 2^64 - 1, found -1"));
    }

    void randomPlansReadBackTheSame()
    {
        for (unsigned seed = 1; seed <= 500; ++seed) {
            const Plan plan = tests::RandomPlan(seed).plan();
            const Status valid = validatePlan(plan);
            QVERIFY2(bool(valid), valid ? "" : valid.error().message.c_str());
            const std::string json = toJson(plan);
            const auto back = parsePlan(json);
            QVERIFY2(back && *back == plan, qPrintable(QString("seed %1: %2\n%3")
                                                           .arg(seed)
                                                           .arg(back ? "not equal" : back.error().message.c_str())
                                                           .arg(json.c_str())));
        }
    }
};

PIPESCOPE_TEST(TestPlanJson)
#include "tst_plan_json.moc"
