#include "partition/value_span.h"

namespace pipescope::partition {

std::vector<ValueSpan> valueSpans(const graph::ModelGraph &graph)
{
    std::vector<ValueSpan> spans(graph.values.size());
    for (int position = 0; position < graph.size(); ++position) {
        const graph::Node &node = graph.at(position);
        for (const ValueId input : node.uses) {
            ValueSpan &span = spans[input.index()];
            span.lastUse = position;
            if (span.firstUse < 0)
                span.firstUse = position;
        }
        for (const ValueId output : node.outputs)
            spans[output.index()].made = position;
    }
    return spans;
}

} // namespace pipescope::partition
