#include "widgets/export_actions.h"

#include "widgets/drawable.h"
#include "widgets/export.h"
#include "widgets/translate.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QMessageBox>
#include <QTableView>
#include <algorithm>
#include <functional>

namespace pipescope::widgets {

namespace {

QAction *addTo(QWidget &widget, const char *name, const QString &text, const std::function<void()> &done)
{
    auto *action = new QAction(text, &widget);
    action->setObjectName(name);
    QObject::connect(action, &QAction::triggered, &widget, done);
    widget.addAction(action);
    return action;
}

/// Asks where to, and tells why not in a box of its own; neither blocks the window's other work.
void saveAs(QWidget &widget, const QString &name, const QString &suffix, const std::function<Status(QString)> &save)
{
    auto *dialog = new QFileDialog(&widget, tr("Export as %1").arg(suffix.toUpper()), name + '.' + suffix,
                                   tr("%1 files (*.%2)").arg(suffix.toUpper(), suffix));
    dialog->setObjectName("exportDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    QObject::connect(dialog, &QFileDialog::fileSelected, &widget, [&widget, save](const QString &path) {
        const Status saved = save(path);
        if (saved)
            return;
        auto *box = new QMessageBox(QMessageBox::Warning, tr("Nothing was exported"),
                                    QString::fromStdString(saved.error().message), QMessageBox::Ok, &widget);
        box->setObjectName("exportProblem");
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->open();
    });
    dialog->open();
}

QList<int> selectedRows(const QTableView &table)
{
    QList<int> rows;
    for (const QModelIndex &index : table.selectionModel()->selectedRows())
        rows += index.row();
    std::sort(rows.begin(), rows.end());
    return rows;
}

} // namespace

void addTableActions(QTableView &table)
{
    QTableView *view = &table;
    QAction *copy = addTo(table, "copy", tr("&Copy"), [view] {
        if (view->model() != nullptr)
            QApplication::clipboard()->setText(tsvOf(*view->model(), selectedRows(*view)));
    });
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addTo(table, "copyAll", tr("Copy &all as CSV"), [view] {
        if (view->model() != nullptr)
            QApplication::clipboard()->setText(csvOf(*view->model()));
    });
    addTo(table, "exportCsv", tr("&Export as CSV..."), [view] {
        saveAs(*view, view->objectName(), QStringLiteral("csv"), [view](const QString &path) -> Status {
            return view->model() != nullptr ? saveTable(*view->model(), path) : Success{};
        });
    });
    table.setContextMenuPolicy(Qt::ActionsContextMenu);
}

void addDrawingActions(QWidget &canvas, const Drawable &drawing)
{
    const auto add = [&](const char *name, const QString &text, const QString &suffix) {
        addTo(canvas, name, text, [&canvas, &drawing, suffix] {
            saveAs(canvas, drawing.drawnName(), suffix,
                   [&drawing](const QString &path) { return saveDrawing(drawing, path); });
        });
    };
    add("exportSvg", tr("Export as &SVG..."), QStringLiteral("svg"));
    add("exportPng", tr("Export as &PNG..."), QStringLiteral("png"));
    if (canvas.contextMenuPolicy() == Qt::DefaultContextMenu)
        canvas.setContextMenuPolicy(Qt::ActionsContextMenu);
}

} // namespace pipescope::widgets
