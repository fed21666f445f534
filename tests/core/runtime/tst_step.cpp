#include "base/resident_memory.h"
#include "core/runtime/fake_pipeline.h"

#include "support/test_program.h"
#include "trace/trace_stats.h"
#include <ATen/ATen.h>

#include <QTest>
#include <algorithm>
#include <latch>
#include <map>
#include <random>
#include <set>

using namespace pipescope;
using namespace pipescope::runtime;
using namespace std::chrono_literals;
using trace::Event;
using trace::EventKind;
using trace::WaitCause;

namespace {

using Values = std::vector<c10::IValue>;

std::vector<std::int64_t> firstOutputs(Step &step)
{
    std::vector<std::int64_t> numbers;
    for (const Values &outputs : step.takeOutputs())
        numbers.push_back(outputs.front().toInt());
    return numbers;
}

std::vector<Event> ofKind(const std::vector<Event> &events, EventKind kind)
{
    std::vector<Event> chosen;
    std::copy_if(events.begin(), events.end(), std::back_inserter(chosen),
                 [kind](const Event &e) { return e.kind == kind; });
    return chosen;
}

/// For a stage: returns once this rank waits.
void awaitWaiting(const Step &step, int rank, const std::stop_token &stop)
{
    const std::string words = "rank " + std::to_string(rank) + " has waited";
    while (!stop.stop_requested() && step.stallReport().find(words) == std::string::npos)
        std::this_thread::yield();
}

} // namespace

