#include "actions/command_palette.h"

#include "actions/palette_delegate.h"

#include <QApplication>
#include <QBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace pipescope::actions {

namespace {

constexpr int Width = 640;
constexpr int RowsSeen = 12;
constexpr int Margin = 8;

} // namespace

CommandPalette::CommandPalette(QWidget &window)
    : QFrame(&window)
    , m_typed(new QLineEdit(this))
    , m_list(new QListView(this))
    , m_none(new QLabel(tr("Nothing has these words."), this))
{
    setObjectName("commandPalette");
    setAccessibleName(tr("Command palette"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    m_typed->setObjectName("paletteWords");
    m_typed->setAccessibleName(tr("Words to find"));
    m_typed->setPlaceholderText(tr("A command, a node, a module, a stage, a split point or an action"));
    m_list->setObjectName("paletteList");
    m_list->setAccessibleName(tr("What was found"));
    m_list->setModel(&m_model);
    m_list->setItemDelegate(new PaletteDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(Margin, Margin, Margin, Margin);
    layout->addWidget(m_typed);
    layout->addWidget(m_none);
    layout->addWidget(m_list);
    m_typed->installEventFilter(this);
    window.installEventFilter(this);
    connect(m_typed, &QLineEdit::textChanged, this, &CommandPalette::search);
    connect(m_list, &QListView::clicked, this, &CommandPalette::choose);
    hide();
}

void CommandPalette::open(std::vector<PaletteItems> items)
{
    if (!isVisible())
        m_before = QApplication::focusWidget();
    m_model.setItems(std::move(items));
    m_typed->clear();
    search({});
    show();
    raise();
    m_typed->setFocus(Qt::ShortcutFocusReason);
}

void CommandPalette::dismiss()
{
    if (!isVisible())
        return;
    const bool hadKeyboard = m_typed->hasFocus();
    hide();
    if (hadKeyboard && m_before)
        m_before->setFocus(Qt::OtherFocusReason);
}

bool CommandPalette::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == parentWidget()) {
        if (event->type() == QEvent::Resize && isVisible())
            place();
        return false;
    }
    if (event->type() == QEvent::FocusOut && static_cast<QFocusEvent *>(event)->reason() == Qt::MouseFocusReason)
        dismiss(); // a click elsewhere
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    if (event->type() != QEvent::KeyPress)
        return false;
    switch (static_cast<QKeyEvent *>(event)->key()) {
    case Qt::Key_Escape:
        dismiss();
        return true;
    case Qt::Key_Down:
        moveBy(1);
        return true;
    case Qt::Key_Up:
        moveBy(-1);
        return true;
    case Qt::Key_PageDown:
        moveBy(RowsSeen - 1);
        return true;
    case Qt::Key_PageUp:
        moveBy(1 - RowsSeen);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        choose();
        return true;
    default:
        return false;
    }
}

void CommandPalette::search(const QString &typed)
{
    m_model.search(typed);
    m_list->setVisible(m_model.rowCount() > 0);
    m_none->setVisible(m_model.rowCount() == 0);
    m_list->setCurrentIndex(m_model.index(0));
    place();
}

void CommandPalette::moveBy(int rows)
{
    const int last = m_model.rowCount() - 1;
    m_list->setCurrentIndex(m_model.index(std::clamp(m_list->currentIndex().row() + rows, 0, std::max(last, 0))));
}

void CommandPalette::choose()
{
    const QModelIndex index = m_list->currentIndex();
    if (!index.isValid() || !m_model.item(index.row()).whyNot.isEmpty())
        return; // the row says why
    const std::function<void()> done = m_model.item(index.row()).done;
    dismiss();
    done();
}

void CommandPalette::place()
{
    const int rows = std::min(m_model.rowCount(), RowsSeen);
    m_list->setFixedHeight(rows * PaletteDelegate::rowHeight(fontMetrics()));
    setFixedWidth(std::min(Width, parentWidget()->width() - 2 * Margin));
    adjustSize();
    move((parentWidget()->width() - width()) / 2, parentWidget()->fontMetrics().height() * 5);
}

} // namespace pipescope::actions
