#include "trace/chrome_trace.h"

#include "support/test_program.h"

#include <QFloat16>
#include <QTest>
#include <nlohmann/json.hpp>

using namespace pipescope;
using namespace pipescope::trace;
using OrderedJson = nlohmann::ordered_json;

namespace {

// A trace with one slice (traceEvents[0]) and one memory sample (traceEvents[1]).
OrderedJson goodTrace()
{
    return OrderedJson::parse(R"({
        "pipescope": {"version": 1, "title": "t", "ranks": 2, "stages": 3, "microbatches": 4, "rank_names": ["a", "b"]},
        "traceEvents": [
            {"ph": "X", "pid": 1, "tid": 0, "args": {"stage": 2, "microbatch": 3, "action": "2F3", "peer": -1, "value": "",
             "bytes": 0, "cause": "none", "begin_ns": 5, "end_ns": 9}},
            {"ph": "C", "pid": 0, "ns": 7, "args": {"bytes": 100}}]})");
}

QString faultOf(const std::string &text)
{
    const auto trace = parseChromeJson(text);
    if (trace)
        return {};
    if (trace.error().code != ErrorCode::InvalidFile)
        return "another code";
    const QString message = QString::fromStdString(trace.error().message);
    const QString prefix = "not a trace Pipescope wrote: ";
    return message.startsWith(prefix) ? message.mid(prefix.size()) : "another sentence: " + message;
}

} // namespace

class TestChromeTraceFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theGoodTraceIsGood()
    {
        QCOMPARE(faultOf(goodTrace().dump()), QString());
        const auto trace = parseChromeJson(goodTrace().dump());
        QCOMPARE(trace->events.size(), std::size_t(1));
        QCOMPARE(trace->memory, (std::vector<MemorySample>{{RankId{0}, 7, 100}}));
    }

    void whatIsWrongIsNamedWithItsPlace_data()
    {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value"); // "" removes what the pointer names
        QTest::addColumn<QString>("fault");
        const auto row = [](const char *pointer, const char *value, const char *fault) {
            QTest::newRow(QString("%1 = %2").arg(pointer, value).toUtf8()) << pointer << value << fault;
        };
        row("/pipescope", "", "traceEvents: it stands before the object 'pipescope'");
        row("/pipescope", "3", "pipescope: it is no object");
        row("/pipescope", "[]", "pipescope: it is no object");
        row("/pipescope/version", "", "pipescope: 'version' is missing");
        row("/pipescope/version", "0", "pipescope: 'version' is not from 1 to 65536");
        row("/pipescope/version", "2", "pipescope: 'version' is 2, newer than the 1 this program reads");
        row("/pipescope/title", "1", "pipescope: 'title' is no text");
        row("/pipescope/ranks", "-1", "pipescope: 'ranks' is not from 0 to 65536");
        row("/pipescope/ranks", "2.0", "pipescope: 'ranks' is no integer");
        row("/pipescope/stages", "100000", "pipescope: 'stages' is not from 0 to 65536");
        row("/pipescope/stages", "18446744073709551615", "pipescope: 'stages' is not from 0 to 65536");
        row("/pipescope/microbatches", "\"4\"", "pipescope: 'microbatches' is no integer");
        row("/pipescope/rank_names", "", "pipescope: 'rank_names' is no list of texts");
        row("/pipescope/rank_names", "[\"a\", 1]", "pipescope: 'rank_names' is no list of texts");
        row("/pipescope/feeds", "[[0, 1], [0, 2]]", "");
        row("/pipescope/feeds", "3", "pipescope: 'feeds' is no list of pairs of stages");
        row("/pipescope/feeds", "[0, 1]", "pipescope: 'feeds' is no list of pairs of stages");
        row("/pipescope/feeds", "[[0, 1, 2]]", "pipescope: 'feeds' is no list of pairs of stages");
        row("/pipescope/feeds", "[[0, 1.0]]", "pipescope: 'feeds' is no list of pairs of stages");
        for (const std::string edge : {"[1,3]", "[-1,0]", "[1,1]", "[2,1]", "[0,18446744073709551615]"}) {
            const std::string fault = "pipescope: 'feeds[1]' is " + edge + ", not a stage and a later one, of 3";
            row("/pipescope/feeds", ("[[0,1]," + edge + "]").c_str(), fault.c_str());
        }
        row("/traceEvents", "", "file: the list 'traceEvents' is missing");
        row("/traceEvents", "{}", "traceEvents: it is no list");
        row("/traceEvents", "null", "traceEvents: it is no list");
        row("/traceEvents/0", "3", "traceEvents[0]: it is no object");
        row("/traceEvents/1", "[]", "traceEvents[1]: it is no object");
        row("/traceEvents/0/ph", "", "traceEvents[0]: 'ph' is missing");
        row("/traceEvents/0/ph", "7", "traceEvents[0]: 'ph' is no text");
        row("/traceEvents/0/pid", "2", "traceEvents[0]: 'pid' is not from 0 to 1");
        row("/traceEvents/0/tid", "4", "traceEvents[0]: 'tid' is not from 0 to 3");
        row("/traceEvents/0/args", "", "traceEvents[0]: 'args' is no object");
        row("/traceEvents/0/args", "[1]", "traceEvents[0]: 'args' is no object");
        row("/traceEvents/0/args/stage", "3", "traceEvents[0].args: 'stage' is not from -1 to 2");
        row("/traceEvents/0/args/microbatch", "-2", "traceEvents[0].args: 'microbatch' is not from -1 to 3");
        row("/traceEvents/0/args/peer", "99", "traceEvents[0].args: 'peer' is not from -1 to 2");
        row("/traceEvents/0/args/peer_microbatch", "4", "traceEvents[0].args: 'peer_microbatch' is not from -1 to 3");
        const auto *noKind = "traceEvents[0].args: 'peer_action' is no kind of computation";
        row("/traceEvents/0/args/peer_action", "\"SEND_F\"", noKind);
        row("/traceEvents/0/args/peer_action", "\"\"", noKind);
        row("/traceEvents/0/args/peer_action", "3", "traceEvents[0].args: 'peer_action' is no text");
        row("/traceEvents/0/args/action", "[]", "traceEvents[0].args: 'action' is no text");
        const auto *noAction = "traceEvents[0].args: 'action' is no computation of the slice's stage and microbatch";
        row("/traceEvents/0/args/action", "\"\"", noAction);
        row("/traceEvents/0/args/action", "\"2F3junk\"", noAction);
        row("/traceEvents/0/args/action", "\"2UNSHARD\"", noAction);
        row("/traceEvents/0/args/action", "\"1F3\"", noAction);
        row("/traceEvents/0/args/action", "\"2F0\"", noAction);
        row("/traceEvents/0/args/action", "\"(2F3;1B0)OVERLAP_F_B\"", noAction);
        row("/traceEvents/0/args/stage", "1", noAction);
        row("/traceEvents/0/args/value", "", "traceEvents[0].args: 'value' is missing");
        row("/traceEvents/0/args/cause", "\"hunger\"", "traceEvents[0].args: 'cause' is not known");
        row("/traceEvents/0/args/end_ns", "4", "traceEvents[0].args: 'end_ns' is not from 5 to 1152921504606846976");
        row("/traceEvents/0/args/begin_ns", "9e3", "traceEvents[0].args: 'begin_ns' is no integer");
        row("/traceEvents/0/args/begin_ns", "-9223372036854775808",
            "traceEvents[0].args: 'begin_ns' is not from 0 to 1152921504606846976");
        row("/traceEvents/1/ns", "", "traceEvents[1]: 'ns' is missing");
        row("/traceEvents/1/pid", "-1", "traceEvents[1]: 'pid' is not from 0 to 1");
        row("/traceEvents/1/args/bytes", "\"x\"", "traceEvents[1].args: 'bytes' is no integer");
    }
    void whatIsWrongIsNamedWithItsPlace()
    {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        QFETCH(QString, fault);
        OrderedJson root = goodTrace();
        const OrderedJson::json_pointer place(pointer.toStdString());
        if (value.isEmpty())
            root[place.parent_pointer()].erase(place.back());
        else
            root[place] = OrderedJson::parse(value.toStdString());
        QCOMPARE(faultOf(root.dump()), fault);
    }

    void slicesThatOverlapOnATrackAreRefused()
    {
        const auto withSecond = [](int rank, int track, int begin, int end) {
            OrderedJson root = goodTrace(); // its slice is on rank 1, computes, from 5 to 9
            OrderedJson second = root["traceEvents"][0];
            second["pid"] = rank;
            second["tid"] = track;
            second["args"]["begin_ns"] = begin;
            second["args"]["end_ns"] = end;
            root["traceEvents"].push_back(second);
            return faultOf(root.dump());
        };
        QCOMPARE(
            withSecond(1, 0, 8, 20),
            QString("traceEvents[2].args: it begins at 8 ns, before traceEvents[0] on the same track ends at 9 ns"));
        QCOMPARE(
            withSecond(1, 0, 3, 6),
            QString("traceEvents[0].args: it begins at 5 ns, before traceEvents[2] on the same track ends at 6 ns"));
        QCOMPARE(withSecond(1, 0, 9, 20), QString());
        QCOMPARE(withSecond(1, 1, 8, 20), QString());
        QCOMPARE(withSecond(0, 0, 8, 20), QString());
    }

    void aTextOfMegabytesIsRefused()
    {
        const std::string huge(1 << 20, 'A');
        OrderedJson root = goodTrace();
        root["traceEvents"][0]["args"]["action"] = huge;
        QCOMPARE(faultOf(root.dump()), QString("traceEvents[0].args: 'action' is longer than 65536 bytes"));
        root = goodTrace();
        root["pipescope"]["rank_names"][1] = huge;
        QCOMPARE(faultOf(root.dump()), QString("pipescope: a name in 'rank_names' is longer than 65536 bytes"));
    }

    void feedsWithoutEndAreRefused()
    {
        OrderedJson root = goodTrace();
        root["pipescope"]["feeds"] = OrderedJson::parse("[[0,1]]");
        std::string text = root.dump();
        std::string pairs;
        for (int i = 0; i < 1 << 18; ++i)
            pairs += "[0,1],";
        text.insert(text.find("[[0,1]]") + 1, pairs);
        QCOMPARE(faultOf(text), QString("pipescope: 'feeds' has more than 262144 pairs"));
    }

    void anOwnObjectWithoutEndIsRefused()
    {
        std::string text = goodTrace().dump();
        std::string values;
        for (int i = 0; i < 1 << 20; ++i)
            values += "1,";
        const std::string key = R"("pipescope":{)";
        text.insert(text.find(key) + key.size(), R"("extra":[)" + values + "1],");
        QCOMPARE(faultOf(text), QString("pipescope: it holds more than 1048576 values"));
    }

    void ourObjectComesFirstAndOnce()
    {
        OrderedJson late = goodTrace();
        const OrderedJson own = late["pipescope"];
        late.erase("pipescope");
        late["pipescope"] = own;
        QCOMPARE(faultOf(late.dump()), QString("traceEvents: it stands before the object 'pipescope'"));
        const std::string good = goodTrace().dump();
        QCOMPARE(faultOf(good.substr(0, good.size() - 1) + ",\"pipescope\":{}}"),
                 QString("pipescope: it is there twice"));
    }

    void whatIsNoJsonObjectIsRefused()
    {
        QCOMPARE(faultOf(""), QString("file: it is no JSON from byte 1 on"));
        QCOMPARE(faultOf("{\"a\": }"), QString("file: it is no JSON from byte 7 on"));
        QCOMPARE(faultOf(goodTrace().dump() + "x"),
                 QString("file: it is no JSON from byte %1 on").arg(goodTrace().dump().size() + 1));
        QCOMPARE(faultOf("{\"a\": \"\xff\"}"), QString("file: it is no JSON from byte 8 on"));
        QCOMPARE(faultOf("[]"), QString("file: it is no JSON object"));
        QCOMPARE(faultOf("7"), QString("file: it is no JSON object"));
        QCOMPARE(faultOf("null"), QString("file: it is no JSON object"));
        QCOMPARE(faultOf("{}"), QString("file: the object 'pipescope' is missing"));
        QCOMPARE(faultOf("{\"a\": 1e999}"), QString("file: a number in it is too large"));
    }

    void deepNestingIsRefused()
    {
        const std::string deep(1'000'000, '[');
        QCOMPARE(faultOf("{\"a\":" + deep), QString("file: it is nested too deeply"));
        QCOMPARE(faultOf(deep), QString("file: it is no JSON object"));
        std::string objects;
        for (int i = 0; i < 100'000; ++i)
            objects += "{\"a\":";
        QCOMPARE(faultOf(objects), QString("file: it is nested too deeply"));
        OrderedJson inside = goodTrace();
        inside["traceEvents"][0]["args"]["note"] = OrderedJson::parse(std::string(20, '[') + std::string(20, ']'));
        QCOMPARE(faultOf(inside.dump()), QString("file: it is nested too deeply"));
    }

    void aTruncatedTraceIsRefusedWhereverItEnds()
    {
        const std::string good = goodTrace().dump();
        for (std::size_t size = 0; size < good.size(); ++size)
            QVERIFY2(!faultOf(good.substr(0, size)).isEmpty(), qPrintable(QString("%1 bytes").arg(size)));
    }

    void aReadingThatIsGivenUpEnds()
    {
        const std::string good = goodTrace().dump();
        std::stop_source stop;
        QVERIFY(parseChromeJson(good, good.size(), stop.get_token()));
        stop.request_stop();
        const auto stopped = parseChromeJson(good, good.size(), stop.get_token());
        QVERIFY(!stopped);
        QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
    }

    void aTextThatIsTooLongIsNotParsed()
    {
        const std::string good = goodTrace().dump();
        QVERIFY(parseChromeJson(good, good.size()));
        const auto trace = parseChromeJson(good, good.size() - 1);
        QVERIFY(!trace);
        QCOMPARE(QString::fromStdString(trace.error().message),
                 QString("not a trace Pipescope wrote: file: it is longer than %1 bytes").arg(good.size() - 1));
    }
};

PIPESCOPE_TEST(TestChromeTraceFaults)
#include "tst_chrome_trace_faults.moc"
