#include "plan/input_bytes.h"

#include "plan/dtypes.h"
#include "support/test_program.h"

#include <QTest>
#include <limits>
#include <map>

using namespace pipescope;

namespace {

std::optional<std::int64_t> bytesOf(const std::vector<std::string> &texts)
{
    std::vector<plan::InputSpec> inputs;
    for (const std::string &text : texts)
        inputs.push_back(*plan::parseInputSpec(text));
    return plan::inputBytes(inputs);
}

} // namespace

class TestInputBytes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyDtypeHasItsSize()
    {
        const std::map<std::string, std::int64_t> sizes{
            {"float32", 4},     {"float64", 8},   {"float16", 2},     {"bfloat16", 2},  {"float8_e4m3fn", 1},
            {"float8_e5m2", 1}, {"complex64", 8}, {"complex128", 16}, {"complex32", 4}, {"bool", 1},
            {"int64", 8},       {"int32", 4},     {"int16", 2},       {"int8", 1},      {"uint8", 1},
            {"uint16", 2},      {"uint32", 4},    {"uint64", 8}};
        QCOMPARE(sizes.size(), plan::dtypeNames().size());
        for (const auto &[name, size] : sizes)
            QVERIFY2(bytesOf({name + "[3,5]"}) == std::optional(15 * size), name.c_str());
        QCOMPARE(bytesOf({"long[2]"}), std::optional<std::int64_t>(16));
    }

    void allTensorsInsideAreCounted()
    {
        QCOMPARE(bytesOf({"x=[float32[2], (int64[3], {a: bool[4]})]", "n=3", "s='text'", "y=float32[]"}),
                 std::optional<std::int64_t>(8 + 24 + 4 + 4));
        QCOMPARE(bytesOf({}), std::optional<std::int64_t>(0));
        QCOMPARE(bytesOf({"float32[0,1000000]"}), std::optional<std::int64_t>(0));
    }

    void aFileIsNotKnownBeforeItIsRead()
    {
        QCOMPARE(bytesOf({"x=@x.pt"}), std::optional<std::int64_t>());
        QCOMPARE(bytesOf({"x=[float32[2], @x.pt]"}), std::optional<std::int64_t>());
    }

    void moreThanAnyNumberIsTheLargest()
    {
        const plan::TensorSpec tensor{"float32", {std::int64_t(1) << 40, std::int64_t(1) << 40}, 0, 0, {}, {}};
        const std::vector<plan::InputSpec> inputs(2, plan::InputSpec{"", {tensor}});
        QCOMPARE(plan::inputBytes(inputs), std::optional(std::numeric_limits<std::int64_t>::max()));
    }
};

PIPESCOPE_TEST(TestInputBytes)
#include "tst_input_bytes.moc"
