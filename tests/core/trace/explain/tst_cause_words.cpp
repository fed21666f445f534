#include "trace/explain/cause_words.h"

#include "support/explained.h"
#include "support/test_program.h"
#include "trace/explain/cause_chain.h"

#include <QTest>
#include <set>

using namespace pipescope;
using trace::BubbleCause;
using trace::wordsOf;

namespace {

constexpr BubbleCause Causes[] = {BubbleCause::WarmUp, BubbleCause::CoolDown, BubbleCause::Input,
                                  BubbleCause::Credit, BubbleCause::Device,   BubbleCause::NotRunning,
                                  BubbleCause::Runtime};

std::string inBrackets(const char *text)
{
    return '[' + std::string(text) + ']';
}

} // namespace

class TestCauseWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyCauseHasItsRow()
    {
        std::set<std::string> keys;
        for (const BubbleCause cause : Causes) {
            keys.insert(wordsOf(cause).key);
            QVERIFY(!std::string(wordsOf(cause).sentence).empty());
        }
        QVERIFY((keys == std::set<std::string>{"fill", "drain", "input", "credit", "device", "not_running",
                                               "between_actions"}));
    }

    void eachCauseHasWhatHelpsAgainstIt()
    {
        const auto remedy = [](BubbleCause cause) { return QString(wordsOf(cause).remedy); };
        QCOMPARE(remedy(BubbleCause::WarmUp), QString("more microbatches, fewer stages"));
        QCOMPARE(remedy(BubbleCause::CoolDown), QString("more microbatches, fewer stages"));
        QCOMPARE(remedy(BubbleCause::Input), QString("a better balance, where the stage waited for is slower"));
        QCOMPARE(remedy(BubbleCause::Credit), QString("a higher limit (Most in flight), and memory for it"));
        QCOMPARE(remedy(BubbleCause::Device), QString("devices of their own"));
        QCOMPARE(remedy(BubbleCause::NotRunning),
                 QString("fewer other programs, fewer threads or ranks than cores, longer actions"));
        QCOMPARE(remedy(BubbleCause::Runtime), QString("longer actions"));
    }

    void eachTextIsTranslatedByItself()
    {
        const auto explained = tests::explained(tests::oneUnderWayTrace().build());
        const trace::Lane &lane = explained->lanes()[0];
        QCOMPARE(QString::fromStdString(trace::causeSentence(*explained, lane.bubbles[0], inBrackets)),
                 QString("[[waiting for credit: too many microbatches under way until stage 1 had finished microbatch "
                         "0]]"));
        QCOMPARE(QString::fromStdString(trace::causeSentence(*explained, lane.bubbles[1], inBrackets)),
                 QString("[drain: nothing left to compute]"));
        QCOMPARE(QString::fromStdString(
                     trace::chainText(*explained, trace::chainOf(*explained, lane, lane.bubbles[0]), inBrackets)),
                 QString("0F0 → 1F0 → [here]"));
    }

    void aMicrobatchThatTheTraceDoesNotTellIsNotNamed()
    {
        trace::Trace trace = tests::oneUnderWayTrace().build();
        for (trace::Event &event : trace.events)
            event.peerMicrobatch = {}; // as in older files
        const auto older = tests::explained(trace);
        QCOMPARE(QString::fromStdString(trace::causeSentence(*older, older->lanes()[0].bubbles[0])),
                 QString("waiting for credit: too many microbatches under way until stage 1 had finished one"));
        for (trace::Event &event : trace.events)
            if (event.kind == trace::EventKind::Wait)
                event.microbatch = {};
        const auto nameless = tests::explained(trace);
        QCOMPARE(QString::fromStdString(trace::causeSentence(*nameless, nameless->lanes()[1].bubbles[0])),
                 QString("fill: waiting for stage 0"));
    }

    void aPlaceInANameIsNoPlace()
    {
        trace::Trace trace = tests::twoRanksTrace().build();
        for (trace::Event &event : trace.events)
            event.value = "%1%2";
        const auto explained = tests::explained(trace);
        QCOMPARE(QString::fromStdString(trace::causeSentence(*explained, explained->lanes()[1].bubbles[0])),
                 QString("fill: waiting for stage 0's microbatch 0 (%1%2)"));
    }
};

PIPESCOPE_TEST(TestCauseWords)
#include "tst_cause_words.moc"
