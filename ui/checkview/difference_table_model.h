// How each microbatch's outputs compare, as a table.
#pragma once

#include "checkview/check_table_model.h"
#include "report/comparison.h"

namespace pipescope::checkview {

class DifferenceTableModel : public CheckTableModel
{
    Q_OBJECT

public:
    enum Column { Microbatch, Equal, MaxAbsError, MaxRelError, Kind, Worst };

    explicit DifferenceTableModel(QObject *parent = nullptr);

    void show(std::vector<report::Difference> byMicrobatch);

private:
    [[nodiscard]] QVariant cell(int row, int column) const override;
    [[nodiscard]] int rows() const override { return static_cast<int>(m_rows.size()); }

    std::vector<report::Difference> m_rows;
};

} // namespace pipescope::checkview
