#include "protocol/cbor.h"
#include "protocol/message.h"

#include "support/test_program.h"

#include <QTest>
#include <random>

using namespace pipescope;
using namespace pipescope::protocol;

namespace {

/// What is wrong with a message.
std::string problemOf(const Json &json)
{
    const auto message = messageFrom(writeCbor(json));
    return message ? "none" : message.error().message;
}

} // namespace

class TestMessage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyKindComesBackAsItWas()
    {
        const std::string body("\x00\xff body", 7);
        const std::vector<Message> messages{
            Request{7, "load", body},
            Response{7, body},
            Response{8, Error{ErrorCode::NotFound, "there is no file 'x'", "x", "more\nlines"}},
            Notification{7, "progress", body},
            Notification{0, "", ""},
        };
        for (const Message &message : messages) {
            const auto again = messageFrom(toBytes(message));
            QVERIFY2(again, again ? "" : again.error().message.c_str());
            QVERIFY(*again == message);
        }
    }

    void everyKindOfErrorIsSentByItsName()
    {
        for (int code = 0; code <= static_cast<int>(ErrorCode::Internal); ++code) {
            const Message message = Response{1, Error{static_cast<ErrorCode>(code), "m", {}, {}}};
            const auto again = messageFrom(toBytes(message));
            QVERIFY(again);
            QVERIFY(*again == message);
        }
    }

    void whatIsMissingOrOfAnotherKindIsNamed()
    {
        QCOMPARE(problemOf(Json::array()), std::string("a message cannot be read: 'kind' is missing"));
        QCOMPARE(problemOf({{"kind", "request"}, {"id", 1}, {"method", "run"}}),
                 std::string("a message cannot be read: its body is missing"));
        QCOMPARE(problemOf({{"kind", "request"}, {"id", "one"}, {"method", "run"}}),
                 std::string("a message cannot be read: id: expected a whole number, found string"));
        QCOMPARE(problemOf({{"kind", "question"}, {"id", 1}}),
                 std::string("a message cannot be read: it is a 'question', which is none of the kinds there are"));
        QCOMPARE(problemOf({{"kind", "response"}, {"id", 1}, {"error", {{"code", "bad"}}}}),
                 std::string("a message cannot be read: error.code: there is no kind of error 'bad'"));
    }

    void depthIsBoundedBeforeTheReaderRecurses()
    {
        const auto deep = messageFrom(std::string(50'000'000, '\x81')); // arrays of one, in each other
        QVERIFY(!deep);
        QCOMPARE(deep.error().message, std::string("a message cannot be read: it is nested more than 64 levels deep"));
    }

    void announcedSizesTakeNoMemory()
    {
        for (const char *head : {"\x9b\x7f\xff\xff\xff\xff\xff\xff\xff", "\xbb\x00\x00\xff\xff\xff\xff\xff\xff",
                                 "\x5b\x00\x00\xff\xff\xff\xff\xff\xff", "\x7b\x00\x00\xff\xff\xff\xff\xff\xff"}) {
            const auto message = messageFrom(std::string(head, 9));
            QVERIFY(!message);
            QVERIFY2(message.error().message.starts_with("a message cannot be read: it is no CBOR"),
                     message.error().message.c_str());
        }
    }

    void anyBytesGiveAMessageOrAnError()
    {
        const std::string good = toBytes(Response{8, Error{ErrorCode::NotFound, "no 'x'", "x", "details"}});
        for (unsigned seed = 0; seed < 2000; ++seed) {
            std::mt19937 random(seed);
            std::string bytes = good.substr(0, 1 + random() % good.size());
            for (unsigned changes = random() % 4; changes > 0; --changes)
                bytes[random() % bytes.size()] = static_cast<char>(random());
            const auto message = messageFrom(bytes);
            QVERIFY2(message || message.error().code == ErrorCode::InvalidFile, qPrintable(QString::number(seed)));
        }
    }
};

PIPESCOPE_TEST(TestMessage)
#include "tst_message.moc"
