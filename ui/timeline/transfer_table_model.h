// The sends and receives of a run as rows.
#pragma once

#include "timeline/spot_table_model.h"

namespace pipescope::timeline {

class TransferTableModel : public SpotTableModel
{
    Q_OBJECT

public:
    enum Columns { Rank, Kind, From, To, Microbatch, Begin, Length, Bytes, Value };

    explicit TransferTableModel(QObject *parent = nullptr);

private:
    [[nodiscard]] std::vector<Spot> spotsOf(const LaneModel &model) const override;
    [[nodiscard]] double keyOf(Spot spot, int column) const override;
    [[nodiscard]] QString textOf(Spot spot, int column) const override;
};

} // namespace pipescope::timeline
