#include "runview/schedule_choice.h"

#include "schedule/schedule_table.h"
#include "session/schedule_file.h"
#include "session/schedule_fit.h"
#include "widgets/choice.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QSignalBlocker>
#include <QStandardItemModel>

namespace pipescope::runview {

namespace {

QString askForFile(QWidget &box, const QString &folder)
{
    return QFileDialog::getOpenFileName(box.window(), ScheduleChoice::tr("Schedule"), folder,
                                        ScheduleChoice::tr("Schedules (*.csv);;All files (*)"));
}

QString tableWords(std::string_view view)
{
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

QString askForPath(QWidget &box, const QString &shown)
{
    return QInputDialog::getText(box.window(), ScheduleChoice::tr("Schedule"),
                                 ScheduleChoice::tr("Path of a CSV file, as the engine's machine knows it"),
                                 QLineEdit::Normal, shown)
        .trimmed();
}

} // namespace

ScheduleChoice::ScheduleChoice(QComboBox &box, session::Document &document, QObject *parent)
    : QObject(parent)
    , m_box(box)
    , m_document(document)
    , m_own(static_cast<int>(schedule::scheduleTable().size()))
{
    for (const schedule::ScheduleEntry &entry : schedule::scheduleTable())
        m_box.addItem(tableWords(entry.title), tableWords(entry.key));
    m_box.addItem(tr("From file..."));
    m_box.setItemData(m_own, tr("A schedule of your own, as a CSV file: a row for each rank"), Qt::ToolTipRole);
    // Only in the open list: arrow keys and the wheel, which go from item to item, shall not open a dialog.
    setFileEnabled(false);
    m_box.view()->parentWidget()->installEventFilter(this);
    connect(&m_box, &QComboBox::activated, this, &ScheduleChoice::take);
    connect(&m_document, &session::Document::planChanged, this, &ScheduleChoice::showPlan);
    connect(&m_document, &session::Document::modelChanged, this, &ScheduleChoice::showFit);
    showPlan();
}

bool ScheduleChoice::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Show)
        setFileEnabled(true);
    else if (event->type() == QEvent::Hide)
        setFileEnabled(false);
    return QObject::eventFilter(watched, event);
}

void ScheduleChoice::setFileEnabled(bool enabled)
{
    const auto *items = qobject_cast<QStandardItemModel *>(m_box.model());
    items->item(m_box.count() - 1)->setEnabled(enabled);
}

void ScheduleChoice::take(int item)
{
    if (item == m_box.count() - 1) {
        showPlan();                                                                         // until one is chosen
        QMetaObject::invokeMethod(this, &ScheduleChoice::chooseFile, Qt::QueuedConnection); // once the list has closed
        return;
    }
    const std::string schedule = m_box.itemData(item).toString().toStdString();
    m_document.edit(tr("Schedule"), [&schedule](plan::Plan &plan) { plan.schedule = schedule; });
}

void ScheduleChoice::chooseFile()
{
    const plan::Plan &plan = m_document.plan();
    const QString beside = plan.schedule.starts_with('@') ? QString::fromStdString(plan.schedule.substr(1))
                           : m_document.path().isEmpty()  ? QString::fromStdString(plan.model)
                                                          : m_document.path();
    const std::string model = plan.model;
    const bool isElsewhere = m_areElsewhere && m_areElsewhere();
    const QString folder = QFileInfo(beside).absolutePath();
    const QString path = m_choose      ? m_choose(m_box, folder)
                         : isElsewhere ? askForPath(m_box, plan.schedule.starts_with('@') ? beside : folder + '/')
                                       : askForFile(m_box, folder);
    if (path.isEmpty() || m_document.plan().model != model) // the dialog turns the event loop
        return;
    const Status taken =
        isElsewhere ? session::takeScheduleFileThere(m_document, path) : session::takeScheduleFile(m_document, path);
    if (!taken)
        Q_EMIT refused(QString::fromStdString(taken.error().message));
}

void ScheduleChoice::showPlan()
{
    const QString schedule = QString::fromStdString(m_document.plan().schedule);
    const QSignalBlocker quiet(m_box);
    while (m_box.count() > m_own + 1)
        m_box.removeItem(m_own);
    int item = m_box.findData(schedule, Qt::UserRole, Qt::MatchFixedString);
    if (item < 0) {
        const QString file = session::scheduleFileName(schedule.toStdString());
        item = m_own;
        m_box.insertItem(item, file.isEmpty() ? schedule : file, schedule);
        m_box.setItemData(item, file.isEmpty() ? QString() : schedule.mid(1), Qt::ToolTipRole);
    }
    m_box.setCurrentIndex(item);
    showFit();
}

void ScheduleChoice::showFit()
{
    const plan::Plan &plan = m_document.plan();
    const std::optional<int> stages = m_document.stages();
    const int devices = static_cast<int>(plan.devices.size());
    int item = 0;
    for (const schedule::ScheduleEntry &entry : schedule::scheduleTable()) {
        const QString whyNot =
            stages ? session::whyNotScheduled(std::string(entry.key), *stages, devices, plan.microbatches) : QString();
        widgets::setWhyNot(m_box, item++, whyNot, tableWords(entry.summary));
    }
}

} // namespace pipescope::runview
