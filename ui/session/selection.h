// What is selected, one for all views: each shows it in its own way, and none knows of another.
#pragma once

#include "base/ids.h"

#include <QObject>
#include <optional>

namespace pipescope::session {

/// A stage's run of a microbatch on the timeline; which of them, where a schedule has several, is the kind.
struct SelectedAction
{
    StageId stage;
    MicrobatchId microbatch;

    friend bool operator==(const SelectedAction &, const SelectedAction &) = default;
};

/// At most one thing is set, except that an action and a split point lie in a stage, too.
struct Selected
{
    NodeId node;
    ValueId value;
    StageId stage;
    RankId rank;
    std::optional<SelectedAction> action;
    std::optional<int> cut; ///< position in the graph's order

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
    void selectValue(ValueId value);
    void selectStage(StageId stage);
    void selectRank(RankId rank);
    void selectAction(const SelectedAction &action);
    void selectCut(int position);

Q_SIGNALS:
    void changed();

private:
    void set(const Selected &selected);

    Selected m_current;
};

} // namespace pipescope::session
