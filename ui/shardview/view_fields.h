// Which dimensions of a tensor are the sides of the picture, and at which index the others are.
#pragma once

#include "shardview/shard_scene.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QSpinBox;

namespace pipescope::shardview {

class ViewFields : public QWidget
{
    Q_OBJECT

public:
    explicit ViewFields(QWidget *parent = nullptr);

    /// The view stays as it is where this shape has it.
    void setShape(const shard::Sizes &shape);
    [[nodiscard]] const ShardView &view() const { return m_view; }

Q_SIGNALS:
    /// By the user.
    void viewChanged();

private:
    void chooseRows(int dim);
    void chooseColumns(int dim);
    void chooseOther();
    void chooseIndex(int index);
    void fill();
    [[nodiscard]] int otherDim() const;

    shard::Sizes m_shape;
    ShardView m_view;
    QLabel *m_rowsTitle; // not owned, nor are those below: Qt's parent has them
    QComboBox *m_rows;
    QLabel *m_columnsTitle;
    QComboBox *m_columns;
    QComboBox *m_other; ///< a dimension that is not a side
    QSpinBox *m_index;  ///< that it is at
};

} // namespace pipescope::shardview
