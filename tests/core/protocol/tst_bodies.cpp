#include "protocol/bodies.h"
#include "random_fields.h"
#include "support/graph_builder.h"
#include "support/member_count.h"
#include "support/test_program.h"
#include "support/trace_builder.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>

using namespace pipescope;
using namespace pipescope::protocol;
using tests::graphFromText;
using tests::memberCount;

namespace {

constexpr unsigned Seeds = 200;

/// What is wrong with what came back, and for which seed; "" when nothing is.
template <class T>
QByteArray roundTripFault(void (*mend)(T &) = [](T &) {})
{
    for (unsigned seed = 0; seed < Seeds; ++seed) {
        T value{};
        RandomFields(seed).fill(value);
        mend(value);
        const auto again = fromBody<T>(toBody(value));
        if (!again)
            return QByteArray::number(seed) + ": " + again.error().message.c_str();
        if (!(*again == value))
            return QByteArray::number(seed) + ": another value";
    }
    return {};
}

trace::Trace traced()
{
    trace::Trace trace = tests::TraceBuilder(2, 2, 3)
                             .compute(0, 0, 2, 10, 20)
                             .send(0, 0, 2, 1, 20, 21, 8)
                             .wait(1, 1, 2, trace::WaitCause::Input, 0, 21, 0)
                             .receive(1, 1, 2, 0, 21, 22, 8)
                             .memory(0, -5, 4)
                             .memory(1, 15, 8)
                             .build();
    trace.feeds = {{{{0}, {1}}}};
    return trace;
}

/// Of [[0, 1, 1], [2, inf, nan]].
report::StatisticsReport counted()
{
    report::LeafStatistics leaf;
    leaf.sizes = {2, 3};
    leaf.count = 6;
    leaf.zeros = leaf.nans = leaf.infinities = 1;
    leaf.smallest = 0;
    leaf.largest = 2;
    leaf.histogram = {1, 2, 1};
    report::StatisticsReport report;
    report.name = "h";
    report.leaves = {leaf};
    return report;
}

/// What is said of a body after a change to what goes into it.
template <class T, class Change>
std::string problemOf(T value, Change change)
{
    change(value);
    const auto again = fromBody<T>(toBody(value));
    return again ? "none" : again.error().message;
}

constexpr std::size_t ConstantC = 2; ///< the value's place in the graph below

report::Inspection inspected()
{
    report::Inspection inspection;
    inspection.path = "model.pt";
    inspection.graph = graphFromText(R"(
        in x
        param w layers.0.weight 64
        const c = [-1,[true,0.5],"a",none]
        call layers.0
        y = aten::linear.own x w c x @0.5 %100 *64
        end
        z = prim::If x {
        a = aten::relu y
        }
        return z
    )");
    inspection.splitPoints = partition::splitPoints(inspection.graph);
    return inspection;
}

/// What is said of an inspection after a change to its JSON.
template <class Change>
std::string problemAfter(Change change)
{
    auto json = readCbor(toBody(inspected()));
    change(*json);
    const auto again = fromBody<report::Inspection>(writeCbor(*json));
    return again ? "none" : again.error().message;
}

} // namespace

