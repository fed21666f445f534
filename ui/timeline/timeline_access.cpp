#include "timeline/timeline_access.h"

#include "timeline/timeline_view.h"

#include <QAccessibleWidget>

namespace pipescope::timeline {

namespace {

class TimelineAccess : public QAccessibleWidget
{
public:
    explicit TimelineAccess(TimelineView *view)
        : QAccessibleWidget(view, QAccessible::Chart)
    {
    }

    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        switch (kind) {
        case QAccessible::Value: // what is current, or how much there is
            return widget()->accessibleDescription();
        case QAccessible::Help:
            return TimelineView::tr("Arrow keys walk from action to action, [ and ] to what it waited for and what "
                                    "waited for it; %1. The table beside it has all of it as text.")
                .arg(TimelineView::keysHint());
        default:
            return QAccessibleWidget::text(kind);
        }
    }
};

QAccessibleInterface *accessOf(const QString &, QObject *object)
{
    auto *view = qobject_cast<TimelineView *>(object);
    return view != nullptr ? new TimelineAccess(view) : nullptr; // Qt's cache has it
}

} // namespace

void installTimelineAccess()
{
    static const bool isInstalled = [] {
        QAccessible::installFactory(accessOf);
        return true;
    }();
    Q_UNUSED(isInstalled);
}

} // namespace pipescope::timeline
