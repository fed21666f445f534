#include "mainwindow/dock_set.h"

#include "base/error.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QTimer>
#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace pipescope::mainwindow {

namespace {

constexpr int SideWidth = 340;
constexpr int BottomHeight = 200;

std::optional<Qt::DockWidgetArea> areaIn(const PerspectiveRow &perspective, const QString &dock)
{
    for (const DockPlace &place : perspective.docks)
        if (dock == QLatin1String(place.dock))
            return place.area;
    return std::nullopt;
}

/// For perspectives without the dock: its area in the first that has it.
Qt::DockWidgetArea usualArea(const QString &dock)
{
    for (const PerspectiveRow &perspective : perspectives())
        if (const auto area = areaIn(perspective, dock))
            return *area;
    return Qt::RightDockWidgetArea;
}

/// For a window's layout: one of the same name.
QDockWidget *unseenCopy(const QDockWidget &dock, QMainWindow &window)
{
    auto *copy = new QDockWidget(&window);
    copy->setObjectName(dock.objectName());
    copy->setAttribute(Qt::WA_DontShowOnScreen); // one that floats would be a window
    return copy;
}

} // namespace

DockSet::DockSet(QMainWindow &window, QSettings &settings)
    : QObject(&window)
    , m_window(window)
    , m_store(settings)
{
    m_window.setDockNestingEnabled(true);
    m_window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
}

void DockSet::add(const std::vector<DockRow> &rows)
{
    for (const DockRow &row : rows) {
        auto *dock = new QDockWidget(row.title, &m_window);
        dock->setObjectName(row.id);
        dock->setWidget(row.make());
        m_window.addDockWidget(usualArea(row.id), dock);
        m_docks.push_back({row, dock});
        const auto later = [this] {
            if (!std::exchange(m_titlesDue, true))
                QTimer::singleShot(0, this, &DockSet::showTitles);
        };
        connect(dock, &QDockWidget::visibilityChanged, this, later);
        connect(dock, &QDockWidget::topLevelChanged, this, later);
        connect(dock, &QDockWidget::dockLocationChanged, this, later);
    }
}

QDockWidget &DockSet::dock(const QString &id) const
{
    const auto found =
        std::find_if(m_docks.begin(), m_docks.end(), [&id](const Placed &placed) { return placed.row.id == id; });
    PIPESCOPE_ASSERT(found != m_docks.end());
    return *found->dock;
}

std::vector<QDockWidget *> DockSet::docks() const
{
    std::vector<QDockWidget *> docks;
    for (const Placed &placed : m_docks)
        docks.push_back(placed.dock);
    return docks;
}

void DockSet::show(Perspective perspective)
{
    m_perspective = perspective;
    if (m_areHidden)
        return;
    const QByteArray kept = m_store.perspective(rowOf(perspective).name);
    if (!restore(kept))
        arrange();
}

void DockSet::hideAll()
{
    m_areHidden = true;
    for (const Placed &placed : m_docks)
        placed.dock->hide();
}

void DockSet::showAgain()
{
    m_areHidden = false;
    show(m_perspective);
}

QString DockSet::whyNoLayout() const
{
    return m_areHidden ? tr("Open a model or a trace first: the start page has no docks.") : QString();
}

/// Qt finds that a layout is damaged when half of it is restored: it is tried on a window that nobody sees.
std::optional<int> DockSet::docksShownIn(const QByteArray &state) const
{
    if (state.isEmpty())
        return std::nullopt;
    QMainWindow trial;
    std::vector<const QDockWidget *> copies;
    for (const Placed &placed : m_docks) {
        QDockWidget *copy = unseenCopy(*placed.dock, trial);
        trial.addDockWidget(Qt::BottomDockWidgetArea, copy);
        copies.push_back(copy);
    }
    if (!trial.restoreState(state, session::LayoutStore::Version))
        return std::nullopt;
    return static_cast<int>(
        std::count_if(copies.begin(), copies.end(), [](const QDockWidget *copy) { return !copy->isHidden(); }));
}

bool DockSet::restore(const QByteArray &state)
{
    return docksShownIn(state).value_or(0) > 0 && m_window.restoreState(state, session::LayoutStore::Version);
}

