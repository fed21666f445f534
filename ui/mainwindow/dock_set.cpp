#include "mainwindow/dock_set.h"

#include "base/error.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QTimer>
#include <algorithm>
#include <map>
#include <utility>

namespace pipescope::mainwindow {

namespace {

constexpr int SideWidth = 340;
constexpr int BottomHeight = 200;

} // namespace

QString perspectiveName(Perspective perspective)
{
    return perspective == Perspective::Split ? QStringLiteral("Split") : QStringLiteral("Timeline");
}

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
        m_window.addDockWidget(row.split.area, dock);
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
    const QByteArray kept = m_store.perspective(perspectiveName(perspective));
    if (!restore(kept))
        arrange();
}

/// Qt finds that a layout is damaged when half of it is restored: it is tried on a window that nobody sees.
bool DockSet::isWhole(const QByteArray &state) const
{
    if (state.isEmpty())
        return false;
    QMainWindow trial;
    for (const Placed &placed : m_docks) {
        auto *dock = new QDockWidget(&trial);
        dock->setObjectName(placed.dock->objectName());
        dock->setAttribute(Qt::WA_DontShowOnScreen); // one that floats would be a window
        trial.addDockWidget(Qt::BottomDockWidgetArea, dock);
    }
    return trial.restoreState(state, session::LayoutStore::Version);
}

bool DockSet::restore(const QByteArray &state)
{
    return isWhole(state) && m_window.restoreState(state, session::LayoutStore::Version);
}

void DockSet::keep()
{
    m_store.keepPerspective(perspectiveName(m_perspective), m_window.saveState(session::LayoutStore::Version));
}

void DockSet::reset()
{
    m_store.forgetPerspective(perspectiveName(m_perspective));
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
    m_store.keepNamed(name, {perspectiveName(m_perspective), m_window.saveState(session::LayoutStore::Version)});
}

Status DockSet::restoreLayout(const QString &name)
{
    const session::NamedLayout layout = m_store.named(name);
    if (layout.state.isEmpty())
        return Error{ErrorCode::NotFound, tr("There is no layout '%1'.").arg(name).toStdString(), {}, {}};
    if (!isWhole(layout.state))
        return Error{
            ErrorCode::InvalidFile,
            tr("The layout '%1' cannot be read: the settings hold only a part of it. Delete it, and save it again.")
                .arg(name)
                .toStdString(),
            {},
            {}};
    keep();
    m_perspective =
        layout.perspective == perspectiveName(Perspective::Timeline) ? Perspective::Timeline : Perspective::Split;
    Q_EMIT perspectiveRestored();
    m_window.restoreState(layout.state, session::LayoutStore::Version);
    return Success{};
}

void DockSet::arrange()
{
    std::map<Qt::DockWidgetArea, QDockWidget *> first;
    for (const Placed &placed : m_docks) {
        const DockPlace &place = m_perspective == Perspective::Split ? placed.row.split : placed.row.timeline;
        placed.dock->setFloating(false);
        m_window.removeDockWidget(placed.dock);
        m_window.addDockWidget(place.area, placed.dock);
        placed.dock->setVisible(place.isShown);
        if (!place.isShown)
            continue;
        if (const auto [before, isFirst] = first.try_emplace(place.area, placed.dock); !isFirst)
            m_window.tabifyDockWidget(before->second, placed.dock);
    }
    for (const auto &[area, dock] : first) {
        dock->raise();
        if (area == Qt::BottomDockWidgetArea)
            m_window.resizeDocks({dock}, {BottomHeight}, Qt::Vertical);
        else
            m_window.resizeDocks({dock}, {SideWidth}, Qt::Horizontal);
    }
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
