#include "microbatch/chunk_spec.h"

#include "base/spec_reader.h"

#include "support/test_program.h"

#include <QTest>

#include <random>

using namespace pipescope;
using namespace pipescope::microbatch;

namespace {

ChunkSpec along(int dim)
{
    return {TensorChunkSpec{dim}};
}

std::string errorOf(std::string_view text)
{
    const auto spec = parseChunkSpec(text);
    return spec ? "no error" : spec.error().message;
}

std::string randomKey(std::mt19937 &random, std::size_t index)
{
    constexpr std::string_view characters = "ab._-:'\"\\ \n\x01\xC3\xA9\xFF{},";
    std::string key = std::to_string(index); // makes keys differ
    for (unsigned i = random() % 4; i > 0; --i)
        key += characters[random() % characters.size()];
    return random() % 2 == 0 ? "k" + key : key;
}

ChunkSpec randomSpec(std::mt19937 &random, int depth)
{
    switch (random() % (depth > 0 ? 7 : 4)) {
    case 0:
        return along(static_cast<int>(random() % 9) - 4);
    case 1:
        return {Replicate{}};
    case 2:
        return {static_cast<Reducer>(random() % 4)};
    case 3:
        return {ListChunkSpec{}};
    case 4:
    case 5: {
        ChunkSpec::Children items;
        for (unsigned i = random() % 4; i > 0; --i)
            items.push_back(randomSpec(random, depth - 1));
        return random() % 2 == 0 ? ChunkSpec{ChunkSpec::Tuple{items}} : ChunkSpec{ChunkSpec::List{items}};
    }
    default: {
        ChunkSpec::Dict dict;
        for (std::size_t i = random() % 4; i > 0; --i)
            dict.entries.push_back({randomKey(random, i), randomSpec(random, depth - 1)});
        return {dict};
    }
    }
}

} // namespace

