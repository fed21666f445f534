#include "session/message_reader.h"

#include "protocol/bodies.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/trace_builder.h"

#include <QEventLoop>
#include <QPointer>
#include <QTest>
#include <atomic>
#include <new>
#include <semaphore>

using namespace pipescope;
using namespace pipescope::session;
using protocol::Notification;
using protocol::Response;

namespace {

/// What a body was, how much of a trace came before it, and which thread read it.
struct ReadText
{
    std::string text;
    std::int64_t events = 0;
    std::thread::id readBy;
};

std::shared_ptr<void> readText(const Result<std::string> &body, trace::TraceCollector &&parts)
{
    const Result<trace::Trace> trace = parts.take({0, 1, 4, 0});
    return std::make_shared<ReadText>(ReadText{body ? *body : body.error().message,
                                               trace ? static_cast<std::int64_t>(trace->events.size()) : 0,
                                               std::this_thread::get_id()});
}

// Of readWhenAllowed: the reading of one answer, held up for as long as a test wants.
std::atomic<int> readsBegun = 0;
std::atomic<int> readsEnded = 0;
std::binary_semaphore readAllowed(0);

std::shared_ptr<void> readWhenAllowed(const Result<std::string> &body, trace::TraceCollector &&parts)
{
    ++readsBegun;
    readAllowed.acquire();
    auto text = readText(body, std::move(parts));
    ++readsEnded;
    return text;
}

/// There is memory for an error, but not for an answer.
std::shared_ptr<void> readWithoutMemory(const Result<std::string> &body, trace::TraceCollector &&parts)
{
    if (body)
        throw std::bad_alloc();
    return readText(body, std::move(parts));
}

std::shared_ptr<void> readNothing(const Result<std::string> &, trace::TraceCollector &&)
{
    throw std::bad_alloc();
}

const std::string LargeBody(static_cast<std::size_t>(MessageReader::AtOnce), 'x');

QByteArray bytesOfMessage(const protocol::Message &message)
{
    return QByteArray::fromStdString(*protocol::frameOf(protocol::toBytes(message)));
}

QByteArray progressBytes(std::int64_t id, const std::string &step)
{
    return bytesOfMessage(Notification{id, "progress", protocol::toBody(protocol::ProgressNote{step, -1})});
}

/// A reader and all that was heard of it, a line each.
struct Ears
{
    QPointer<MessageReader> reader = new MessageReader(nullptr);
    QStringList lines;
    std::vector<std::thread::id> readBy;

    Ears()
    {
        QObject::connect(reader, &MessageReader::heard, reader, [this](const Heard &heard) {
            readBy.push_back(heard.readBy);
            std::visit([this](const auto &what) { hear(what); }, heard.what);
        });
    }
    ~Ears() { delete reader; }
    Ears(const Ears &) = delete;
    Ears &operator=(const Ears &) = delete;

    void hear(const Answered &answered)
    {
        const ReadText &text = *static_cast<const ReadText *>(answered.answer.get());
        readBy.back() = text.readBy;
        lines << QStringLiteral("%1: %2, %3 events")
                     .arg(answered.request)
                     .arg(QString::fromStdString(text.text == LargeBody ? "xxxxxxxx" : text.text))
                     .arg(text.events);
    }
    void hear(const TracedPart &traced)
    {
        lines << QStringLiteral("%1: part %2").arg(traced.request).arg(traced.part->number);
    }
    void hear(const Notification &told)
    {
        const auto note = protocol::fromBody<protocol::ProgressNote>(told.body);
        lines << QStringLiteral("%1: %2").arg(told.id).arg(QString::fromStdString(note->step));
    }
    void hear(const Lost &lost) { lines << lost.why; }
};

} // namespace

