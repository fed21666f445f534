// The bubbles of a run as rows. A run has endless tiny ones between two actions: they are left out until asked for.
#pragma once

#include "timeline/spot_table_model.h"

namespace pipescope::timeline {

class BubbleTableModel : public SpotTableModel
{
    Q_OBJECT

public:
    enum Columns { Rank, Begin, Length, Share, Kind, Stage, Why };

    explicit BubbleTableModel(QObject *parent = nullptr);

    /// Tiny: without a wait that explains it and shorter than this share of the run.
    static constexpr double TinyShare = 0.001;
    void setShowsTiny(bool shows);
    [[nodiscard]] int tinyCount() const { return m_tinyCount; }
    /// All of them together, of the time of all ranks.
    [[nodiscard]] double tinyShare() const { return m_tinyShare; }

private:
    [[nodiscard]] std::vector<Spot> spotsOf(const LaneModel &model) const override;
    [[nodiscard]] double keyOf(Spot spot, int column) const override;
    [[nodiscard]] QString textOf(Spot spot, int column) const override;

    bool m_showsTiny = false;
    mutable int m_tinyCount = 0; // both as spotsOf() found them
    mutable double m_tinyShare = 0;
};

} // namespace pipescope::timeline
