// The computes of a run as rows, each with how long it waited before, for what, and what came in.
#pragma once

#include "timeline/spot_table_model.h"

namespace pipescope::timeline {

class ActionTableModel : public SpotTableModel
{
    Q_OBJECT

public:
    enum Columns { Rank, Action, Stage, Microbatch, Begin, Length, Waited, BytesIn, WaitedFor };

    explicit ActionTableModel(QObject *parent = nullptr);

private:
    [[nodiscard]] std::vector<Spot> spotsOf(const LaneModel &model) const override;
    [[nodiscard]] double keyOf(Spot spot, int column) const override;
    [[nodiscard]] QString textOf(Spot spot, int column) const override;
};

} // namespace pipescope::timeline