class TestStep : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aChainGivesEveryMicrobatchItsOwnResult()
    {
        const StepPlan plan = fake::chain(3, 5);
        const MicrobatchValues arguments = fake::numbers(5);
        Step step(plan, arguments, fake::addTen(plan), 0us);
        fake::runStep(step, 3);
        QVERIFY(!step.error());
        QCOMPARE(firstOutputs(step), (std::vector<std::int64_t>{30, 31, 32, 33, 34}));
        QCOMPARE(step.finishedTasks(), std::size_t(15));
    }

    void manyMicrobatchesReserveNoMemoryForAllThatMayHappen()
    {
        constexpr int microbatches = 400'000;
        const StepPlan plan = fake::chain(2, microbatches);
        const MicrobatchValues arguments = fake::numbers(microbatches);
        const std::int64_t before = residentMemory();
        if (before == 0)
            QSKIP("the system does not tell how much memory is resident");
        const Step step(plan, arguments, fake::addTen(plan), 0us);
        const std::int64_t taken = residentMemory() - before;
        QVERIFY2(taken < (150 << 20), qPrintable(QString::number(taken))); // room for each event takes three times that
    }

    void aSendEndsBeforeItsValueIsReceived()
    {
        constexpr int microbatches = 500;
        const StepPlan plan = fake::chain(2, microbatches);
        const MicrobatchValues arguments = fake::numbers(microbatches);
        Step step(plan, arguments, fake::addTen(plan), 0us);
        fake::runStep(step, 2);
        std::map<MicrobatchId, std::int64_t> sentNs;
        const std::vector<Event> events = step.takeTrace({}).events;
        for (const Event &sent : ofKind(events, EventKind::Send))
            sentNs[sent.microbatch] = sent.endNs;
        const std::vector<Event> received = ofKind(events, EventKind::Receive);
        QCOMPARE(received.size(), std::size_t(microbatches));
        for (const Event &event : received)
            QVERIFY2(sentNs.at(event.microbatch) <= event.beginNs, "a value was received while it was sent");
    }

    void severalStagesOnOneRankHandOverToo()
    {
        // Stages 0 and 2 on rank 0, 1 on rank 1; rank 0 runs all of stage 0 first.
        const StepPlan plan = fake::chain(3, 2, {{{0, 0}, {0, 1}, {2, 0}, {2, 1}}, {{1, 0}, {1, 1}}});
        const MicrobatchValues arguments = fake::numbers(2);
        Step step(plan, arguments, fake::addTen(plan), 0us);
        fake::runStep(step, 2);
        QCOMPARE(firstOutputs(step), (std::vector<std::int64_t>{30, 31}));
    }

    void microbatchesMayRunInAnyOrder()
    {
        const StepPlan plan = fake::chain(2, 3, {{{0, 2}, {0, 0}, {0, 1}}, {{1, 1}, {1, 2}, {1, 0}}});
        const MicrobatchValues arguments = fake::numbers(3);
        Step step(plan, arguments, fake::addTen(plan), 0us);
        fake::runStep(step, 2);
        QCOMPARE(firstOutputs(step), (std::vector<std::int64_t>{20, 21, 22}));
    }

    // The right answers of case C1: h skips from stage 0 to stage 2. Nothing is copied on the way, h is returned from
    // where it was made, and the argument `late` goes straight to the last stage.
    void valuesGoStraightToEveryUserWithoutACopy()
    {
        fake::Names names;
        const ValueId x = names.argument("x");
        const ValueId late = names.argument("late");
        const ValueId h = names.result("h");
        const ValueId y = names.result("y");
        const ValueId z = names.result("z");
        names.graph.outputs = {z, h};
        const StepPlan plan =
            fake::planOf(names, {{{x}, {h}}, {{h}, {y}}, {{late, h, y}, {z}}}, fake::inOrder(3, 2), 2);

        const MicrobatchValues arguments = {{at::ones({2, 2}), at::zeros({2, 2})},
                                            {at::ones({2, 2}), at::zeros({2, 2})}};
        std::vector<std::vector<const void *>> seen(6); // by stage, then microbatch: where its inputs lie
        std::vector<const void *> made(2);              // where h lies
        const StageRunner runner = [&](StageId stage, MicrobatchId microbatch, Values inputs,
                                       const std::stop_token &) -> Result<Values> {
            for (const c10::IValue &input : inputs)
                seen[stage.index() * 2 + microbatch.index()].push_back(input.toTensor().data_ptr());
            if (stage == StageId{1})
                return Values{inputs[0].toTensor() + 1};
            if (stage == StageId{2})
                return Values{inputs[2].toTensor() + inputs[1].toTensor() + inputs[0].toTensor()};
            const at::Tensor result = inputs[0].toTensor() * 2;
            made[microbatch.index()] = result.data_ptr();
            return Values{result};
        };
        Step step(plan, arguments, runner, 0us);
        fake::runStep(step, 3);
        QVERIFY(!step.error());
        const MicrobatchValues outputs = step.takeOutputs();
        for (std::size_t m = 0; m < 2; ++m) {
            QVERIFY(at::equal(outputs[m][0].toTensor(), at::full({2, 2}, 5.0)));
            QCOMPARE(outputs[m][1].toTensor().data_ptr(), made[m]);
            QCOMPARE(seen[2 + m], (std::vector<const void *>{made[m]}));
            QCOMPARE(seen[4 + m][0], arguments[m][1].toTensor().data_ptr());
            QCOMPARE(seen[4 + m][1], made[m]);
        }
    }

    void aValueIsDroppedAfterItsLastUse()
    {
        const StepPlan plan = fake::chain(3, 4);
        MicrobatchValues arguments = fake::numbers(4);
        std::vector<c10::weak_intrusive_ptr<at::TensorImpl>> between;
        std::mutex mutex;
        const StageRunner runner = [&](StageId stage, MicrobatchId, Values, const std::stop_token &) -> Result<Values> {
            at::Tensor result = at::ones({4});
            const std::lock_guard lock(mutex);
            if (stage != StageId{2})
                between.emplace_back(result.getIntrusivePtr());
            return Values{result};
        };
        Step step(plan, arguments, runner, 0us);
        fake::runStep(step, 3);
        QCOMPARE(between.size(), std::size_t(8));
        for (const auto &weak : between)
            QVERIFY(weak.expired()); // though the step is still there
    }

    void notMoreMicrobatchesThanAllowedAreUnderWay_data()
    {
        QTest::addColumn<int>("limit");
        for (const int limit : {1, 2, 3, 5})
            QTest::newRow(qPrintable(QString::number(limit))) << limit;
    }

    void notMoreMicrobatchesThanAllowedAreUnderWay()
    {
        QFETCH(int, limit);
        const StepPlan plan = fake::chain(3, 12, fake::inOrder(3, 12), limit);
        const MicrobatchValues arguments = fake::numbers(12);
        std::atomic<int> underWay = 0;
        std::atomic<int> most = 0;
        const Step *running = nullptr;
        const StageRunner runner = [&](StageId stage, MicrobatchId microbatch, Values,
                                       const std::stop_token &stop) -> Result<Values> {
            if (stage == StageId{0}) {
                const int now = ++underWay;
                for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
                }
            } else if (stage == StageId{1} && microbatch == MicrobatchId{0}) {
                awaitWaiting(*running, 0, stop); // stage 0 has run ahead as far as it may
            }
            if (stage == StageId{2})
                --underWay;
            return Values{c10::IValue(1)};
        };
        Step step(plan, arguments, runner, 0us);
        running = &step;
        fake::runStep(step, 3);
        QVERIFY(!step.error());
        QCOMPARE(most.load(), limit);
        const auto waits = ofKind(step.takeTrace({}).events, EventKind::Wait);
        QVERIFY(std::any_of(waits.begin(), waits.end(), [](const Event &wait) {
            return wait.cause == WaitCause::Credit && wait.rank == RankId{0} && wait.stage == StageId{0};
        }));
        for (const Event &wait : waits)
            if (wait.cause == WaitCause::Credit) {
                QCOMPARE(wait.peer, StageId{2}); // the last one in this chain
                QCOMPARE(wait.peerMicrobatch, MicrobatchId{wait.microbatch.value - limit});
            }
    }

    void aStageThatNobodyFeedsDoesNotRunAheadOfTheLimit()
    {
        fake::Names names;
        const ValueId x = names.argument("x");
        const ValueId a = names.result("a");
        const ValueId b = names.result("b");
        const ValueId c = names.result("c");
        names.graph.outputs = {c};
        const StepPlan plan = fake::planOf(names, {{{x}, {a}}, {{x}, {b}}, {{a, b}, {c}}}, fake::inOrder(3, 8), 8, 2);
        const MicrobatchValues arguments = fake::numbers(8);
        std::atomic<int> begun = 0;
        std::atomic<int> ahead = 0;
        const Step *running = nullptr;
        const StageRunner runner = [&](StageId stage, MicrobatchId microbatch, Values,
                                       const std::stop_token &stop) -> Result<Values> {
            if (stage == StageId{0}) {
                ++begun;
                if (microbatch == MicrobatchId{0})
                    awaitWaiting(*running, 1, stop); // stage 1 has run ahead as far as it may
            } else if (stage == StageId{1} && microbatch.value > begun) {
                ++ahead;
            }
            return Values{c10::IValue(1)};
        };
        Step step(plan, arguments, runner, 0us);
        running = &step;
        fake::runStep(step, 3);
        QVERIFY(!step.error());
        QCOMPARE(ahead.load(), 0);
        // It waits for what stage 0 itself waited for: an end that gave credit, or its own action before.
        int seen = 0;
        for (const Event &wait : ofKind(step.takeTrace({}).events, EventKind::Wait)) {
            if (wait.cause != WaitCause::Credit || wait.stage != StageId{1})
                continue;
            ++seen;
            const bool isFirst = wait.microbatch == MicrobatchId{0};
            const bool isOwn = wait.peer == StageId{0} && wait.peerMicrobatch.value == wait.microbatch.value - 1;
            const bool isCredit = wait.peer == StageId{2} && wait.peerMicrobatch.value == wait.microbatch.value - 2;
            QVERIFY(isFirst ? !wait.peer.valid() : isOwn || isCredit);
        }
        QVERIFY(seen > 0);
    }

    // `return a(x), b(x)` cut between them.
    void theTraceOfTwoTowersSaysThatNeitherFeedsTheOther()
    {
        fake::Names names;
        const ValueId x = names.argument("x");
        const ValueId a = names.result("a");
        const ValueId b = names.result("b");
        names.graph.outputs = {a, b};
        const StepPlan plan = fake::planOf(names, {{{x}, {a}}, {{x}, {b}}}, fake::inOrder(2, 1), 1);
        const MicrobatchValues arguments = fake::numbers(1);
        std::latch both(2); // each runs for as long as the other
        const StageRunner runner = [&](StageId, MicrobatchId, Values, const std::stop_token &) -> Result<Values> {
            both.arrive_and_wait();
            return Values{c10::IValue(1)};
        };
        Step step(plan, arguments, runner, 0us);
        fake::runStep(step, 2);
        QVERIFY(!step.error());
        const trace::Trace trace = step.takeTrace({});
        QVERIFY(trace.feeds && trace.feeds->empty());
        const trace::Stats stats = trace::traceStats(trace);
        QVERIFY(stats.makespanSeconds >= stats.boundSeconds);
    }

    void theTraceTellsWhatEachRankDid()
    {
        const StepPlan plan = fake::chain(2, 1);
        const MicrobatchValues arguments = {{at::ones({3})}};
        const Step *running = nullptr;
        const StageRunner runner = [&running](StageId stage, MicrobatchId, Values inputs,
                                              const std::stop_token &stop) -> Result<Values> {
            if (stage == StageId{0})
                awaitWaiting(*running, 1, stop);
            return inputs;
        };
        Step step(plan, arguments, runner, 0us);
        running = &step;
        fake::runStep(step, 2);
        std::vector<Event> events = step.takeTrace({}).events;
        QVERIFY(std::is_sorted(events.begin(), events.end(),
                               [](const Event &a, const Event &b) { return a.beginNs < b.beginNs; }));
        std::stable_sort(events.begin(), events.end(), [](const Event &a, const Event &b) { return a.rank < b.rank; });
        QCOMPARE(events.size(), std::size_t(5));
        for (Event &event : events) {
            QVERIFY(event.beginNs >= 0 && event.beginNs <= event.endNs);
            event.beginNs = event.endNs = 0;
        }
        const auto event = [](EventKind kind, int rank, int peer, const char *value, int bytes,
                              WaitCause cause = WaitCause::None) {
            return Event{kind,
                         RankId{rank},
                         StageId{rank},
                         MicrobatchId{0},
                         schedule::ActionKind::Forward,
                         0,
                         0,
                         StageId{peer},
                         value,
                         bytes,
                         cause,
                         {},
                         schedule::ActionKind::Forward};
        };
        QCOMPARE(events, (std::vector<Event>{
                             event(EventKind::Compute, 0, -1, "", 0), event(EventKind::Send, 0, 1, "h0", 12),
                             event(EventKind::Wait, 1, 0, "h0", 0, WaitCause::Input),
                             event(EventKind::Receive, 1, 0, "h0", 12), event(EventKind::Compute, 1, -1, "", 0)}));
    }

    void aRankThatNeverWaitsHasNoWait()
    {
        const StepPlan plan = fake::chain(2, 2, {{{0, 0}, {0, 1}, {1, 0}, {1, 1}}});
        const MicrobatchValues arguments = fake::numbers(2);
        Step step(plan, arguments, fake::addTen(plan), 0us);
        fake::runStep(step, 1);
        const auto events = step.takeTrace({}).events;
        QCOMPARE(ofKind(events, EventKind::Wait).size(), std::size_t(0));
        QCOMPARE(ofKind(events, EventKind::Receive).size(), std::size_t(2));
        QCOMPARE(ofKind(events, EventKind::Compute).size(), std::size_t(4));
    }

    // Random graphs of stages (values that skip, fan out and are returned from anywhere), random ranks and limits: the
    // results are those of running the stages one after another.
    void anyPipelineGivesWhatItsStagesGiveOneAfterAnother()
    {
        for (unsigned seed = 1; seed <= 150; ++seed) {
            std::mt19937 random(seed);
            const auto pick = [&random](int from, int to) { return std::uniform_int_distribution(from, to)(random); };
            const int stages = pick(1, 6);
            const int microbatches = pick(1, 7);
            fake::Names names;
            std::vector<ValueId> values = {names.argument("x"), names.argument("late")};
            std::vector<StageEnds> ends;
            for (int stage = 0; stage < stages; ++stage) {
                std::set<ValueId> inputs;
                for (int i = pick(0, 3); i > 0; --i)
                    inputs.insert(values[static_cast<std::size_t>(pick(0, static_cast<int>(values.size()) - 1))]);
                StageEnds &end = ends.emplace_back();
                end.inputs.assign(inputs.begin(), inputs.end());
                for (int i = pick(1, 3); i > 0; --i)
                    end.outputs.push_back(names.result(fmt::format("v{}", names.graph.values.size())));
                values.insert(values.end(), end.outputs.begin(), end.outputs.end());
            }
            for (int i = pick(1, 4); i > 0; --i) {
                const StageEnds &end = ends[static_cast<std::size_t>(pick(0, stages - 1))];
                names.graph.outputs.push_back(end.outputs.front());
            }
            const int ranks = pick(1, stages);
            fake::Rows rows(static_cast<std::size_t>(ranks));
            for (int microbatch = 0; microbatch < microbatches; ++microbatch) {
                for (int stage = 0; stage < stages; ++stage)
                    rows[static_cast<std::size_t>(stage % ranks)].emplace_back(stage, microbatch);
            }
            const StepPlan plan = fake::planOf(names, ends, rows, microbatches, pick(0, 4));
            MicrobatchValues arguments;
            for (std::int64_t i = 0; i < microbatches; ++i)
                arguments.push_back({c10::IValue(i), c10::IValue(100 * i)});
            const std::string fault = compareWithSerial(plan, ends, names, arguments, pick(0, 1) * 50us);
            QVERIFY2(fault.empty(), qPrintable(QString("seed %1: %2").arg(seed).arg(QString::fromStdString(fault))));
        }
    }