class TestMessageReader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        tests::failOnWarnings();
        readsBegun = 0;
        readsEnded = 0;
    }

    void aSmallAnswerIsThereAtOnce()
    {
        Ears ears;
        ears.reader->expect(1, &readText);
        const QByteArray bytes = bytesOfMessage(Response{1, std::string("fine")});
        ears.reader->feed(bytes.left(5));
        QVERIFY(ears.lines.isEmpty());
        ears.reader->feed(bytes.mid(5));
        QCOMPARE(ears.lines, QStringList{"1: fine, 0 events"});
        QVERIFY(ears.readBy[0] == std::this_thread::get_id());
    }

    void aLargeAnswerIsReadByAnotherThread()
    {
        Ears ears;
        ears.reader->expect(1, &readText);
        ears.reader->feed(bytesOfMessage(Response{1, LargeBody}));
        QVERIFY(ears.lines.isEmpty());
        QTRY_COMPARE(ears.lines, QStringList{"1: xxxxxxxx, 0 events"});
        QVERIFY(ears.readBy[0] != std::this_thread::get_id());
    }

    /// As a pipe brings it: no piece by itself is much.
    void aLargeAnswerInSmallPiecesIsReadByAnotherThread()
    {
        Ears ears;
        ears.reader->expect(1, &readText);
        const QByteArray bytes = bytesOfMessage(Response{1, LargeBody});
        for (qsizetype at = 0; at < bytes.size(); at += 1000)
            ears.reader->feed(bytes.mid(at, 1000));
        QTRY_COMPARE(ears.lines, QStringList{"1: xxxxxxxx, 0 events"});
        QVERIFY(ears.readBy[0] != std::this_thread::get_id());
    }

    void aLargePartOfATraceIsReadByAnotherThreadToo()
    {
        Ears ears;
        ears.reader->expect(1, &readText);
        const trace::Trace trace = tests::evenForward(2, 2000, 10);
        const QByteArray part =
            bytesOfMessage(Notification{1, "trace", protocol::toBody(trace::TracePart{0, 0, trace})});
        QVERIFY(part.size() > MessageReader::AtOnce);
        ears.reader->feed(part);
        QVERIFY(ears.lines.isEmpty());
        QTRY_COMPARE(ears.lines, QStringList{"1: part 0"});
        QVERIFY(ears.readBy[0] != std::this_thread::get_id());
    }

    /// They are as much work as a large one.
    void manySmallMessagesAtOnceAreReadByAnotherThread()
    {
        Ears ears;
        ears.reader->expect(1, &readText);
        QByteArray bytes;
        int count = 0;
        for (; bytes.size() <= MessageReader::AtOnce; ++count)
            bytes += bytesOfMessage(
                Notification{1, "trace", protocol::toBody(trace::TracePart{0, count, tests::evenForward(2, 2, 10)})});
        ears.reader->feed(bytes);
        QVERIFY(ears.lines.isEmpty());
        QTRY_COMPARE(ears.lines.size(), count);
        for (const std::thread::id &id : ears.readBy)
            QVERIFY(id != std::this_thread::get_id());
    }

    void anAnswerBringsTheTraceThatCameBeforeIt()
    {
        Ears ears;
        ears.reader->expect(1, &readText);
        ears.reader->expect(2, &readText);
        for (const std::int64_t id : {1, 99})
            ears.reader->feed(bytesOfMessage(
                Notification{id, "trace", protocol::toBody(trace::TracePart{0, 0, tests::evenForward(2, 2, 5)})}));
        ears.reader->feed(bytesOfMessage(Response{2, std::string("none")}));
        ears.reader->feed(bytesOfMessage(Response{1, std::string("traced")}));
        QCOMPARE(ears.lines, (QStringList{"1: part 0", "2: none, 0 events", "1: traced, 4 events"}));
    }

    void whatIsSaidWhileALargeAnswerIsReadWaitsForIt()
    {
        Ears ears;
        ears.reader->expect(1, &readWhenAllowed);
        ears.reader->expect(2, &readText);
        ears.reader->feed(progressBytes(1, "begun"));
        ears.reader->feed(bytesOfMessage(Response{1, LargeBody}));
        QTRY_COMPARE(readsBegun.load(), 1);
        ears.reader->expect(3, &readText); // asked meanwhile
        ears.reader->feed(progressBytes(2, "running"));
        ears.reader->feed(bytesOfMessage(Response{2, std::string("small")}));
        ears.reader->feed(bytesOfMessage(Response{3, LargeBody}));
        ears.reader->end("it is gone");
        QCoreApplication::processEvents();
        QCOMPARE(ears.lines, QStringList{"1: begun"});
        readAllowed.release();
        QTRY_COMPARE(ears.lines.size(), 6);
        QCOMPARE(ears.lines, (QStringList{"1: begun", "1: xxxxxxxx, 0 events", "2: running", "2: small, 0 events",
                                          "3: xxxxxxxx, 0 events", "it is gone"}));
    }

    void aListenerThatAsksTheUserHearsMoreMeanwhile()
    {
        Ears ears;
        ears.reader->expect(1, &readText);
        bool nested = false;
        connect(ears.reader, &MessageReader::heard, this, [&] {
            if (std::exchange(nested, true))
                return;
            ears.reader->feed(bytesOfMessage(Response{1, LargeBody}));
            QTRY_COMPARE(ears.lines.size(), 3);
        });
        ears.reader->feed(progressBytes(1, "one") + progressBytes(1, "two"));
        QCOMPARE(ears.lines, (QStringList{"1: one", "1: two", "1: xxxxxxxx, 0 events"}));
    }

    void oneThatIsRetiredTellsNothingMoreAndGoes()
    {
        Ears ears;
        ears.reader->expect(1, &readWhenAllowed);
        ears.reader->expect(2, &readText);
        ears.reader->feed(bytesOfMessage(Response{1, LargeBody}) + bytesOfMessage(Response{2, LargeBody}));
        QTRY_COMPARE(readsBegun.load(), 1);
        ears.reader->retire();
        ears.reader->end("it is gone");
        QCoreApplication::processEvents();
        QVERIFY(ears.reader);
        readAllowed.release();
        QTRY_VERIFY(!ears.reader);
        QVERIFY(ears.lines.isEmpty());
    }

    void aListenerMayRetireTheReader()
    {
        Ears ears;
        connect(ears.reader, &MessageReader::heard, this, [&] { ears.reader->retire(); });
        ears.reader->expect(1, &readText);
        ears.reader->feed(progressBytes(1, "one") + progressBytes(1, "two"));
        QTRY_VERIFY(!ears.reader);
        QCOMPARE(ears.lines, QStringList{"1: one"});
    }

    /// As with a dialog that is open when the engine dies.
    void theReaderMayGoWhileAListenerAsksTheUser_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("the last message") << progressBytes(1, "one");
        QTest::newRow("one of two messages") << progressBytes(1, "one") + progressBytes(1, "two");
        QTest::newRow("read beside") << progressBytes(1, "one") + bytesOfMessage(Response{1, LargeBody});
    }

    void theReaderMayGoWhileAListenerAsksTheUser()
    {
        QFETCH(QByteArray, bytes);
        Ears ears;
        ears.reader->expect(1, &readText);
        bool nested = false;
        connect(ears.reader, &MessageReader::heard, this, [&] {
            if (std::exchange(nested, true))
                return;
            QEventLoop dialog;
            connect(ears.reader, &QObject::destroyed, &dialog, &QEventLoop::quit);
            QMetaObject::invokeMethod(
                this,
                [&ears] {
                    ears.reader->end("it was ended by signal 9");
                    ears.reader->retire();
                },
                Qt::QueuedConnection);
            dialog.exec();
        });
        ears.reader->feed(bytes);
        QTRY_VERIFY(!ears.reader);
        QCOMPARE(ears.lines.first(), QString("1: one"));
    }

    void theEndOfALongRunIsReadByAnotherThread()
    {
        Ears ears;
        ears.reader->expect(1, &readText);
        ears.reader->expect(2, &readText);
        qsizetype bytes = 0;
        int parts = 0;
        for (; bytes <= MessageReader::AtOnce + 4096; ++parts) {
            const QByteArray part = bytesOfMessage(
                Notification{1, "trace", protocol::toBody(trace::TracePart{0, parts, tests::evenForward(2, 200, 10)})});
            QVERIFY(part.size() < MessageReader::AtOnce);
            ears.reader->feed(part);
            QTRY_COMPARE(ears.lines.size(), parts + 1);
            bytes += part.size();
        }
        QVERIFY(parts > 1);
        ears.reader->feed(bytesOfMessage(Response{1, std::string("fine")})); // small by itself
        QCOMPARE(ears.lines.size(), parts);
        QTRY_COMPARE(ears.lines.size(), parts + 1);
        QVERIFY(ears.readBy.back() != std::this_thread::get_id());
        ears.reader->feed(bytesOfMessage(Response{2, std::string("next")})); // the parts are gone
        QTRY_COMPARE(ears.lines.size(), parts + 2);
        QVERIFY(ears.readBy.back() == std::this_thread::get_id());
    }

    /// The answer puts together the parts of the latest repetition only.
    void theEndOfAShortRunThatWasRepeatedIsReadAtOnce()
    {
        Ears ears;
        ears.reader->expect(1, &readText);
        qsizetype bytes = 0;
        int repetitions = 0;
        for (; bytes <= 2 * MessageReader::AtOnce; ++repetitions) {
            const trace::TracePart part{repetitions, 0, tests::evenForward(2, 50, 10)};
            const QByteArray message = bytesOfMessage(Notification{1, "trace", protocol::toBody(part)});
            QVERIFY(message.size() < MessageReader::AtOnce / 2);
            ears.reader->feed(message);
            QCOMPARE(ears.lines.size(), repetitions + 1);
            QVERIFY(ears.readBy.back() == std::this_thread::get_id());
            bytes += message.size();
        }
        ears.reader->feed(bytesOfMessage(Response{1, std::string("fine")}));
        QCOMPARE(ears.lines.size(), repetitions + 1);
        QVERIFY(ears.readBy.back() == std::this_thread::get_id());
    }

    void anAnswerThatDoesNotFitTheMemoryIsAnError_data()
    {
        QTest::addColumn<QString>("body");
        QTest::newRow("read at once") << "small";
        QTest::newRow("read beside") << QString::fromStdString(LargeBody);
    }

    void anAnswerThatDoesNotFitTheMemoryIsAnError()
    {
        QFETCH(QString, body);
        Ears ears;
        ears.reader->expect(1, &readWithoutMemory);
        ears.reader->expect(2, &readText);
        ears.reader->feed(bytesOfMessage(Response{1, body.toStdString()}));
        ears.reader->feed(bytesOfMessage(Response{2, std::string("fine")}));
        QTRY_COMPARE(ears.lines.size(), 2);
        QCOMPARE(ears.lines, (QStringList{"1: the engine's answer cannot be read: there is not enough memory, 0 events",
                                          "2: fine, 0 events"}));
    }

    void anEngineWhoseMessagesCannotBeReadIsLost()
    {
        Ears ears;
        ears.reader->expect(1, &readNothing);
        ears.reader->expect(2, &readText);
        ears.reader->feed(bytesOfMessage(Response{1, LargeBody}) + bytesOfMessage(Response{2, LargeBody}));
        QTRY_COMPARE(ears.lines, QStringList{"its messages cannot be read: there is not enough memory"});
        QVERIFY(ears.readBy[0] != std::this_thread::get_id());
    }

    void itsEndWaitsForWhatItReads()
    {
        Ears ears;
        auto owner = std::make_unique<QObject>();
        ears.reader->setParent(owner.get());
        ears.reader->expect(1, &readWhenAllowed);
        ears.reader->feed(bytesOfMessage(Response{1, LargeBody}));
        QTRY_COMPARE(readsBegun.load(), 1);
        connect(owner.get(), &QObject::destroyed, this, [] { readAllowed.release(); }); // its children go after that
        owner.reset();
        QVERIFY(!ears.reader);
        QCOMPARE(readsEnded.load(), 1);
        QCoreApplication::processEvents();
        QVERIFY(ears.lines.isEmpty());
    }

    void nothingIsHeardAfterWhatIsNotUnderstood()
    {
        Ears ears;
        ears.reader->expect(1, &readText);
        ears.reader->feed("Password: ");
        ears.reader->feed(bytesOfMessage(Response{1, std::string("fine")}));
        QCOMPARE(ears.lines, QStringList{"what arrived is no message of pipescope-cli: 'Password: '"});
    }
};

PIPESCOPE_TEST(TestMessageReader)
#include "tst_message_reader.moc"
