// A model of layers, one after another: layers.0, layers.1 and so on, an operator each.
#pragma once

#include "partition/split_point.h"
#include "report/inspection.h"
#include "support/graph_builder.h"

#include <string>
#include <utility>

namespace pipescope::tests {

/// Loaded, with the places where it can be split; or only read.
inline report::Inspection layersModel(int layers, bool structureOnly = false)
{
    std::string text = "in x\n";
    std::string last = "x";
    for (int i = 0; i < layers; ++i) {
        const std::string at = std::to_string(i);
        text += "call layers." + at + "\ny" + at + " = aten::sin " + std::exchange(last, "y" + at) + "\nend\n";
    }
    report::Inspection inspection;
    inspection.path = "model.pt";
    inspection.sha256 = std::string(64, 'a');
    inspection.structureOnly = structureOnly;
    inspection.graph = graphFromText(text + "return " + last + "\n");
    if (!structureOnly)
        inspection.splitPoints = partition::splitPoints(inspection.graph);
    return inspection;
}

inline report::Inspection twoLayers(bool structureOnly)
{
    return layersModel(2, structureOnly);
}

} // namespace pipescope::tests