class TestChunkSpec : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void leavesReadAsTheyAreWritten()
    {
        QCOMPARE(*parseChunkSpec("0"), along(0));
        QCOMPARE(*parseChunkSpec(" -1 "), along(-1));
        QCOMPARE(*parseChunkSpec("replicate"), ChunkSpec{Replicate{}});
        QCOMPARE(*parseChunkSpec("list"), ChunkSpec{ListChunkSpec{}});
        QCOMPARE(*parseChunkSpec("sum"), ChunkSpec{Reducer::Sum});
        QCOMPARE(*parseChunkSpec("mean"), ChunkSpec{Reducer::Mean});
        QCOMPARE(*parseChunkSpec("max"), ChunkSpec{Reducer::Max});
        QCOMPARE(*parseChunkSpec("min"), ChunkSpec{Reducer::Min});
    }

    void aListThatIsCutIsFoundAnywhere()
    {
        for (const char *text : {"list", "(0, list)", "[replicate, [list]]", "{a: 0, b: {c: list}}"})
            QVERIFY2(cutsList(*parseChunkSpec(text)), text);
        for (const char *text : {"0", "replicate", "(0, 1)", "[]", "{list: 0}"})
            QVERIFY2(!cutsList(*parseChunkSpec(text)), text);
    }

    void treesReadAsTheyAreWritten()
    {
        QCOMPARE(*parseChunkSpec("(0, replicate)"), (ChunkSpec{ChunkSpec::Tuple{{along(0), {Replicate{}}}}}));
        QCOMPARE(*parseChunkSpec("[0,0]"), (ChunkSpec{ChunkSpec::List{{along(0), along(0)}}}));
        QCOMPARE(*parseChunkSpec("{mask: 0, ids: replicate}"),
                 (ChunkSpec{ChunkSpec::Dict{{{"mask", along(0)}, {"ids", {Replicate{}}}}}}));
        QCOMPARE(*parseChunkSpec("([], {a.b: (1,)}, ())"),
                 (ChunkSpec{ChunkSpec::Tuple{{{ChunkSpec::List{}},
                                              {ChunkSpec::Dict{{{"a.b", {ChunkSpec::Tuple{{along(1)}}}}}}},
                                              {ChunkSpec::Tuple{}}}}}));
    }

    void theTextIsTheOneOfTheDocumentation()
    {
        for (const char *text : {"0", "-1", "replicate", "sum", "mean", "max", "min", "(0, replicate)", "(0,)",
                                 "[0, 0]", "{mask: 0, ids: replicate}", "{'two words': 0}", "()", "[]", "{}"})
            QCOMPARE(toText(*parseChunkSpec(text)), std::string(text));
    }

    void upstreamsShorthandsMapPositionsAndNames()
    {
        QCOMPARE(toText(fromTuple({0, 0, 1})), std::string("(0, 0, 1)"));
        QCOMPARE(toText(fromDict({{"id", 0}, {"mask", 1}})), std::string("{id: 0, mask: 1}"));
    }

    void mistakesSayTheColumnAndWhatWasExpected()
    {
        const std::string leaf = "expected a dimension, replicate, list, sum, mean, max, min, '(', '[' or '{', found ";
        QCOMPARE(errorOf(""), leaf + "the end at column 1.");
        QCOMPARE(errorOf("(0, replciate)"), leaf + "'replciate' at column 5. Did you mean replicate?");
        QCOMPARE(errorOf("(0; 1)"), std::string("expected ',' or ')', found ';' at column 3."));
        QCOMPARE(errorOf("[0"), std::string("expected ',' or ']', found the end at column 3."));
        QCOMPARE(errorOf("{é: 0}"), std::string("expected a name, found 'é' at column 2."));
        QCOMPARE(errorOf("{'é': 0 1}"), std::string("expected ',' or '}', found '1' at column 9."));
        QCOMPARE(errorOf("{mask 0}"), std::string("expected ':', found '0' at column 7."));
        QCOMPARE(errorOf("{a: 0, a: 1}"), std::string("'a' is given twice at column 8"));
        QCOMPARE(errorOf("0 1"), std::string("expected the end, found '1' at column 3."));
        QCOMPARE(errorOf("1.5"), std::string("expected a dimension, found '1.5' at column 1."));
        QCOMPARE(errorOf("-"), std::string("expected a dimension, found '-' at column 1."));
        QCOMPARE(errorOf("99999999999"),
                 std::string("99999999999 is too large or too small for a dimension at column 1"));
        QCOMPARE(errorOf("[,]"), leaf + "',' at column 2.");
        QCOMPARE(errorOf(std::string_view("\0", 1)), leaf + "byte 0x00 at column 1.");
        QCOMPARE(parseChunkSpec("(0; 1)").error().where, std::string("column 3"));
        QCOMPARE(parseChunkSpec("(0; 1)").error().code, ErrorCode::InvalidArgument);
    }

    void mistakesInStringsSayTheColumn()
    {
        QCOMPARE(errorOf("{'a: 0}"), std::string("the string that begins with ' has no end at column 2"));
        QCOMPARE(errorOf("{'\\q': 0}"),
                 std::string(R"(expected \\, \', \", \n, \r, \t or \xHH after a backslash, found 'q' at column 4.)"));
        QVERIFY(errorOf("{'\\x4': 0}").starts_with("expected \\\\"));
        QVERIFY(errorOf("{'\\").starts_with("expected \\\\"));
    }

    void depthAndLengthAreLimited()
    {
        const auto nested = [](std::size_t depth) { return std::string(depth, '[') + "0" + std::string(depth, ']'); };
        QVERIFY(bool(parseChunkSpec(nested(64))));
        QCOMPARE(errorOf(nested(65)), std::string("nested more than 64 deep at column 65"));
        QVERIFY(errorOf(std::string(100000, '[')).starts_with("the text is"));
        QVERIFY(bool(parseChunkSpec("0" + std::string(SpecReader::MaxLength - 1, ' '))));
        QCOMPARE(errorOf("0" + std::string(SpecReader::MaxLength, ' ')),
                 std::string("the text is 64.0 KiB long; at most 64.0 KiB are read"));
    }

    void randomSpecsReadBackTheSame()
    {
        for (unsigned seed = 1; seed <= 500; ++seed) {
            std::mt19937 random(seed);
            const ChunkSpec spec = randomSpec(random, 4);
            const std::string text = toText(spec);
            const auto back = parseChunkSpec(text);
            QVERIFY2(back && *back == spec, qPrintable(QString("seed %1: %2").arg(seed).arg(text.c_str())));
        }
    }

    void chunksHaveTheSizesOfTensorSplit()
    {
        using Sizes = std::vector<std::int64_t>;
        QCOMPARE(chunkSizes(10, 4), (Sizes{3, 3, 2, 2}));
        QCOMPARE(chunkSizes(8, 3), (Sizes{3, 3, 2}));
        QCOMPARE(chunkSizes(256, 2), (Sizes{128, 128}));
        QCOMPARE(chunkSizes(6, 4), (Sizes{2, 2, 1, 1}));
        QCOMPARE(chunkSizes(3, 4), (Sizes{1, 1, 1, 0}));
        QCOMPARE(chunkSizes(5, 1), (Sizes{5}));
    }

    void textThatIsNoUtf8IsRecognised()
    {
        QVERIFY(isUtf8("plain, é, €, 😀"));
        // Alone, cut off, overlong, a surrogate, beyond the last code point.
        for (const char *text :
             {"\x80", "\xE2\x82", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF"})
            QVERIFY2(!isUtf8(text), text);
        QCOMPARE(quotedText("a\xFF'\n"), std::string(R"('a\xff\'\n')"));
        QCOMPARE(quotedText("é"), std::string("'é'"));
    }
};

PIPESCOPE_TEST(TestChunkSpec)
#include "tst_chunk_spec.moc"