private:
    // Each output is a number of its own made from all inputs, stage, and output position.
    static Values mix(StageId stage, const Values &inputs, std::size_t outputs)
    {
        Values values;
        for (std::size_t i = 0; i < outputs; ++i) {
            std::int64_t number = stage.value * 7 + static_cast<std::int64_t>(i) + 1;
            for (const c10::IValue &input : inputs)
                number = (number * 31 + input.toInt()) % 1'000'003;
            values.emplace_back(number);
        }
        return values;
    }

    static std::string compareWithSerial(const StepPlan &plan, const std::vector<StageEnds> &ends,
                                         const fake::Names &names, const MicrobatchValues &arguments,
                                         std::chrono::microseconds spin)
    {
        Step step(
            plan, arguments,
            [&](StageId stage, MicrobatchId, const Values &inputs, const std::stop_token &) -> Result<Values> {
                return mix(stage, inputs, plan.routes[stage.index()].outlets.size());
            },
            spin);
        fake::runStep(step, plan.ranks());
        if (step.error())
            return step.error()->message;
        const MicrobatchValues outputs = step.takeOutputs();
        for (std::size_t m = 0; m < arguments.size(); ++m) {
            std::map<ValueId, c10::IValue> values;
            for (std::size_t i = 0; i < names.graph.arguments.size(); ++i)
                values[names.graph.arguments[i].value] = arguments[m][i];
            for (std::size_t stage = 0; stage < ends.size(); ++stage) {
                Values inputs;
                for (const ValueId input : ends[stage].inputs)
                    inputs.push_back(values.at(input));
                const Values results = mix(StageId{static_cast<int>(stage)}, inputs, ends[stage].outputs.size());
                for (std::size_t i = 0; i < results.size(); ++i)
                    values[ends[stage].outputs[i]] = results[i];
            }
            for (std::size_t i = 0; i < names.graph.outputs.size(); ++i) {
                if (outputs[m][i].toInt() != values.at(names.graph.outputs[i]).toInt())
                    return fmt::format("microbatch {}, output {}", m, i);
            }
        }
        return {};
    }
};

PIPESCOPE_TEST(TestStep)
#include "tst_step.moc"
