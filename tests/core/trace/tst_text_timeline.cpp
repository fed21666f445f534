#include "support/test_program.h"
#include "support/trace_builder.h"
#include "trace/text_timeline.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::trace;
using tests::TraceBuilder;

namespace {

constexpr std::int64_t Ms = 1'000'000;

QString drawn(const Trace &trace, int columns, bool colour = false)
{
    return QString::fromStdString(textTimeline(trace, columns, colour));
}

QStringList rowsOf(const Trace &trace, int columns)
{
    return drawn(trace, columns).split('\n').mid(0, trace.ranks);
}

} // namespace

class TestTextTimeline : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anEvenForwardIsAStaircase()
    {
        QCOMPARE(drawn(tests::evenForward(2, 4, Ms), 20),
                 QString("rank 0 (cpu:0) |0000111122223333    |\n"
                         "rank 1 (cpu:1) |    0000111122223333|\n"
                         "                0            5.00 ms\n"
                         "                0-9 microbatch (last digit)  · waiting  » sending or receiving\n"));
    }

    void itFitsATerminalOf80Columns()
    {
        for (const QString &line : drawn(tests::evenForward(4, 8, Ms), 60).split('\n'))
            QVERIFY2(line.size() <= 80, qPrintable(line));
    }

    void waitsAndTransfersHaveSignsOfTheirOwn()
    {
        const Trace trace = TraceBuilder(2, 2, 1)
                                .compute(0, 0, 0, 0, 4)
                                .send(0, 0, 0, 1, 4, 5)
                                .wait(1, 1, 0, WaitCause::Input, 0, 5, 0)
                                .receive(1, 1, 0, 0, 5, 6)
                                .compute(1, 1, 0, 6, 10)
                                .build();
        QCOMPARE(rowsOf(trace, 10), (QStringList{"rank 0 (cpu:0) |0000»     |", "rank 1 (cpu:1) |·····»0000|"}));
    }

    void namesArePaddedAndMadeUpWhereMissing()
    {
        Trace trace = tests::evenForward(3, 1, Ms);
        trace.rankNames = {"gpu", "rank one (µ)"};
        QCOMPARE(rowsOf(trace, 12), (QStringList{"gpu          |0000        |", "rank one (µ) |    0000    |",
                                                 "rank 2       |        0000|"}));
    }

    void aNameStaysOnItsLine()
    {
        Trace trace = tests::evenForward(1, 1, Ms);
        trace.rankNames = {"a\nb\x1b[31m"};
        QCOMPARE(rowsOf(trace, 10), QStringList{"a\\nb\\x1b[31m |0000000000|"});
    }

    void aColumnShowsWhatCoversMostOfIt()
    {
        // Slices of 10: 0 to 6 and 7 to 10 in the first, 12 to 20 in the second.
        const Trace trace = TraceBuilder(1, 1, 3)
                                .compute(0, 0, 0, 0, 6)
                                .wait(0, 0, 1, WaitCause::Input, 7, 12)
                                .compute(0, 0, 1, 12, 20)
                                .wait(0, 0, 2, WaitCause::Input, 20, 100)
                                .build();
        QCOMPARE(rowsOf(trace, 10), (QStringList{"rank 0 (cpu:0) |01········|"}));
    }

    // Computations of 1 in slices of 10, which else show the waits around them.
    void shortComputationsStayVisible()
    {
        TraceBuilder builder(1, 1, 8);
        for (int i = 0; i < 8; ++i)
            builder.compute(0, 0, i, 10 * i, 10 * i + 1).wait(0, 0, i, WaitCause::Input, 10 * i + 1, 10 * i + 10);
        builder.wait(0, 0, 8, WaitCause::Input, 80, 100);
        QCOMPARE(rowsOf(builder.build(), 10), (QStringList{"rank 0 (cpu:0) |01234567··|"}));
    }

    // Microbatch 1 covers most of no slice; it takes the end of its neighbour, which has others.
    void aShortComputationTakesAColumnOfALongOne()
    {
        const Trace trace =
            TraceBuilder(1, 1, 3).compute(0, 0, 0, 0, 46).compute(0, 0, 1, 46, 49).compute(0, 0, 2, 49, 100).build();
        QCOMPARE(rowsOf(trace, 10), (QStringList{"rank 0 (cpu:0) |0000122222|"}));
    }

    void aComputationDoesNotLoseItsOnlyColumn()
    {
        TraceBuilder builder(1, 1, 3);
        builder.compute(0, 0, 0, 0, 6).compute(0, 0, 1, 6, 9).compute(0, 0, 2, 10, 100);
        QCOMPARE(rowsOf(builder.build(), 10), (QStringList{"rank 0 (cpu:0) |0222222222|"}));
    }

    void microbatchesShowTheirLastDigit()
    {
        QCOMPARE(rowsOf(tests::evenForward(1, 12, Ms), 24), (QStringList{"rank 0 (cpu:0) |001122334455667788990011|"}));
    }

    void colourShowsTheStageAndTheLegendExplainsIt()
    {
        const Trace trace = TraceBuilder(1, 2, 1).compute(0, 0, 0, 0, 5).compute(0, 1, 0, 5, 10).build();
        const QString text = drawn(trace, 10, true);
        const QString first = "\x1b[30;44m0\x1b[0m";
        const QString second = "\x1b[30;42m0\x1b[0m";
        QVERIFY2(text.startsWith("rank 0 (cpu:0) |" + first.repeated(5) + second.repeated(5) + "|\n"),
                 qPrintable(text));
        QVERIFY2(text.endsWith("                stages \x1b[30;44m 0 \x1b[0m \x1b[30;42m 1 \x1b[0m\n"),
                 qPrintable(text));
        const Trace many = TraceBuilder(1, 9, 1).compute(0, 8, 0, 0, 10).build();
        QVERIFY(drawn(many, 10, true).endsWith(" 7 \x1b[0m and so on, in turn\n"));
        QVERIFY(drawn(many, 10, true).contains("|\x1b[30;44m0"));
    }

    void oddTracesAreDrawnToo()
    {
        QCOMPARE(drawn(Trace{}, 10),
                 QString("  0     0 ns\n  0-9 microbatch (last digit)  · waiting  » sending or receiving\n"));
        // Before the start, backwards, of no rank, without a microbatch.
        const Trace odd = TraceBuilder(1, 1, 1)
                              .compute(0, 0, 0, -100, -50)
                              .compute(0, 0, 0, 90, 20)
                              .compute(7, 0, 0, 0, 10)
                              .compute(0, 0, -1, -20, 50)
                              .compute(0, -1, 0, 50, 100)
                              .build();
        QCOMPARE(rowsOf(odd, 10), (QStringList{"rank 0 (cpu:0) |0000000000|"}));
        QVERIFY(drawn(odd, 10, true).contains("44m0"));
    }

    void tooFewColumnsAreTen()
    {
        QCOMPARE(rowsOf(tests::evenForward(1, 1, Ms), -5), (QStringList{"rank 0 (cpu:0) |0000000000|"}));
    }
};

PIPESCOPE_TEST(TestTextTimeline)
#include "tst_text_timeline.moc"
