// What is selected, one for all views: each shows it in its own way, and none knows of another.
#pragma once

#include "base/ids.h"
#include "schedule/action_key.h"

#include <QObject>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace pipescope::session {

/// A run that was made or is under way, or a trace that was opened; RunController gives them out. Invalid: whichever
/// is shown.
using RunId = Id<struct RunTag>;

/// A stage's computation of a microbatch in a run.
struct SelectedAction
{
    RunId run;
    schedule::ActionKey key;

    friend bool operator==(const SelectedAction &, const SelectedAction &) = default;
};

/// A module by its FQN, and which of its calls, where it is called several times: each may be in another stage.
struct SelectedModule
{
    std::string fqn;
    int call = 0;

    friend bool operator==(const SelectedModule &, const SelectedModule &) = default;
};

/// A position in the graph's order.
struct SelectedCut
{
    int position = 0;

    friend bool operator==(const SelectedCut &, const SelectedCut &) = default;
};

/// A stretch of time of a run, of one rank or (with an invalid rank) of all: what was dragged over, or a bubble.
struct SelectedSpan
{
    RunId run;
    RankId rank;
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0;

    friend bool operator==(const SelectedSpan &, const SelectedSpan &) = default;
};

/// A parameter or buffer by its FQN.
struct SelectedParameter
{
    std::string fqn;

    friend bool operator==(const SelectedParameter &, const SelectedParameter &) = default;
};

/// One thing or, as std::monostate, nothing.
using Selected = std::variant<std::monostate, NodeId, ValueId, StageId, RankId, SelectedModule, SelectedAction,
                              SelectedCut, SelectedSpan, SelectedParameter>;

/// A tensor to be seen over a mesh.
struct TensorToShow
{
    std::string name; ///< "layers.0.weight"
    std::vector<std::int64_t> sizes;
    std::string dtype; ///< torch's name without "torch."

    friend bool operator==(const TensorToShow &, const TensorToShow &) = default;
};

/// A visitor of Selected (or another variant) made of one function for each kind of thing.
template <class... Visitors>
struct Overloaded : Visitors...
{
    using Visitors::operator()...;
};
template <class... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

/// What is selected where it is of this kind, else an invalid id.
template <class AnyId>
[[nodiscard]] AnyId idIn(const Selected &selected)
{
    const AnyId *id = std::get_if<AnyId>(&selected);
    return id == nullptr ? AnyId() : *id;
}

/// The stage that is selected, or that the action is of.
[[nodiscard]] StageId stageIn(const Selected &selected);
/// The run of an action or a span; invalid for anything else.
[[nodiscard]] RunId runIn(const Selected &selected);

class Selection : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] const Selected &current() const { return m_current; }

    /// An invalid id is nothing.
    void select(const Selected &selected);
    void clear() { select({}); }
    /// What a link does: tells of it first, so that what shows it can come into view, then makes it the selection,
    /// whatever kind of thing it is. Nothing happens for nothing.
    void follow(const Selected &link);
    /// Asks who shows shards to show this tensor. What is selected stays.
    void showShards(const TensorToShow &tensor) { Q_EMIT shardsAsked(tensor); }

Q_SIGNALS:
    void changed();
    /// A link leads there; it is not selected yet.
    void followed(const pipescope::session::Selected &link);
    void shardsAsked(const pipescope::session::TensorToShow &tensor);

private:
    Selected m_current;
};

} // namespace pipescope::session
