#include "plan/input_spec.h"

#include "plan/dtypes.h"
#include "support/random_plan.h"
#include "support/test_program.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace pipescope;
using namespace pipescope::plan;
using Sizes = std::vector<std::int64_t>;

namespace {

InputSpec parsed(std::string_view text)
{
    const auto spec = parseInputSpec(text);
    return spec ? *spec : InputSpec{"error", {spec.error().message}};
}

InputValue value(std::string_view text)
{
    return parsed(text).value;
}

std::string specError(std::string_view text)
{
    const auto spec = parseInputSpec(text);
    return spec ? "no error" : spec.error().message;
}

} // namespace

class TestInputSpec : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tensorsHaveDtypeAndSizes()
    {
        QCOMPARE(parsed("x=float32[16,512]"), (InputSpec{"x", {TensorSpec{"float32", {16, 512}, 0, 0, {}}}}));
        QCOMPARE(parsed("float32[]"), (InputSpec{"", {TensorSpec{"float32", {}, 0, 0, {}}}}));
        QCOMPARE(parsed(" x = bool [ 2 , 0 ] "), (InputSpec{"x", {TensorSpec{"bool", {2, 0}, 0, 0, {}}}}));
    }

    void aliasesOfDtypesAreTorchs()
    {
        const std::vector<std::pair<std::string, std::string>> aliases{
            {"float", "float32"},    {"double", "float64"},  {"half", "float16"},      {"long", "int64"},
            {"int", "int32"},        {"short", "int16"},     {"byte", "uint8"},        {"char", "int8"},
            {"cfloat", "complex64"}, {"chalf", "complex32"}, {"cdouble", "complex128"}};
        for (const auto &[alias, name] : aliases)
            QCOMPARE(value(alias + "[2]"), (InputValue{TensorSpec{name, {2}, 0, 0, {}}}));
        for (const std::string &name : dtypeNames())
            QCOMPARE(value(name + "[2]"), (InputValue{TensorSpec{name, {2}, 0, 0, {}}}));
    }

    void integersMayHaveARangeAndAnyTensorASeed()
    {
        QCOMPARE(parsed("ids=int64[8,128]<50257"), (InputSpec{"ids", {TensorSpec{"int64", {8, 128}, 0, 50257, {}}}}));
        QCOMPARE(value("int8[2]>=-5<0#7"), (InputValue{TensorSpec{"int8", {2}, -5, 0, 7}}));
        QCOMPARE(value("uint8[2] >= 250 < 256"), (InputValue{TensorSpec{"uint8", {2}, 250, 256, {}}}));
        QCOMPARE(value("float16[2] # 18446744073709551615"),
                 (InputValue{TensorSpec{"float16", {2}, 0, 0, std::numeric_limits<std::uint64_t>::max()}}));
    }

    void plainValuesAreWrittenAsInPython()
    {
        QCOMPARE(parsed("sr=16000"), (InputSpec{"sr", {std::int64_t{16000}}}));
        QCOMPARE(value("-3"), InputValue{std::int64_t{-3}});
        QCOMPARE(value("+3"), InputValue{std::int64_t{3}});
        QCOMPARE(value("-9223372036854775808"), InputValue{std::numeric_limits<std::int64_t>::min()});
        QCOMPARE(value("0.5"), InputValue{0.5});
        QCOMPARE(value("1e-3"), InputValue{1e-3});
        QCOMPARE(value("1."), InputValue{1.0});
        QCOMPARE(value(".5"), InputValue{0.5});
        QCOMPARE(value("inf"), InputValue{std::numeric_limits<double>::infinity()});
        QCOMPARE(value("-inf"), InputValue{-std::numeric_limits<double>::infinity()});
        QVERIFY(std::isnan(std::get<double>(value("nan").node)));
        for (const char *text : {"true", "True"})
            QCOMPARE(value(text), InputValue{true});
        for (const char *text : {"false", "False"})
            QCOMPARE(value(text), InputValue{false});
        for (const char *text : {"none", "None"})
            QCOMPARE(value(text), InputValue{InputValue::None{}});
    }

    void stringsHaveEitherQuoteAndEscapes()
    {
        QCOMPARE(value("'mean'"), InputValue{std::string("mean")});
        QCOMPARE(value("\"it's\""), InputValue{std::string("it's")});
        QCOMPARE(value(R"('a\'b\\\n\t\r\"\x41')"), InputValue{std::string("a'b\\\n\t\r\"A")});
        QCOMPARE(value("''"), InputValue{std::string()});
        QCOMPARE(value("'x=1'"), InputValue{std::string("x=1")});
    }

    void filesTakeTheRestOrAQuotedPath()
    {
        QCOMPARE(parsed("x=@x.pt"), (InputSpec{"x", {FileSpec{"x.pt"}}}));
        QCOMPARE(value("@my data/a,b.pt"), InputValue{FileSpec{"my data/a,b.pt"}});
        QCOMPARE(value("@'quoted]'"), InputValue{FileSpec{"quoted]"}});
        QCOMPARE(value("[@a.pt, @b.pt]"), (InputValue{InputValue::List{{{FileSpec{"a.pt"}}, {FileSpec{"b.pt"}}}}}));
        QCOMPARE(value("(@a.pt @b.pt)"), InputValue{std::string("expected ',' or ')', found '@' at column 8.")});
    }

    void containersNest()
    {
        const InputValue one{std::int64_t{1}};
        QCOMPARE(value("[1, 1,]"), (InputValue{InputValue::List{{one, one}}}));
        QCOMPARE(value("(1)"), (InputValue{InputValue::Tuple{{one}}}));
        QCOMPARE(value("()"), InputValue{InputValue::Tuple{}});
        QCOMPARE(value("{a: 1, 'b c': [{}]}"),
                 (InputValue{InputValue::Dict{{{"a", one}, {"b c", {InputValue::List{{{InputValue::Dict{}}}}}}}}}));
        QCOMPARE(value("(int64[2]<5, [float32[1], none])"),
                 (InputValue{InputValue::Tuple{
                     {{TensorSpec{"int64", {2}, 0, 5, {}}},
                      {InputValue::List{{{TensorSpec{"float32", {1}, 0, 0, {}}}, {InputValue::None{}}}}}}}}));
    }

    void unknownDtypesGetTheNearest()
    {
        QCOMPARE(
            specError("x=float33[2]"),
            std::string("input 'x': expected a dtype, found 'float33' at column 3. Did you mean float32, float64 or "
                        "float16?"));
        QCOMPARE(specError("flaot[2]").substr(0, 47), std::string("expected a dtype, found 'flaot' at column 1. Di"));
    }

    void mistakesSayTheColumnAndWhatWasExpected_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        const QString anything =
            "expected a value (a dtype such as float32[2,3], @file, number, true, false, none, string "
            "in quotes, '[', '(' or '{'), found ";
        QTest::newRow("nothing") << "" << anything + "the end at column 1.";
        QTest::newRow("only a name") << "x="
                                     << "input 'x': " + anything + "the end at column 3.";
        QTest::newRow("a bare word") << "mode=hello"
                                     << "input 'mode': " + anything + "'hello' at column 6.";
        QTest::newRow("two names") << "x=y=1"
                                   << "input 'x': " + anything + "'y' at column 3.";
        QTest::newRow("something after a value") << "x=1 2"
                                                 << "input 'x': expected the end, found '2' at column 5.";
        QTest::newRow("no sizes")
            << "x=float32"
            << "input 'x': expected '[' and sizes after float32 (float32[] is a tensor without dimensions), found "
               "the end at column 10.";
        QTest::newRow("an open size list") << "float32[2"
                                           << "expected ',' or ']', found the end at column 10.";
        QTest::newRow("a size that is none") << "float32[a]"
                                             << "expected a size, found 'a' at column 9.";
        QTest::newRow("half a size") << "float32[2.5]"
                                     << "expected a size, found '2.5' at column 9.";
        QTest::newRow("a negative size") << "float32[2,-1]"
                                         << "the size -1 is negative at column 11";
        QTest::newRow("too many elements") << "float32[1048576,1048577]"
                                           << "more than 2^40 elements at column 17";
        QTest::newRow("too many beside a zero") << "float32[0,1099511627777]"
                                                << "more than 2^40 elements at column 11";
        QTest::newRow("a size beyond 64 bits")
            << "float32[99999999999999999999]"
            << "99999999999999999999 is too large or too small for a size at column 9";
        QTest::newRow("a range of bools")
            << "bool[2]<5"
            << "expected no range after bool (ranges are for integer and float dtypes), found '<' "
               "at column 8.";
        QTest::newRow("a backward range of floats") << "float32[2]>=0.5<0.25"
                                                    << "no value is at least 0.5 and below 0.25 at column 17";
        QTest::newRow("an endless range of floats") << "float32[2]>=-inf<1"
                                                    << "-inf is not finite at column 13";
        QTest::newRow("too wide a range of floats")
            << "float64[2]>=-1e308<1e308"
            << "the range does not fit float64, whose largest number is 1.7976931348623157e+308 at column 20";
        QTest::newRow("more than a half float holds")
            << "float16[2]<70000"
            << "the range does not fit float16, whose largest number is 65504 "
               "at column 12";
        QTest::newRow("a range of words") << "float32[2]<x"
                                          << "expected the value to stay below, found 'x' at column 12.";
        QTest::newRow("an empty range") << "int64[2]<0"
                                        << "no value is at least 0 and below 0 at column 10";
        QTest::newRow("a backward range") << "int64[2]>=5<3"
                                          << "no value is at least 5 and below 3 at column 13";
        QTest::newRow("half a range") << "int64[2]>=5"
                                      << "expected '<' and the value to stay below, found the end at column 12.";
        QTest::newRow("no equals") << "int64[2]>5<9"
                                   << "expected '=' after '>', found '5' at column 10.";
        QTest::newRow("too wide a range") << "int8[2]<129"
                                          << "the range does not fit int8, which holds -128 to 127 at column 9";
        QTest::newRow("too low a range") << "uint8[2]>=-1<5"
                                         << "the range does not fit uint8, which holds 0 to 255 at column 11";
        QTest::newRow("a negative seed") << "float32[2]#-1"
                                         << "expected a seed, found '-' at column 12.";
        QTest::newRow("no path") << "x=@"
                                 << "input 'x': expected a path after '@', found the end at column 4.";
        QTest::newRow("a big integer")
            << "99999999999999999999"
            << "99999999999999999999 does not fit in 64 bits (write 99999999999999999999.0 for a "
               "float) at column 1";
        QTest::newRow("a big float") << "1e999"
                                     << "1e999 is too large or too small for a float at column 1";
        QTest::newRow("no number") << "1x"
                                   << "'1x' is not a number at column 1";
        QTest::newRow("a sign alone") << "[-]"
                                      << "'-' is not a number at column 2";
        QTest::newRow("something after") << "1 2"
                                         << "expected the end, found '2' at column 3.";
        QTest::newRow("an unended string") << "'abc"
                                           << "the string that begins with ' has no end at column 1";
        QTest::newRow("an unended list") << "[1, 2"
                                         << "expected ',' or ']', found the end at column 6.";
        QTest::newRow("a key twice") << "{a: 1, 'a': 2}"
                                     << "'a' is given twice at column 8";
        QTest::newRow("no colon") << "{a 1}"
                                  << "expected ':', found '1' at column 4.";
        QTest::newRow("a number as key") << "{1: 2}"
                                         << "expected a name, found '1' at column 2.";
    }

    void mistakesSayTheColumnAndWhatWasExpected()
    {
        QFETCH(QString, text);
        QFETCH(QString, message);
        QCOMPARE(QString::fromStdString(specError(text.toStdString())), message);
        const Error error = parseInputSpec(text.toStdString()).error();
        QCOMPARE(error.code, ErrorCode::InvalidArgument);
        QVERIFY(error.where.starts_with("column "));
    }

    void sizesLengthAndDepthAreLimited()
    {
        QVERIFY(bool(parseInputSpec("float32[1048576,1048576]")));
        QVERIFY(bool(parseInputSpec("float32[0,1048576,1048576]")));
        std::string sizes = "1";
        for (int i = 1; i < 64; ++i)
            sizes += ",1";
        QVERIFY(bool(parseInputSpec("float32[" + sizes + "]")));
        QVERIFY(specError("float32[" + sizes + ",1]").starts_with("more than 64 dimensions"));
        const auto nested = [](std::size_t depth) { return std::string(depth, '(') + "1" + std::string(depth, ')'); };
        QVERIFY(bool(parseInputSpec(nested(64))));
        QVERIFY(specError(nested(65)).starts_with("nested more than 64 deep"));
        QVERIFY(specError(std::string(1 << 17, ' ')).starts_with("the text is 128 KiB long"));
    }

    void theTextIsTheOneUsersWrite()
    {
        for (const char *text : {"x=float32[16,512]", "ids=int64[8,128]<50257", "int8[2]>=-5<0#7", "float32[2]<1",
                                 "float32[2]>=-0.5<0.5#7", "@x.pt", "@'my data.pt'", "sr=16000", "0.5", "1.0", "-inf",
                                 "true", "none", "'it\\'s'", "[1, 2]", "(1,)", "{a: 1, 'b c': ()}", "float32[]"})
            QCOMPARE(toText(parsed(text)), std::string(text));
    }

    void randomValuesReadBackTheSame()
    {
        for (unsigned seed = 1; seed <= 1000; ++seed) {
            tests::RandomPlan random(seed);
            const InputSpec spec{seed % 2 == 0 ? "name" : "", random.value(4)};
            const std::string text = toText(spec);
            const auto back = parseInputSpec(text);
            QVERIFY2(back && *back == spec,
                     qPrintable(QString("seed %1: %2: %3").arg(seed).arg(text.c_str(), specError(text).c_str())));
        }
    }
};

PIPESCOPE_TEST(TestInputSpec)
#include "tst_input_spec.moc"
