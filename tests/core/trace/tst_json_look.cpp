#include "trace/json_look.h"

#include "support/test_program.h"

#include <QTest>
#include <algorithm>

using namespace pipescope::trace;

namespace {

/// With ' for ", which is easier to read here.
std::string quoted(std::string text)
{
    std::replace(text.begin(), text.end(), '\'', '"');
    return text;
}

QString found(const std::string &text)
{
    return QString::fromStdString(toText(lookAtJson(text)));
}

} // namespace

class TestJsonLook : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsFoundIsSaid()
    {
        QCOMPARE(found("{}"), QString("an empty object"));
        QCOMPARE(found(quoted("{'a': 1}")), QString("an object with the key 'a'"));
        QCOMPARE(found(quoted("{'a': {'x': 1}, 'b': [1, 2]}")), QString("an object with the keys 'a' and 'b'"));
        QCOMPARE(found(quoted("{'a': 1, 'b': 2, 'c': 3, 'd': 4, 'e': 5, 'f': 6}")),
                 QString("an object with the keys 'a', 'b', 'c', 'd' and 2 more"));
        QCOMPARE(found("[]"), QString("an empty list"));
        QCOMPARE(found("[1, [2, 3], {\"a\": 4}]"), QString("a list of 3"));
        QCOMPARE(found("7"), QString("a single value"));
        QCOMPARE(found(quoted("{'a': ")), QString("no JSON from byte 7 on"));
        QCOMPARE(found(""), QString("no JSON from byte 1 on"));
        QCOMPARE(found("{'a': 1}"), QString("no JSON from byte 2 on"));
        QCOMPARE(found("\xef\xbb\xbf{\"a\": 1}"), QString("an object with the key 'a'"));
    }

    void longKeysAreCutBetweenCharacters()
    {
        std::string key(39, 'k');
        QCOMPARE(found("{\"" + key + "ä and more\": 1}"),
                 QString("an object with the key '%1…'").arg(QString(39, QChar('k'))));
    }

    void tracesOfOtherProgramsAreKnown()
    {
        QVERIFY(lookAtJson(quoted("{'schemaVersion': 1, 'traceEvents': [{'ph': 'X'}]}")).isForeignTrace());
        QVERIFY(lookAtJson(quoted("[{'name': 'f', 'ph': 'X'}]")).isForeignTrace());
        const JsonLook own = lookAtJson(quoted("{'traceEvents': [], 'pipescope': {'version': 1}}"));
        QVERIFY(own.hasOwn && own.hasEvents && !own.isForeignTrace());
        QVERIFY(!lookAtJson(quoted("{'inside': {'traceEvents': [], 'pipescope': {}}}")).hasEvents);
        QVERIFY(!lookAtJson(quoted("{'traceEvents': 1, 'pipescope': 2}")).isForeignTrace());
        QVERIFY(!lookAtJson(quoted("[{'inside': {'ph': 'X'}}]")).isForeignTrace());
        QVERIFY(!lookAtJson("[]").isForeignTrace());
        // What ends too early is known by its beginning.
        QVERIFY(lookAtJson(quoted("{'pipescope': {'version': 1}, 'traceEv")).hasOwn);
    }

    void noMoreIsReadWhereItIsToStop()
    {
        std::stop_source stop;
        stop.request_stop();
        for (const char *text : {"[1, 2, 3, 4]", "[[], []]", "{\"a\": 1}"})
            QCOMPARE(lookAtJson(text, stop.get_token()).count, std::size_t(0));
        QCOMPARE(lookAtJson("[1, 2, 3, 4]").count, std::size_t(4));
    }

    void deepNestingIsNoTrouble()
    {
        QCOMPARE(lookAtJson(std::string(1'000'000, '[')).brokenAt, std::size_t(1'000'001));
    }
};

PIPESCOPE_TEST(TestJsonLook)
#include "tst_json_look.moc"
