#include "mainwindow/exports.h"

#include "base/file.h"
#include "trace/chrome_trace.h"
#include "widgets/drawable.h"
#include "widgets/export.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QPointer>
#include <QTableView>

namespace pipescope::mainwindow {

namespace {

struct Exports
{
    Q_DECLARE_TR_FUNCTIONS(Exports)
};

Error notYet(const QString &what)
{
    return {ErrorCode::Unsupported, Exports::tr("%1 cannot be exported").arg(what).toStdString(), {}, {}};
}

Status saveCanvas(const QWidget &canvas, const QString &path, const QString &name)
{
    const auto *drawable = dynamic_cast<const widgets::Drawable *>(&canvas);
    return drawable != nullptr ? widgets::saveDrawing(*drawable, path) : Status(notYet(name));
}

} // namespace

void exportCanvas(const QWidget &canvas, const QString &name, Reports &reports, QWidget &window)
{
    const QString path = QFileDialog::getSaveFileName(&window, Exports::tr("Export the %1").arg(name), name + ".svg",
                                                      Exports::tr("Pictures (*.svg *.png)"));
    if (!path.isEmpty())
        reports.tell(saveCanvas(canvas, path, name));
}

void exportTable(const QTableView *table, Reports &reports, QWidget &window)
{
    const QPointer<const QTableView> exported = table; // the dialog turns the event loop
    if (table == nullptr) {
        reports.report(
            {ErrorCode::Unsupported, Exports::tr("No table is shown: open one first").toStdString(), {}, {}});
        return;
    }
    const QString path = QFileDialog::getSaveFileName(&window, Exports::tr("Export '%1'").arg(table->accessibleName()),
                                                      table->objectName() + ".csv", Exports::tr("Tables (*.csv)"));
    if (!path.isEmpty() && exported != nullptr)
        reports.tell(widgets::saveTable(*exported->model(), path));
}

void exportTrace(const session::Run &run, Reports &reports, QWidget &window)
{
    const QString path = QFileDialog::getSaveFileName(&window, Exports::tr("Export the trace"),
                                                      Exports::tr("trace.json"), Exports::tr("Traces (*.json)"));
    if (!path.isEmpty())
        reports.tell(writeFile(path.toStdString(), trace::toChromeJson(run->trace)));
}

} // namespace pipescope::mainwindow
