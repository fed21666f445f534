#include "shardview/view_fields.h"

#include "widgets/number_text.h"
#include "widgets/typing.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>
#include <cstddef>
#include <limits>

namespace pipescope::shardview {

namespace {

QString dimText(int dim, const shard::Sizes &shape)
{
    return ViewFields::tr("dim %1 (%2)").arg(dim).arg(widgets::countText(shape[static_cast<std::size_t>(dim)]));
}

} // namespace

ViewFields::ViewFields(QWidget *parent)
    : QWidget(parent)
    , m_rowsTitle(new QLabel(tr("Rows"), this))
    , m_rows(new QComboBox(this))
    , m_columnsTitle(new QLabel(tr("Columns"), this))
    , m_columns(new QComboBox(this))
    , m_other(new QComboBox(this))
    , m_index(new QSpinBox(this))
{
    m_rows->setObjectName("shardRows");
    m_rows->setAccessibleName(tr("Dimension of the rows"));
    m_rowsTitle->setBuddy(m_rows);
    m_columns->setObjectName("shardColumns");
    m_columns->setAccessibleName(tr("Dimension of the columns"));
    m_columnsTitle->setBuddy(m_columns);
    m_other->setObjectName("shardOther");
    m_other->setAccessibleName(tr("Dimension that is not seen"));
    m_index->setObjectName("shardIndex");
    m_index->setAccessibleName(tr("Index of the dimension that is not seen"));
    m_index->setPrefix(tr("at "));
    widgets::selectNumberOnDoubleClick(*m_index);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    for (QWidget *widget :
         {static_cast<QWidget *>(m_rowsTitle), static_cast<QWidget *>(m_rows), static_cast<QWidget *>(m_columnsTitle),
          static_cast<QWidget *>(m_columns), static_cast<QWidget *>(m_other), static_cast<QWidget *>(m_index)})
        row->addWidget(widget);
    connect(m_rows, &QComboBox::activated, this, [this](int item) { chooseRows(m_rows->itemData(item).toInt()); });
    connect(m_columns, &QComboBox::activated, this,
            [this](int item) { chooseColumns(m_columns->itemData(item).toInt()); });
    connect(m_other, &QComboBox::activated, this, &ViewFields::chooseOther);
    connect(m_index, &QSpinBox::valueChanged, this, &ViewFields::chooseIndex);
    setShape({});
}

void ViewFields::setShape(const shard::Sizes &shape)
{
    m_shape = shape;
    m_view = fittedView(m_view, m_shape);
    fill();
}

void ViewFields::fill()
{
    const int wasOther = otherDim();
    const int dims = static_cast<int>(m_shape.size());
    for (QComboBox *box : {m_rows, m_columns, m_other})
        box->clear();
    for (int dim = 0; dim < dims; ++dim) {
        m_rows->addItem(dimText(dim, m_shape), dim);
        m_columns->addItem(dimText(dim, m_shape), dim);
        if (dim != m_view.rowDim && dim != m_view.columnDim)
            m_other->addItem(dimText(dim, m_shape), dim);
    }
    m_rows->setCurrentIndex(m_view.rowDim);
    m_columns->setCurrentIndex(m_view.columnDim);
    m_other->setCurrentIndex(std::max(m_other->findData(wasOther), std::min(0, m_other->count() - 1)));
    for (QWidget *widget : {static_cast<QWidget *>(m_rowsTitle), static_cast<QWidget *>(m_rows),
                            static_cast<QWidget *>(m_columnsTitle), static_cast<QWidget *>(m_columns)})
        widget->setVisible(dims > 1);
    m_other->setVisible(m_other->count() > 0);
    m_index->setVisible(m_other->count() > 0);
    chooseOther();
}

int ViewFields::otherDim() const
{
    return m_other->currentIndex() < 0 ? -1 : m_other->currentData().toInt();
}

/// Two sides are never one dimension: they change places.
void ViewFields::chooseRows(int dim)
{
    if (dim == m_view.columnDim)
        m_view.columnDim = m_view.rowDim;
    m_view.rowDim = dim;
    fill();
    Q_EMIT viewChanged();
}

void ViewFields::chooseColumns(int dim)
{
    if (dim == m_view.rowDim)
        m_view.rowDim = m_view.columnDim;
    m_view.columnDim = dim;
    fill();
    Q_EMIT viewChanged();
}

/// The box has the index of the dimension that is chosen; dimensions of more indices than it counts end there.
void ViewFields::chooseOther()
{
    if (otherDim() < 0)
        return;
    const auto dim = static_cast<std::size_t>(otherDim());
    const QSignalBlocker quiet(m_index);
    const std::int64_t last = std::clamp<std::int64_t>(m_shape[dim] - 1, 0, std::numeric_limits<int>::max());
    m_index->setMaximum(static_cast<int>(last));
    m_index->setValue(static_cast<int>(std::min(last, m_view.at[dim])));
}

void ViewFields::chooseIndex(int index)
{
    if (otherDim() < 0)
        return;
    m_view.at[static_cast<std::size_t>(otherDim())] = index;
    Q_EMIT viewChanged();
}

} // namespace pipescope::shardview
