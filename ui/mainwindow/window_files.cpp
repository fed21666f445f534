// Files that come into the window and go out of it.

#include "base/file.h"
#include "mainwindow/main_window.h"
#include "mainwindow/timeline_page.h"
#include "session/file_kind.h"
#include "trace/chrome_trace.h"
#include "widgets/drawable.h"
#include "widgets/export.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QMessageBox>
#include <QMimeData>
#include <QPointer>
#include <QStatusBar>
#include <QTableView>

namespace pipescope::mainwindow {

namespace {

Error notYet(const QString &what)
{
    return {ErrorCode::Unsupported,
            QApplication::translate("MainWindow", "%1 cannot be exported").arg(what).toStdString(),
            {},
            {}};
}

Status saveCanvas(const QWidget &canvas, const QString &path, const QString &name)
{
    const auto *drawable = dynamic_cast<const widgets::Drawable *>(&canvas);
    return drawable != nullptr ? widgets::saveDrawing(*drawable, path) : Status(notYet(name));
}

/// The one that has the keyboard, or the one seen that had it last.
QTableView *currentTable(const QWidget &window)
{
    for (QWidget *widget = window.focusWidget(); widget != nullptr; widget = widget->parentWidget())
        if (auto *table = qobject_cast<QTableView *>(widget))
            return table;
    for (QTableView *table : window.findChildren<QTableView *>())
        if (table->isVisible() && !table->visibleRegion().isEmpty())
            return table;
    return nullptr;
}

} // namespace

bool MainWindow::open(const QString &path)
{
    if (session::fileKind(path) == session::FileKind::Trace) {
        m_timeline->openTrace(path);
        return true;
    }
    m_changesSeen = m_document.undoStack().index();
    if (const Status begun = m_opening.open(path); !begun) {
        report(begun.error());
        Q_EMIT openFailed(begun.error());
        return false;
    }
    offerAgain(); // this has taken its place
    return true;
}

void MainWindow::traceOpened(const QString &path)
{
    m_hasTrace = true;
    m_recentFiles.add(QFileInfo(path).absoluteFilePath());
    listRecent();
    m_notices->remove(ErrorId);
    show(Perspective::Timeline);
    Q_EMIT opened(path);
}

void MainWindow::openExample()
{
    if (mayBeLeft())
        m_example.get();
}

void MainWindow::offerRecovery()
{
    if (m_recoveryFolder.isEmpty())
        return;
    QStringList problems;
    for (const session::LeftBehind &left : session::findLeftBehind(m_recoveryFolder, &problems))
        offer(left);
    for (const QString &problem : problems)
        log(problem);
}

void MainWindow::offer(const session::LeftBehind &left)
{
    const session::RecoveredPlan &recovered = left.recovered;
    const QString path =
        recovered.planPath.isEmpty() ? QString::fromStdString(recovered.plan.model) : recovered.planPath;
    Notice notice;
    notice.kind = Notice::Kind::Warning;
    notice.text = tr("Pipescope ended unexpectedly. Changes to %1 that were not saved are kept from %2.")
                      .arg(path, QLocale().toString(recovered.written.toLocalTime(), QLocale::ShortFormat));
    notice.links = {{tr("&Restore"), [this, left] { restore(left); }, true},
                    {tr("&Discard"), [left] { left.discard(); }, true}};
    m_notices->post(left.file, notice);
}

void MainWindow::offerAgain()
{
    if (m_restoring)
        offer(*std::exchange(m_restoring, std::nullopt));
}

void MainWindow::restore(const session::LeftBehind &left)
{
    if (!mayBeLeft()) {
        offer(left);
        return;
    }
    offerAgain();
    m_restoring = left;
    m_changesSeen = m_document.undoStack().index();
    m_opening.recover(left.recovered.plan, left.recovered.planPath);
}

void MainWindow::askForFile()
{
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open a model, a plan or a trace"), {},
                                     tr("Models, plans and traces (*.pt *.jit *.ptl *.pth *.json);;All files (*)"));
    if (!path.isEmpty() && mayBeLeft())
        open(path);
}

bool MainWindow::save()
{
    return m_document.path().isEmpty() ? saveAs() : saveTo(m_document.path());
}

bool MainWindow::saveAs()
{
    const std::string model = m_document.plan().model;
    const QString before = m_document.path();
    const QString path = QFileDialog::getSaveFileName(this, tr("Save the plan"), tr("plan.json"), tr("Plans (*.json)"));
    if (path.isEmpty())
        return false;
    if (m_document.plan().model != model || m_document.path() != before) { // a file that was being opened has come
        report({ErrorCode::InvalidArgument,
                tr("The plan was not saved: another one was opened meanwhile.").toStdString(),
                {},
                {}});
        return false;
    }
    return saveTo(path);
}

bool MainWindow::saveTo(const QString &path)
{
    const Status saved = m_document.saveAs(path);
    if (saved) {
        m_recentFiles.add(QFileInfo(path).absoluteFilePath());
        listRecent();
        showTitle();
    } else {
        QMessageBox::warning(this, tr("The plan was not saved"), QString::fromStdString(saved.error().message));
    }
    return static_cast<bool>(saved);
}

bool MainWindow::mayBeLeft()
{
    if (!m_document.isModified())
        return true;
    const auto answer =
        QMessageBox::question(this, tr("Save the plan?"), tr("The plan has changes that are not saved."),
                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save());
}

void MainWindow::exportCanvas(const QWidget &canvas, const QString &name)
{
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Export the %1").arg(name), name + ".svg", tr("Pictures (*.svg *.png)"));
    if (!path.isEmpty())
        tell(saveCanvas(canvas, path, name));
}

void MainWindow::exportTable()
{
    const QPointer<const QTableView> table = currentTable(*this);
    if (table == nullptr) {
        report(notYet(tr("There is no table to be seen, and so none")));
        return;
    }
    const QString path = QFileDialog::getSaveFileName(this, tr("Export '%1'").arg(table->accessibleName()),
                                                      table->objectName() + ".csv", tr("Tables (*.csv)"));
    if (path.isEmpty() || table == nullptr)
        return;
    tell(widgets::saveTable(*table->model(), path));
}

void MainWindow::exportTrace()
{
    const session::Run run = m_controller.runs().back(); // another document may come while the dialog stands
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Export the trace"), tr("trace.json"), tr("Traces (*.json)"));
    if (!path.isEmpty())
        tell(writeFile(path.toStdString(), trace::toChromeJson(run->trace)));
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (!mayBeLeft()) {
        event->ignore();
        return;
    }
    m_settings.setValue(GeometryKey, saveGeometry());
    if (!m_document.plan().model.empty() || m_hasTrace) // the start page has no layout
        m_docks->keep();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.first().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    const QString path = event->mimeData()->urls().first().toLocalFile();
    event->acceptProposedAction();
    if (session::fileKind(path) == session::FileKind::Trace || mayBeLeft())
        open(path);
}

} // namespace pipescope::mainwindow
