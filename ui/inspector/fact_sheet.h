// What is known of one thing, as plain values: the inspector shows it, and nothing else of a widget is in it.
#pragma once

#include "plan/plan.h"
#include "report/inspection.h"
#include "report/traced_run.h"
#include "session/selection.h"
#include "session/staging.h"
#include "trace/explain/explanation.h"

#include <QString>
#include <optional>
#include <vector>

namespace pipescope::inspector {

/// A few words, which may lead to something else that can be selected, or to more of their kind.
struct Words
{
    QString text;
    std::optional<session::Selected> link;
    std::vector<Words> folded = {}; ///< what stands in place of the text once it was pressed: "42 more kinds"

    friend bool operator==(const Words &, const Words &) = default;
};

struct Fact
{
    QString label;
    std::vector<Words> words; ///< each on a line of its own
    bool isCode = false;      ///< names, shapes and numbers, in the fixed-width font

    friend bool operator==(const Fact &, const Fact &) = default;
};

/// "Made by", "Used by": where to go on from here.
struct Onward
{
    QString title;
    std::vector<Words> links;

    friend bool operator==(const Onward &, const Onward &) = default;
};

/// Something whose numbers the engine can be asked for: one of the two is set.
struct Tensor
{
    ValueId value;
    std::string parameter;
    std::optional<std::int64_t> bytes; ///< where known

    friend bool operator==(const Tensor &, const Tensor &) = default;
};

struct FactSheet
{
    QString title; ///< empty: nothing is selected, or what was is there no more
    StageId stage; ///< that the title names; invalid for all else
    std::vector<Words> subtitle;
    std::vector<Fact> facts;
    std::vector<Onward> onward;
    std::optional<Tensor> tensor;
    std::optional<session::TensorToShow> shards; ///< what can be seen over a mesh

    friend bool operator==(const FactSheet &, const FactSheet &) = default;
};

/// What facts are taken from. All must outlive what is called with it.
struct Known
{
    const graph::ModelGraph &graph;
    const session::Staging &staging;
    const report::TracedRun *run = nullptr;        ///< the selection's, else the last with these stages; may be null
    const report::Inspection *model = nullptr;     ///< that the graph is of: what modules cost; nullptr without
    QString runName = {};                          ///< as the list of runs has it
    const trace::Explanation *explained = nullptr; ///< of its trace; without, nothing is known of actions and spans
    session::RunId runId = {};                     ///< by which links to its actions name it
};

} // namespace pipescope::inspector
