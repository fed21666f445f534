#include "protocol/frame.h"

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using protocol::frameOf;
using protocol::FrameReader;

namespace {

std::string framed(std::string_view payload)
{
    const auto frame = frameOf(payload);
    return frame ? *frame : frame.error().message;
}

/// The payload, "(waiting)", or the error's message.
std::string nextOf(FrameReader &reader)
{
    const auto next = reader.next();
    return next ? next->value_or("(waiting)") : next.error().message;
}

} // namespace

class TestFrame : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFrameIsItsMarkItsLengthAndItsPayload()
    {
        QCOMPARE(framed("abc"), std::string("PSc1\x03\0\0\0abc", 11));
        QCOMPARE(framed(std::string(258, 'x')).substr(0, 8), std::string("PSc1\x02\x01\0\0", 8));
    }

    void piecesOfAnySizeMakeTheSamePayloads()
    {
        const std::string stream = framed("first") + framed("") + framed(std::string("a\0b", 3)) + framed("PSc1");
        for (std::size_t size = 1; size <= stream.size(); ++size) {
            FrameReader reader;
            std::vector<std::string> payloads;
            for (std::size_t at = 0; at < stream.size(); at += size) {
                reader.feed(std::string_view(stream).substr(at, size));
                for (auto next = reader.next(); next && *next; next = reader.next())
                    payloads.push_back(**next);
            }
            QCOMPARE(payloads, (std::vector<std::string>{"first", "", std::string("a\0b", 3), "PSc1"}));
            QVERIFY(!reader.isInsideFrame());
        }
    }

    void aStreamThatEndsInsideAFrameIsKnownToBeCutShort()
    {
        FrameReader reader;
        reader.feed(framed("whole"));
        reader.feed(framed("cut short").substr(0, 12));
        QCOMPARE(nextOf(reader), std::string("whole"));
        QCOMPARE(nextOf(reader), std::string("(waiting)"));
        QVERIFY(reader.isInsideFrame());
    }

    void whatIsNoFrameIsShownAndStaysAnError()
    {
        FrameReader reader;
        reader.feed("Welcome to \x1b[1mhost\x1b[0m\n");
        const std::string problem = "what arrived is no message of pipescope-cli: 'Welcome to .[1mhost.[0m.'";
        QCOMPARE(nextOf(reader), problem);
        QCOMPARE(nextOf(reader), problem);
    }

    void aWrongMarkIsSeenAtItsFirstByte()
    {
        FrameReader reader;
        reader.feed("PSc");
        QCOMPARE(nextOf(reader), std::string("(waiting)"));
        reader.feed("2");
        QVERIFY(nextOf(reader).starts_with("what arrived is no message"));
    }

    void announcedSizesAreBounded()
    {
        FrameReader reader(1000);
        reader.feed(framed(std::string(1000, 'x')));
        QCOMPARE(nextOf(reader).size(), std::size_t(1000));
        reader.feed(std::string("PSc1\xe9\x03\0\0", 8)); // 1001
        QCOMPARE(nextOf(reader), std::string("a message of 1001 B was announced; 1000 B is the most there may be"));
        FrameReader justAbove;
        justAbove.feed(std::string("PSc1\x01\0\0\x10", 8));
        QCOMPARE(nextOf(justAbove), std::string("a message of 268435457 bytes was announced; 268435456 bytes is the "
                                                "most there may be"));
        FrameReader other;
        other.feed("PSc1\xff\xff\xff\xff");
        QVERIFY2(nextOf(other).starts_with("a message of 4"), nextOf(other).c_str());
    }

    void whatIsTooLargeIsNotSent()
    {
        const auto frame = frameOf(std::string(std::size_t{protocol::MaxFrameBytes} + 1, 'x'));
        QVERIFY(!frame);
        QCOMPARE(frame.error().code, ErrorCode::Unsupported);
    }
};

PIPESCOPE_TEST(TestFrame)
#include "tst_frame.moc"
