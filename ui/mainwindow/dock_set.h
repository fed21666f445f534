// The docks: one table of those there are, and the layouts made of them and of what the table of perspectives says.
// Each perspective keeps its own arrangement; the user can name more of them. The docks are about what is open: where
// nothing is, they are hidden, and that is no arrangement of anybody's.
#pragma once

#include "base/result.h"
#include "mainwindow/perspectives.h"
#include "session/layout_store.h"

#include <QObject>
#include <functional>
#include <optional>
#include <vector>

class QDockWidget;
class QMainWindow;
class QWidget;

namespace pipescope::mainwindow {

struct DockRow
{
    QString id; ///< the object name
    QString title;
    std::function<QWidget *()> make;
};

class DockSet : public QObject
{
    Q_OBJECT

public:
    /// Both must outlive this.
    DockSet(QMainWindow &window, QSettings &settings);

    /// Once, before anything is shown: in the order in which tabs stand, which docks of one area are.
    void add(const std::vector<DockRow> &rows);
    [[nodiscard]] QDockWidget &dock(const QString &id) const;
    [[nodiscard]] std::vector<QDockWidget *> docks() const;

    [[nodiscard]] Perspective perspective() const { return m_perspective; }
    /// As it was left, or as the table has it; an arrangement that was left without a single dock counts as none.
    /// After hideAll() it is shown by showAgain() only.
    void show(Perspective perspective);
    /// Nothing is open: hides every dock. Until showAgain() nothing is kept, saved, restored or reset.
    void hideAll();
    [[nodiscard]] bool areHidden() const { return m_areHidden; }
    /// Something is open: shows the perspective.
    void showAgain();
    /// Why there is no layout to save, restore or reset now, as a sentence; "" where there is one.
    [[nodiscard]] QString whyNoLayout() const;
    /// Keeps the arrangement as it is now, for its perspective.
    void keep();
    /// As the table has it.
    void reset();
    /// Shows a dock, before those it shares its place with; after hideAll() too.
    void reveal(const QString &id);

    [[nodiscard]] QStringList layouts() const { return m_store.names(); }
    void saveLayout(const QString &name);
    /// Its perspective is to be shown by who asks. Errors: InvalidArgument after hideAll(); NotFound; InvalidFile for
    /// one that cannot be read, and then nothing has changed.
    Status restoreLayout(const QString &name);
    void deleteLayout(const QString &name) { m_store.forgetNamed(name); }

Q_SIGNALS:
    /// restoreLayout() went to another perspective.
    void perspectiveRestored();

private:
    struct Placed
    {
        DockRow row;
        QDockWidget *dock; // not owned: the window's
    };

    /// How many docks a stored layout shows; nullopt for one that is damaged or empty.
    [[nodiscard]] std::optional<int> docksShownIn(const QByteArray &state) const;
    [[nodiscard]] bool restore(const QByteArray &state);
    /// Where a dock stands in the perspective that is shown; nullopt where it is hidden.
    [[nodiscard]] std::optional<Qt::DockWidgetArea> areaOf(const Placed &placed) const;
    [[nodiscard]] QByteArray stateOfTable() const;
    void arrange();
    void showTitles();

    QMainWindow &m_window;
    session::LayoutStore m_store;
    std::vector<Placed> m_docks;
    Perspective m_perspective = Perspective::Split;
    bool m_areHidden = false;
    bool m_titlesDue = false;
};

} // namespace pipescope::mainwindow
