// How each output compares, over all microbatches, as a table.
#pragma once

#include "checkview/check_table_model.h"
#include "report/comparison.h"

namespace pipescope::checkview {

class OutputTableModel : public CheckTableModel
{
    Q_OBJECT

public:
    enum Column { Output, Equal, MaxAbsError, MaxRelError, Tolerance, Microbatch, First, Kind, Worst };

    explicit OutputTableModel(QObject *parent = nullptr);

    void show(std::vector<report::OutputEquivalence> outputs);
    [[nodiscard]] const report::OutputEquivalence &at(int row) const { return m_rows[static_cast<std::size_t>(row)]; }

private:
    [[nodiscard]] QVariant cell(int row, int column) const override;
    [[nodiscard]] int rows() const override { return static_cast<int>(m_rows.size()); }

    std::vector<report::OutputEquivalence> m_rows;
};

} // namespace pipescope::checkview
