#include "timeline/trace_reader.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/trace_builder.h"
#include "trace/chrome_trace.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <new>
#include <sys/stat.h>

using namespace pipescope;
using timeline::TraceReader;

namespace {

struct Desk
{
    QTemporaryDir folder;
    TraceReader reader;
    QSignalSpy loaded{&reader, &TraceReader::loaded};
    QSignalSpy refused{&reader, &TraceReader::refused};

    [[nodiscard]] QString file(const char *name, const trace::Trace &trace) const
    {
        QFile made(folder.filePath(QString::fromLatin1(name)));
        const QByteArray bytes = QByteArray::fromStdString(trace::toChromeJson(trace));
        if (!made.open(QIODevice::WriteOnly) || made.write(bytes) != bytes.size())
            qFatal("no file");
        return made.fileName();
    }
    [[nodiscard]] QString small() const { return file("small.json", tests::evenForward(2, 2, 1000)); }
    /// One whose reading takes a while.
    [[nodiscard]] QString large() const { return file("large.json", tests::evenForward(8, 4000, 1000)); }
};

} // namespace

class TestTraceReader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aFileIsReadBesideTheWindow()
    {
        Desk desk;
        const QSignalSpy changed(&desk.reader, &TraceReader::stateChanged);
        const QString path = desk.small();
        desk.reader.open(path);
        QVERIFY(desk.reader.isReading());
        QCOMPARE(desk.reader.path(), path);
        QTRY_COMPARE(desk.loaded.size(), 1);
        QCOMPARE(desk.loaded[0][0].toString(), path);
        QVERIFY(!desk.reader.isReading());
        QCOMPARE(changed.size(), 2);
    }

    void aTraceThatDoesNotFitTheMemoryIsNamedWithAdvice()
    {
        const Error error = session::errorOf(std::bad_alloc());
        QCOMPARE(timeline::whyRefused("/tmp/run.json", error),
                 QString("The trace /tmp/run.json cannot be read: there is not enough memory for it. Close other "
                         "programs, or record fewer microbatches."));
        QCOMPARE(timeline::whyRefused("/tmp/run.json", {ErrorCode::InvalidFile, "It is empty.", {}, {}}),
                 QString("It is empty."));
    }

    void nothingFollowsWhatIsCancelled()
    {
        Desk desk;
        desk.reader.open(desk.large());
        desk.reader.cancel();
        QVERIFY(!desk.reader.isReading());
        desk.reader.open(desk.small()); // which waits for its turn after it
        QTRY_COMPARE(desk.loaded.size(), 1);
        QVERIFY(desk.loaded[0][0].toString().endsWith("small.json"));
        QVERIFY(desk.refused.isEmpty());
    }

    void theNewestOfTwoIsRead()
    {
        Desk desk;
        desk.reader.open(desk.large());
        desk.reader.open(desk.small());
        QTRY_COMPARE(desk.loaded.size(), 1);
        QVERIFY(desk.loaded[0][0].toString().endsWith("small.json"));
        QVERIFY(!desk.reader.isReading());
    }

    void aReadingThatIsGivenUpEndsWithoutAnAnswer()
    {
        const Desk desk;
        std::stop_source stop;
        QVERIFY(timeline::readTraceFile(desk.small(), stop.get_token()));
        stop.request_stop();
        const auto answer = timeline::readTraceFile(desk.small(), stop.get_token());
        QVERIFY(!answer);
        QCOMPARE(answer.error().code, ErrorCode::Cancelled);
    }

    void aPipeIsRefusedAndNotWaitedFor()
    {
        Desk desk;
        const QString path = desk.folder.filePath("pipe.json");
        QCOMPARE(mkfifo(path.toLocal8Bit().constData(), 0600), 0);
        desk.reader.open(path);
        QTRY_COMPARE(desk.refused.size(), 1);
        QVERIFY(desk.refused[0][0].toString().endsWith("it is no file"));
    }
};

PIPESCOPE_WIDGET_TEST(TestTraceReader)
#include "tst_trace_reader.moc"
