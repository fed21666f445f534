// A model whose middle stands in a branch on an argument, and the graph of it that is made for one value.
#pragma once

#include "partition/split_point.h"
#include "plan/input_spec.h"
#include "report/inspection.h"
#include "support/graph_builder.h"

#include <string>
#include <vector>

namespace pipescope::tests {

inline std::vector<plan::InputSpec> inputsOf(const std::vector<std::string> &texts)
{
    std::vector<plan::InputSpec> inputs;
    for (const std::string &text : texts)
        inputs.push_back(*plan::parseInputSpec(text));
    return inputs;
}

inline report::Inspection branchInspection(const std::string &graph)
{
    report::Inspection inspection;
    inspection.path = "model.pt";
    inspection.sha256 = std::string(64, 'a');
    inspection.graph = graphFromText(graph);
    inspection.graph.method = "forward";
    inspection.splitPoints = partition::splitPoints(inspection.graph);
    return inspection;
}

/// For all rates. It can be cut at three places, none of them inside the if.
inline report::Inspection branchModel()
{
    return branchInspection(R"(
        in x
        in rate : int
        call head
        a = aten::sin x
        end
        b = prim::If rate a {
        call body
        c = aten::cos a
        d = aten::tan c
        end
        }
        call tail
        e = aten::relu b
        f = aten::relu e
        end
        return f
    )");
}

/// For `rate` alone: at four places, inside the branch too.
inline report::Inspection branchModelOf(const std::string &rate)
{
    report::Inspection inspection = branchInspection(R"(
        in x
        in rate : int
        call head
        a = aten::sin x
        end
        call body
        c = aten::cos a
        d = aten::tan c
        end
        call tail
        e = aten::relu d
        f = aten::relu e
        end
        return f
    )");
    inspection.specialised = inputsOf({"rate=" + rate});
    return inspection;
}

} // namespace pipescope::tests
