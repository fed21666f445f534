// What is selected, one for all views: each shows it in its own way, and none knows of another.
#pragma once

#include "base/ids.h"

#include <QObject>
#include <cstdint>
#include <optional>
#include <string>

namespace pipescope::session {

/// A stage's run of a microbatch on the timeline; which of them, where a schedule has several, is the kind.
struct SelectedAction
{
    StageId stage;
    MicrobatchId microbatch;

    friend bool operator==(const SelectedAction &, const SelectedAction &) = default;
};

/// A module by its FQN, and which of its calls, where it is called several times: each may be in another stage.
struct SelectedModule
{
    std::string fqn;
    int call = 0;

    friend bool operator==(const SelectedModule &, const SelectedModule &) = default;
};

/// A stretch of time of a run, of one rank or (with an invalid rank) of all: what was dragged over, or a bubble.
struct SelectedSpan
{
    RankId rank;
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0;

    friend bool operator==(const SelectedSpan &, const SelectedSpan &) = default;
};

/// At most one thing is set, except that an action lies in a stage, too, and a span in a rank.
struct Selected
{
    NodeId node;
    ValueId value;
    StageId stage;
    RankId rank;
    std::optional<SelectedModule> module;
    std::optional<SelectedAction> action;
    std::optional<int> cut; ///< position in the graph's order
    std::optional<SelectedSpan> span;
    std::string parameter; ///< FQN of a parameter or buffer

    friend bool operator==(const Selected &, const Selected &) = default;
};

class Selection : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] const Selected &current() const { return m_current; }

    void clear() { set({}); }
    void selectNode(NodeId node);
    void selectModule(const SelectedModule &module);
    void selectValue(ValueId value);
    void selectStage(StageId stage);
    void selectRank(RankId rank);
    void selectAction(const SelectedAction &action);
    void selectCut(int position);
    void selectSpan(const SelectedSpan &span);
    void selectParameter(const std::string &fqn);
    /// What a link does: tells of it first, so that what shows it can come into view, then makes it the selection,
    /// whatever kind of thing it is. Nothing happens for nothing.
    void follow(const Selected &link);

Q_SIGNALS:
    void changed();
    /// A link leads there; it is not selected yet.
    void followed(const pipescope::session::Selected &link);

private:
    void set(const Selected &selected);

    Selected m_current;
};

} // namespace pipescope::session