class TestBodies : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyBodyComesBackAsItWas()
    {
        QCOMPARE(roundTripFault<Hello>(), QByteArray());
        QCOMPARE(roundTripFault<Welcome>(), QByteArray());
        QCOMPARE(roundTripFault<report::InspectRequest>(), QByteArray());
        QCOMPARE(roundTripFault<report::RunRequest>(), QByteArray());
        QCOMPARE(roundTripFault<report::RunReport>([](report::RunReport &run) {
                     run.traced = {1, 2, 3, 4}; // at random less than nothing, as below
                     if (run.equivalence)
                         run.equivalence->moreOutputs = std::max(run.equivalence->moreOutputs, 0);
                 }),
                 QByteArray());
        QCOMPARE(roundTripFault<SplitRequest>(), QByteArray());
        QCOMPARE(roundTripFault<report::SplitReport>(), QByteArray());
        QCOMPARE(roundTripFault<CancelRequest>(), QByteArray());
        QCOMPARE(roundTripFault<CancelAnswer>(), QByteArray());
        QCOMPARE(roundTripFault<ProgressNote>(), QByteArray());
        QCOMPARE(roundTripFault<TextNote>(), QByteArray());
        QCOMPARE(roundTripFault<trace::TracePart>([](trace::TracePart &part) { part.trace = traced(); }), QByteArray());
        QCOMPARE(roundTripFault<MemoryNote>(), QByteArray());
        QCOMPARE(roundTripFault<report::StatisticsRequest>(), QByteArray());
        QCOMPARE(roundTripFault<report::StatisticsReport>([](report::StatisticsReport &report) {
                     report.moreLeaves = std::max(report.moreLeaves, 0);
                     for (report::LeafStatistics &leaf : report.leaves)
                         leaf = counted().leaves[0];
                 }),
                 QByteArray());
    }

    void aLiteralComesBackAsItWas()
    {
        for (unsigned seed = 0; seed < Seeds; ++seed) {
            report::Inspection inspection = inspected();
            graph::Literal &literal = inspection.graph.values[ConstantC].literal.emplace();
            RandomFields(seed).fill(literal);
            const auto again = fromBody<report::Inspection>(toBody(inspection));
            QVERIFY2(again, again ? "" : again.error().message.c_str());
            QVERIFY2(again->graph.values[ConstantC].literal == literal, qPrintable(QString("seed %1").arg(seed)));
        }
    }

    /// At random its graph would refer to nothing.
    void anInspectionComesBackAsItWas()
    {
        for (unsigned seed = 0; seed < Seeds; ++seed) {
            report::Inspection inspection;
            RandomFields(seed).fill(inspection);
            inspection.graph = inspected().graph;
            inspection.splitPoints.resize(static_cast<std::size_t>(inspection.graph.size()) - 1);
            for (std::size_t i = 0; i < inspection.splitPoints.size(); ++i) {
                inspection.splitPoints[i].cut.position = static_cast<int>(i) + 1;
                inspection.splitPoints[i].cut.crossing = {ValueId{0}};
            }
            inspection.moduleCosts.resize(inspection.graph.modules.size());
            for (report::ModuleCost &cost : inspection.moduleCosts)
                cost.outputs = {ValueId{0}};
            const auto again = fromBody<report::Inspection>(toBody(inspection));
            QVERIFY2(again, again ? "" : again.error().message.c_str());
            QVERIFY2(*again == inspection, qPrintable(QString::number(seed)));
        }
    }

    void noMemberOfAStructIsForgotten()
    {
        QCOMPARE(fieldCount<graph::TensorMeta>(), memberCount<graph::TensorMeta>());
        QCOMPARE(fieldCount<graph::Value>(), memberCount<graph::Value>());
        QCOMPARE(fieldCount<graph::SourceLocation>(), memberCount<graph::SourceLocation>());
        QCOMPARE(fieldCount<graph::Alias>(), memberCount<graph::Alias>());
        QCOMPARE(fieldCount<graph::Node>(), memberCount<graph::Node>());
        QCOMPARE(fieldCount<graph::Parameter>(), memberCount<graph::Parameter>());
        QCOMPARE(fieldCount<graph::ModuleInfo>(), memberCount<graph::ModuleInfo>());
        QCOMPARE(fieldCount<graph::ModuleCall>(), memberCount<graph::ModuleCall>());
        QCOMPARE(fieldCount<graph::Marker>(), memberCount<graph::Marker>());
        QCOMPARE(fieldCount<graph::Argument>(), memberCount<graph::Argument>());
        QCOMPARE(fieldCount<graph::ModelGraph>(), memberCount<graph::ModelGraph>());
        QCOMPARE(fieldCount<partition::Cut>(), memberCount<partition::Cut>());
        QCOMPARE(fieldCount<partition::SplitPoint>(), memberCount<partition::SplitPoint>());
        QCOMPARE(fieldCount<partition::Tie>(), memberCount<partition::Tie>());
        QCOMPARE(fieldCount<partition::UnusedTensors>(), memberCount<partition::UnusedTensors>());
        QCOMPARE(fieldCount<report::Specialisable>(), memberCount<report::Specialisable>());
        QCOMPARE(fieldCount<trace::Event>(), memberCount<trace::Event>());
        QCOMPARE(fieldCount<trace::MemorySample>(), memberCount<trace::MemorySample>());
        QCOMPARE(fieldCount<schedule::Feeds::Edge>(), memberCount<schedule::Feeds::Edge>());
        QCOMPARE(fieldCount<trace::Trace>(), memberCount<trace::Trace>());
        QCOMPARE(fieldCount<trace::KindStats>(), memberCount<trace::KindStats>());
        QCOMPARE(fieldCount<trace::TracePart>(), memberCount<trace::TracePart>());
        QCOMPARE(fieldCount<trace::TraceExtent>(), memberCount<trace::TraceExtent>());
        QCOMPARE(fieldCount<trace::RankStats>(), memberCount<trace::RankStats>());
        QCOMPARE(fieldCount<trace::StageStats>(), memberCount<trace::StageStats>());
        QCOMPARE(fieldCount<trace::Stats>(), memberCount<trace::Stats>());
        QCOMPARE(fieldCount<report::InspectRequest>(), memberCount<report::InspectRequest>());
        QCOMPARE(fieldCount<report::MethodInfo>(), memberCount<report::MethodInfo>());
        QCOMPARE(fieldCount<report::ModuleCost>(), memberCount<report::ModuleCost>());
        QCOMPARE(fieldCount<report::Inspection>(), memberCount<report::Inspection>());
        QCOMPARE(fieldCount<report::RunRequest>(), memberCount<report::RunRequest>());
        QCOMPARE(fieldCount<report::StageReport>(), memberCount<report::StageReport>());
        QCOMPARE(fieldCount<report::Difference>(), memberCount<report::Difference>());
        QCOMPARE(fieldCount<report::Divergence>(), memberCount<report::Divergence>());
        QCOMPARE(fieldCount<report::OutputEquivalence>(), memberCount<report::OutputEquivalence>());
        QCOMPARE(fieldCount<report::Equivalence>(), memberCount<report::Equivalence>());
        QCOMPARE(fieldCount<report::Separability>(), memberCount<report::Separability>());
        QCOMPARE(fieldCount<report::RunReport>(), memberCount<report::RunReport>());
        QCOMPARE(fieldCount<report::StageFile>(), memberCount<report::StageFile>());
        QCOMPARE(fieldCount<report::SplitReport>(), memberCount<report::SplitReport>());
        QCOMPARE(fieldCount<Hello>(), memberCount<Hello>());
        QCOMPARE(fieldCount<Welcome>(), memberCount<Welcome>());
        QCOMPARE(fieldCount<SplitRequest>(), memberCount<SplitRequest>());
        QCOMPARE(fieldCount<CancelRequest>(), memberCount<CancelRequest>());
        QCOMPARE(fieldCount<CancelAnswer>(), memberCount<CancelAnswer>());
        QCOMPARE(fieldCount<ProgressNote>(), memberCount<ProgressNote>());
        QCOMPARE(fieldCount<TextNote>(), memberCount<TextNote>());
        QCOMPARE(fieldCount<MemoryLeft>(), memberCount<MemoryLeft>());
        QCOMPARE(fieldCount<MemoryNote>(), memberCount<MemoryNote>());
        QCOMPARE(fieldCount<report::StatisticsRequest>(), memberCount<report::StatisticsRequest>());
        QCOMPARE(fieldCount<report::LeafStatistics>(), memberCount<report::LeafStatistics>());
        QCOMPARE(fieldCount<report::StatisticsReport>(), memberCount<report::StatisticsReport>());
    }

    void theLastValueOfEachEnumIsKnown()
    {
        QCOMPARE(static_cast<int>(graph::ValueKind::Inner) + 1, EnumSize<graph::ValueKind>);
        QCOMPARE(static_cast<int>(graph::Crossing::Refused) + 1, EnumSize<graph::Crossing>);
        QCOMPARE(static_cast<int>(graph::Literal::Kind::List) + 1, EnumSize<graph::Literal::Kind>);
        QCOMPARE(static_cast<int>(trace::EventKind::Receive) + 1, EnumSize<trace::EventKind>);
        QCOMPARE(static_cast<int>(trace::WaitCause::Device) + 1, EnumSize<trace::WaitCause>);
        QCOMPARE(static_cast<int>(schedule::ActionKind::WaitReduceGrad) + 1, EnumSize<schedule::ActionKind>);
        QCOMPARE(static_cast<int>(report::Cause::Unknown) + 1, EnumSize<report::Cause>);
    }

    void whatIsWrongIsNamedByItsPlace()
    {
        QCOMPARE(problemAfter([](Json &) {}), std::string("none"));
        QCOMPARE(problemAfter([](Json &json) { json["graph"]["nodes"][1]["op"] = 3; }),
                 std::string("body.graph.nodes[1].op: expected text, found number"));
        QCOMPARE(problemAfter([](Json &json) { json["graph"]["nodes"][1]["uses"][0] = "x"; }),
                 std::string("body.graph.nodes[1].uses[0]: expected a whole number, found string"));
        QCOMPARE(problemAfter([](Json &json) { json["graph"]["values"][0]["kind"] = 7; }),
                 std::string("body.graph.values[0].kind: 7 is not one of the 7 there are"));
        QCOMPARE(problemAfter([](Json &json) { json["graph"]["values"][2]["literal"]["value"][0]["value"] = "1"; }),
                 std::string("body.graph.values[2].literal.value[0].value: expected a whole number, found string"));
        QCOMPARE(problemAfter([](Json &json) { json["graph"]["values"][2]["literal"]["kind"] = 6; }),
                 std::string("body.graph.values[2].literal.kind: 6 is not one of the 6 there are"));
        QCOMPARE(problemAfter([](Json &json) { json["graph"]["nodes"][0].erase("fqn"); }),
                 std::string("body.graph.nodes[0]: 'fqn' is missing"));
        QCOMPARE(problemAfter([](Json &json) { json["splitPoints"][0]["cut"]["position"] = 3e9; }),
                 std::string("body.splitPoints[0].cut.position: a number is out of range"));
        QCOMPARE(problemAfter([](Json &json) { json["inputs"] = {"x=float33[2]"}; }).substr(0, 15),
                 std::string("body.inputs[0]:"));
        QCOMPARE(problemAfter([](Json &json) { json["graph"] = Json::array(); }),
                 std::string("body.graph: expected an object, found array"));
    }

    /// As in a plan file, down to the key; what a plan still lacks is for the job to say.
    void aPlanIsTheTextOfItsFile()
    {
        report::RunRequest request;
        request.plan.model = "decoder.pt";
        request.plan.method.clear();
        request.plan.microbatches = 0;
        auto json = readCbor(toBody(request));
        QVERIFY(json);
        QCOMPARE((*json)["plan"].get<std::string>(), plan::toJson(request.plan));
        const auto again = fromBody<report::RunRequest>(writeCbor(*json));
        QVERIFY2(again, again ? "" : again.error().message.c_str());
        QVERIFY(again->plan == request.plan);
        (*json)["plan"] = R"({"pipescopePlan": 1, "inputs": ["float32[2]", "y=float33[2]"]})";
        QVERIFY(fromBody<report::RunRequest>(writeCbor(*json)).error().message.starts_with("body.plan: inputs[1]: "));
        (*json)["plan"] = R"({"pipescopePlan": 1, "splitz": []})";
        QVERIFY(fromBody<report::RunRequest>(writeCbor(*json))
                    .error()
                    .message.starts_with("body.plan: splitz: there is no such key."));
        (*json)["plan"] = Json::object();
        QCOMPARE(fromBody<report::RunRequest>(writeCbor(*json)).error().message,
                 std::string("body.plan: expected text, found object"));
    }

    void aGraphThatRefersToNothingIsRefused()
    {
        QCOMPARE(problemAfter([](Json &json) { json["graph"]["order"][0] = 17; }),
                 std::string("a graph does not hold together: the order has a node that there is not"));
    }

    void anInspectionWhosePlacesAreNotThoseOfItsGraphIsRefused()
    {
        const auto problem = [](auto change) { return problemOf(inspected(), change); };
        const auto withPoints = [&problem](auto change) {
            return problem([&](report::Inspection &inspection) {
                inspection.splitPoints.resize(static_cast<std::size_t>(inspection.graph.size()) - 1);
                for (std::size_t i = 0; i < inspection.splitPoints.size(); ++i)
                    inspection.splitPoints[i].cut.position = static_cast<int>(i) + 1;
                change(inspection);
            });
        };
        QCOMPARE(withPoints([](report::Inspection &) {}), std::string("none"));
        QCOMPARE(withPoints([](report::Inspection &inspection) { inspection.splitPoints[0].cut.position = 7; }),
                 std::string("a report does not hold together: split point 0 has another's place"));
        QCOMPARE(withPoints(
                     [](report::Inspection &inspection) { inspection.splitPoints[0].cut.crossing = {ValueId{1000}}; }),
                 std::string("a report does not hold together: at split point 0 crosses a value that there is not"));
        QVERIFY(withPoints([](report::Inspection &inspection) {
                    inspection.splitPoints.emplace_back();
                }).starts_with("a report does not hold together: "));
        QVERIFY(problem([](report::Inspection &inspection) {
                    inspection.moduleCosts.resize(inspection.graph.modules.size() + 1);
                }).starts_with("a report does not hold together: costs of "));
    }

    void aTraceThatRefersToNothingIsRefused()
    {
        const auto problem = [](auto change) {
            return problemOf(trace::TracePart{0, 0, traced()}, [&](trace::TracePart &part) { change(part.trace); });
        };
        QCOMPARE(problem([](trace::Trace &) {}), std::string("none"));
        QCOMPARE(problem([](trace::Trace &trace) { trace.events[1].rank = RankId{2}; }),
                 std::string("a trace does not hold together: event 1: it is of rank 2, of 2"));
        QCOMPARE(problem([](trace::Trace &trace) { trace.events[0].stage = StageId{}; }),
                 std::string("a trace does not hold together: event 0: it is of stage -1, of 2"));
        QCOMPARE(problem([](trace::Trace &trace) { trace.microbatches = 2; }),
                 std::string("a trace does not hold together: event 0: it is of microbatch 2, of 2"));
        QCOMPARE(problem([](trace::Trace &trace) { trace.events[0].peer = StageId{7}; }),
                 std::string("a trace does not hold together: event 0: its peer is stage 7, of 2"));
        QCOMPARE(problem([](trace::Trace &trace) { trace.events[1].endNs = 9; }),
                 std::string("a trace does not hold together: event 1: it ends at 9 ns and begins at 10 ns"));
        QCOMPARE(problem([](trace::Trace &trace) { std::swap(trace.events[0], trace.events[1]); }),
                 std::string("a trace does not hold together: event 1: it begins before the one before it"));
        QCOMPARE(problem([](trace::Trace &trace) { trace.memory[1].rank = RankId{2}; }),
                 std::string("a trace does not hold together: memory sample 1: it is of rank 2, of 2"));
        QCOMPARE(problem([](trace::Trace &trace) { std::swap(trace.memory[0], trace.memory[1]); }),
                 std::string("a trace does not hold together: memory sample 1: it is earlier than the one before it"));
        QCOMPARE(problem([](trace::Trace &trace) { trace.rankNames.pop_back(); }),
                 std::string("a trace does not hold together: it has 2 ranks and names for 1"));
        QCOMPARE(problem([](trace::Trace &trace) {
                     trace.feeds->push_back({{0}, {2}});
                 }),
                 std::string("a trace does not hold together: stage 0 feeds stage 2, of 2"));
        QCOMPARE(problem([](trace::Trace &trace) {
                     trace.feeds->push_back({{-1}, {1}});
                 }),
                 std::string("a trace does not hold together: stage -1 feeds stage 1, of 2"));
        QCOMPARE(problem([](trace::Trace &trace) {
                     trace.feeds->push_back({{1}, {1}});
                 }),
                 std::string("a trace does not hold together: stage 1 feeds stage 1, which is no later one"));
        QCOMPARE(problem([](trace::Trace &trace) {
                     trace = {};
                     trace.ranks = -1;
                 }),
                 std::string("a trace does not hold together: it has -1 ranks, 0 stages and 0 microbatches"));
    }

    void aTraceThatWouldTakeAllMemoryOrOverflowIsRefused()
    {
        const auto problem = [](auto change) {
            return problemOf(trace::TracePart{0, 0, traced()}, [&](trace::TracePart &part) { change(part.trace); });
        };
        QCOMPARE(problem([](trace::Trace &trace) {
                     trace.ranks = 2'000'000'000;
                     trace.rankNames.clear();
                 }),
                 std::string("a trace does not hold together: it has 2000000000 ranks, 2 stages and 3 microbatches, "
                             "which is too many"));
        QCOMPARE(problem([](trace::Trace &trace) { trace.events[1].endNs = std::numeric_limits<std::int64_t>::max(); }),
                 std::string("a trace does not hold together: event 1: a number in it is too large"));
        QCOMPARE(
            problem([](trace::Trace &trace) { trace.memory[0].timeNs = std::numeric_limits<std::int64_t>::min(); }),
            std::string("a trace does not hold together: memory sample 0: a number in it is too large"));
        QCOMPARE(problem([](trace::Trace &trace) { trace.events[0].action = schedule::ActionKind::Unshard; }),
                 std::string("a trace does not hold together: event 0: its action UNSHARD is no computation"));
        QCOMPARE(problem([](trace::Trace &trace) { trace.events[0].value.assign(1 << 20, 'A'); }),
                 std::string("a trace does not hold together: event 0: a text in it is too long"));
        QCOMPARE(problem([](trace::Trace &trace) { trace.rankNames[1].assign(1 << 20, 'A'); }),
                 std::string("a trace does not hold together: a text in it is longer than 65536 bytes"));
    }

    void aRunOfLessThanNothingIsRefused()
    {
        report::RunReport run;
        QCOMPARE(problemOf(run, [](report::RunReport &) {}), std::string("none"));
        QCOMPARE(problemOf(run,
                           [](report::RunReport &r) {
                               r.traced = {0, 1, -1, 0};
                           }),
                 std::string("a report does not hold together: of run 0 there are 1 parts, -1 events and 0 memory "
                             "samples"));
        QCOMPARE(problemOf(run, [](report::RunReport &r) { r.equivalence.emplace().moreOutputs = -1; }),
                 std::string("a report does not hold together: it has left out less than no outputs"));
    }

    void statisticsOfMoreThanThereIsAreRefused()
    {
        const auto problem = [](auto change) {
            return problemOf(counted(), [&](report::StatisticsReport &report) { change(report.leaves[0]); });
        };
        const std::string tensor = "a report does not hold together: tensor 'h': ";
        QCOMPARE(problem([](report::LeafStatistics &) {}), std::string("none"));
        QCOMPARE(problem([](report::LeafStatistics &leaf) { leaf.count = 7; }),
                 tensor + "7 elements are not what its sizes make");
        QCOMPARE(problem([](report::LeafStatistics &leaf) {
                     leaf.sizes = {1LL << 40, 1LL << 40};
                 }),
                 tensor + "6 elements are not what its sizes make");
        QCOMPARE(problem([](report::LeafStatistics &leaf) {
                     leaf.sizes = {-2, -3};
                 }),
                 tensor + "6 elements are not what its sizes make");
        QCOMPARE(problem([](report::LeafStatistics &leaf) { leaf.nans = 6; }),
                 tensor + "it counts more than its elements");
        QCOMPARE(problem([](report::LeafStatistics &leaf) { leaf.zeros = -1; }),
                 tensor + "it counts more than its elements");
        QCOMPARE(problem([](report::LeafStatistics &leaf) {
                     leaf.histogram = {4, 1};
                 }),
                 tensor + "its histogram counts more than its elements");
        QCOMPARE(problem([](report::LeafStatistics &leaf) { leaf.mean = std::nan(""); }),
                 tensor + "a moment of it is not finite");
        QCOMPARE(problem([](report::LeafStatistics &leaf) { leaf.smallest = 3; }),
                 tensor + "its smallest element is larger than its largest");
        QCOMPARE(problem([](report::LeafStatistics &leaf) { leaf.largest.reset(); }),
                 tensor + "its histogram has no ends");
    }

    void keysThatAreNotKnownArePassedOver()
    {
        QCOMPARE(problemAfter([](Json &json) { json["graph"]["nodes"][0]["colour"] = "green"; }), std::string("none"));
    }

    void anEventIsNotShorterThanItsFields()
    {
        trace::TracePart part;
        part.trace.events.resize(2);
        auto json = readCbor(toBody(part));
        QVERIFY(json);
        (*json)["trace"]["events"][1].erase(10);
        const auto again = fromBody<trace::TracePart>(writeCbor(*json));
        QVERIFY(!again);
        QCOMPARE(again.error().message,
                 std::string("body.trace.events[1]: expected a list of an event's values, found array"));
    }
};

PIPESCOPE_TEST(TestBodies)
#include "tst_bodies.moc"
