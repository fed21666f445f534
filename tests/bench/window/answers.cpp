#include "window_bench.h"

#include "actions/palette_model.h"
#include "models.h"
#include "partition/split_point.h"
#include "samples.h"
#include "session/live_trace.h"
#include "session/split_preview.h"

#include <memory>
#include <utility>
#include <vector>

namespace pipescope::bench {

namespace {

constexpr int Repeats = 7;

Row paletteSearch()
{
    auto names = std::make_shared<std::vector<actions::PaletteItem>>();
    for (int i = 0; i < 50'000; ++i)
        names->emplace_back(QStringLiteral("transformer.h.%1.attn.c_proj/aten::linear#%2").arg(i / 100).arg(i % 100),
                            QString(), QStringLiteral("node"), [] {});
    actions::PaletteModel model;
    model.setItems({names});
    std::vector<double> samples;
    for (int i = 0; i < Repeats; ++i) {
        model.search({});
        samples.push_back(millisecondsOf([&] { model.search(QStringLiteral("h.412 linear#7")); }));
    }
    return rowBeside("command palette: a search in 50 000 names", median(std::move(samples)), "ms");
}

Row splitPreviews()
{
    const auto graph = longModel(5000, Modules::None);
    const session::SplitTable table(
        graph, std::make_shared<const session::SplitTable::Points>(partition::splitPoints(*graph)));
    std::vector<int> cuts;
    for (int i = 1; i < 16; ++i)
        cuts.push_back(i * 300);
    const int positions = static_cast<int>(graph->order.size()) - 1;
    const double all = millisecondsOf([&] {
        for (int position = 1; position <= positions; ++position)
            (void)table.preview(cuts, position);
    });
    return rowBeside("split preview: one of 5000 operators in 16 stages", all / positions * 1000, "µs");
}

Row liveTrace()
{
    std::vector<trace::TracePart> parts(1000);
    int number = 0;
    for (trace::TracePart &part : parts) {
        part.number = number++;
        part.trace.events.resize(1000);
        for (trace::Event &event : part.trace.events)
            event.beginNs = part.number;
    }
    session::LiveTrace live;
    const double taken = millisecondsOf([&] {
        for (const trace::TracePart &part : parts)
            live.add(part);
        (void)live.snapshot();
    });
    return rowBeside("live trace: a million events in 1000 parts", taken, "ms");
}

} // namespace

Result<std::vector<Row>> answers()
{
    return std::vector<Row>{paletteSearch(), splitPreviews(), liveTrace()};
}

} // namespace pipescope::bench
