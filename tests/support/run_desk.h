// The window with a model of two stages that was run and checked, and so with something in each of its views.
#pragma once

#include "support/window_desk.h"
#include "ui/timeline/runs.h"

#include <string>
#include <utility>

namespace pipescope::tests {

struct RunDesk : WindowDesk
{
    RunDesk()
    {
        open();
        window.document().edit("Split", [](plan::Plan &plan) {
            plan.splits = {"layers.1"};
            plan.microbatches = 2;
        });
        run();
    }

    /// Two microbatches on two ranks; the outputs differ within tolerance. The timeline is shown then.
    void run()
    {
        trigger("run");
        report::TracedRun report;
        report.plan = window.document().plan();
        report.plan.modelSha256 = std::string(64, 'a');
        report.trace = twoRanksTrace().build();
        report.stats = trace::traceStats(report.trace);
        report.stages.resize(2);
        report.microbatches = {1, 1};
        report.equivalence.emplace().byMicrobatch.resize(2);
        report.equivalence->overall.bitwise = false;
        report.equivalence->byOutput.emplace_back().name = "output";
        report.separability.emplace();
        answer(report);
    }

    /// Selects what the first layer makes and has its numbers told: those of two tensors, so that one is chosen.
    void lookInside()
    {
        window.show(mainwindow::Perspective::Split);
        window.selection().select(NodeId{0});
        QTest::mouseClick(find<QPushButton>("look"), Qt::LeftButton);
        report::LeafStatistics leaf;
        leaf.path = "[0]";
        leaf.dtype = "float32";
        leaf.sizes = {4};
        leaf.count = 4;
        leaf.smallest = 0;
        leaf.largest = 1;
        leaf.histogram = {1, 3};
        report::StatisticsReport report;
        report.name = "y0";
        report.leaves = {leaf, leaf};
        report.leaves[1].path = "[1]";
        answer(report);
    }
};

} // namespace pipescope::tests
