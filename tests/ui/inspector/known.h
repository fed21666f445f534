// A small model of two stages, profiled and run, and a finder for facts.
#pragma once

#include "inspector/fact_sheet.h"
#include "support/graph_builder.h"
#include "support/trace_builder.h"

#include <QStringList>
#include <memory>

namespace pipescope::tests {

inline report::Inspection twoStageModel()
{
    report::Inspection inspection;
    inspection.graph = graphFromText(R"(
        in x
        param w layers.0.weight 4096
        tied w head.weight
        buffer b layers.1.running 64
        call layers.0
        a = aten::linear x w @0.001 %2000 *512
        a2~a = aten::relu_ !a @0.003 *512
        end
        call layers.1
        y = aten::dropout a2 b +state -state @0.004 *1024
        end
        return y
    )");
    graph::Node &dropout = inspection.graph.nodes[2];
    dropout.random = true;
    dropout.source = {"/src/model.py", 12, 4, "y = self.drop(x)"};
    graph::Value &result = inspection.graph.values[dropout.outputs[0].index()];
    result.tensor = graph::TensorMeta{"float32", {2, 128}, 1024, true};
    result.requiresGrad = true;
    return inspection;
}

inline report::TracedRun twoStageRun()
{
    report::TracedRun run;
    run.stages.resize(2);
    for (int i = 0; i < 2; ++i) {
        run.stages[static_cast<std::size_t>(i)].rank = RankId{i};
        run.stages[static_cast<std::size_t>(i)].seconds = 0.002;
    }
    run.stages[0].sentBytes = 512;
    run.microbatches = {3, 2};
    run.trace = TraceBuilder(2, 2, 2)
                    .compute(0, 0, 0, 0, 2'000'000)
                    .send(0, 0, 0, 1, 2'000'000, 2'100'000, 512)
                    .wait(1, 1, 0, trace::WaitCause::Input, 0, 2'100'000, 0)
                    .receive(1, 1, 0, 0, 2'100'000, 2'200'000, 512)
                    .compute(1, 1, 0, 2'200'000, 5'200'000)
                    .compute(0, 0, 1, 2'100'000, 4'100'000)
                    .compute(1, 1, 1, 5'200'000, 7'200'000)
                    .memory(1, 3'000'000, 2048)
                    .build();
    run.stats = trace::traceStats(run.trace);
    return run;
}

/// What facts need, all in one.
struct World
{
    report::Inspection inspection = twoStageModel();
    plan::Plan plan;
    session::Staging staging;
    report::TracedRun run = twoStageRun();
    mutable std::unique_ptr<const trace::Explanation> explained; ///< of the run as known() was asked last

    World()
    {
        plan.splits = {"layers.1"};
        staging = session::stagingOf(plan, inspection.graph);
    }
    [[nodiscard]] inspector::Known known(bool withRun = true) const
    {
        explained = std::make_unique<const trace::Explanation>(run.trace);
        return {inspection.graph, staging, withRun ? &run : nullptr, &inspection, {}, explained.get()};
    }
};

inline QString joined(const std::vector<inspector::Words> &words)
{
    QStringList texts;
    for (const inspector::Words &each : words)
        texts += each.text;
    return texts.join(QStringLiteral("; "));
}

/// The words of a fact, joined by "; "; "" without one.
inline QString fact(const inspector::FactSheet &sheet, const QString &label)
{
    for (const inspector::Fact &each : sheet.facts)
        if (each.label == label)
            return joined(each.words);
    return {};
}

inline QString onward(const inspector::FactSheet &sheet, const QString &title)
{
    for (const inspector::Onward &each : sheet.onward)
        if (each.title == title)
            return joined(each.links);
    return {};
}

} // namespace pipescope::tests
