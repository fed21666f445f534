// pipescope-window-bench: the figures of the window.
#include "window_bench.h"

#include <QApplication>
#include <array>

int main(int argc, char **argv)
{
    using namespace pipescope::bench;
    QApplication app(argc, argv);
    const std::array<Bench, 6> benches{{
        {"graph-layout", graphLayout},
        {"graph-frames", graphFrames},
        {"timeline-frames", timelineFrames},
        {"shard-frames", shardFrames},
        {"answers", answers},
        {"start", programStart},
    }};
    return runBenches(argc, argv, "Measures Pipescope's window", benches);
}