void DockSet::keep()
{
    if (!m_areHidden)
        m_store.keepPerspective(rowOf(m_perspective).name, m_window.saveState(session::LayoutStore::Version));
}

void DockSet::reset()
{
    if (m_areHidden)
        return;
    m_store.forgetPerspective(rowOf(m_perspective).name);
    arrange();
}

void DockSet::reveal(const QString &id)
{
    QDockWidget &revealed = dock(id);
    revealed.show();
    revealed.raise();
}

void DockSet::saveLayout(const QString &name)
{
    if (!m_areHidden)
        m_store.keepNamed(name, {rowOf(m_perspective).name, m_window.saveState(session::LayoutStore::Version)});
}

Status DockSet::restoreLayout(const QString &name)
{
    if (const QString why = whyNoLayout(); !why.isEmpty())
        return Error{ErrorCode::InvalidArgument, why.toStdString(), {}, {}};
    const session::NamedLayout layout = m_store.named(name);
    if (layout.state.isEmpty())
        return Error{ErrorCode::NotFound, tr("There is no layout '%1'.").arg(name).toStdString(), {}, {}};
    if (!docksShownIn(layout.state))
        return Error{
            ErrorCode::InvalidFile,
            tr("The layout '%1' cannot be read: the settings hold only a part of it. Delete it, and save it again.")
                .arg(name)
                .toStdString(),
            {},
            {}};
    keep();
    m_perspective = findPerspective(layout.perspective).value_or(Perspective::Split);
    Q_EMIT perspectiveRestored();
    m_window.restoreState(layout.state, session::LayoutStore::Version);
    return Success{};
}

/// Of a window that nobody sees. In one that is shown each dock's move lays everything out at once, and tab bars of
/// what stands there only meanwhile may stay, over the docks.
QByteArray DockSet::stateOfTable() const
{
    QMainWindow trial;
    trial.setDockNestingEnabled(true);
    std::map<Qt::DockWidgetArea, QDockWidget *> first;
    for (const Placed &placed : m_docks) {
        const std::optional<Qt::DockWidgetArea> area = areaOf(placed);
        QDockWidget *copy = unseenCopy(*placed.dock, trial);
        trial.addDockWidget(area.value_or(usualArea(placed.row.id)), copy);
        copy->setVisible(area.has_value());
        if (!area)
            continue;
        if (const auto [before, isFirst] = first.try_emplace(*area, copy); !isFirst)
            trial.tabifyDockWidget(before->second, copy);
    }
    for (const auto &[area, dock] : first)
        dock->raise();
    return trial.saveState(session::LayoutStore::Version);
}

void DockSet::arrange()
{
    m_window.restoreState(stateOfTable(), session::LayoutStore::Version);
    std::set<Qt::DockWidgetArea> sized;
    for (const Placed &placed : m_docks) {
        const std::optional<Qt::DockWidgetArea> area = areaOf(placed);
        if (!area || !sized.insert(*area).second)
            continue;
        if (*area == Qt::BottomDockWidgetArea)
            m_window.resizeDocks({placed.dock}, {BottomHeight}, Qt::Vertical);
        else
            m_window.resizeDocks({placed.dock}, {SideWidth}, Qt::Horizontal);
    }
}

std::optional<Qt::DockWidgetArea> DockSet::areaOf(const Placed &placed) const
{
    return areaIn(rowOf(m_perspective), placed.row.id);
}

void DockSet::showTitles()
{
    m_titlesDue = false;
    // A tab names its dock already; one that stands alone needs its title, to be named and moved by.
    for (const Placed &placed : m_docks) {
        const QList<QDockWidget *> beside = m_window.tabifiedDockWidgets(placed.dock);
        const bool hasTab =
            !placed.dock->isFloating() && std::any_of(beside.begin(), beside.end(), [](const QDockWidget *other) {
                return other->toggleViewAction()->isChecked() && !other->isFloating();
            });
        QWidget *bar = placed.dock->titleBarWidget();
        if (hasTab && bar == nullptr) {
            placed.dock->setTitleBarWidget(new QWidget(placed.dock));
        } else if (!hasTab && bar != nullptr) {
            placed.dock->setTitleBarWidget(nullptr);
            bar->deleteLater();
        }
    }
}

} // namespace pipescope::mainwindow
