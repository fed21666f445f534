// What the check's tables have in common: fixed columns, and rows that come all at once.
#pragma once

#include <QAbstractTableModel>
#include <vector>

namespace pipescope::checkview {

class CheckTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const final;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const final;
    /// What is shown is the tool tip too: columns can be narrow.
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const final;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const final;

protected:
    enum class Holds { Words, Numbers };
    struct Heading
    {
        int column; ///< the value of the model's enumeration
        QString title;
        Holds holds = Holds::Words;
        QString hint = {}; ///< where the title is short for something
    };

    /// In the order of their columns, all of them.
    CheckTableModel(std::vector<Heading> headings, QObject *parent);

    /// What is shown there.
    [[nodiscard]] virtual QVariant cell(int row, int column) const = 0;
    [[nodiscard]] virtual int rows() const = 0;

private:
    [[nodiscard]] QVariant alignmentOf(int column) const;

    std::vector<Heading> m_headings;
};

} // namespace pipescope::checkview
