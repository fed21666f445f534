// The links of a label, followed as a user follows them.
#pragma once

#include <QApplication>
#include <QLabel>
#include <QMouseEvent>
#include <QRegularExpression>
#include <QTest>

namespace pipescope::tests {

/// Tab as often as it takes to the link with this address, and Return. False where the label has no such link.
inline bool followByKeys(QLabel &label, const QString &address)
{
    static const QRegularExpression link(QStringLiteral("<a href='([^']*)'"));
    label.setFocus();
    for (auto links = link.globalMatch(label.text()); links.hasNext();) {
        QTest::keyClick(&label, Qt::Key_Tab);
        if (links.next().captured(1) != address)
            continue;
        QTest::keyClick(&label, Qt::Key_Return);
        return true;
    }
    return false;
}

/// A click at the first place, line by line, where the pointer becomes a hand. False where it nowhere does.
inline bool clickFirstLink(QLabel &label)
{
    constexpr int step = 4;
    for (int y = 0; y < label.height(); y += step)
        for (int x = 0; x < label.width(); x += step) {
            const QPoint place(x, y);
            QMouseEvent move(QEvent::MouseMove, place, label.mapToGlobal(place), Qt::NoButton, Qt::NoButton, {});
            QApplication::sendEvent(&label, &move);
            if (label.cursor().shape() != Qt::PointingHandCursor)
                continue;
            QTest::mouseClick(&label, Qt::LeftButton, {}, place);
            return true;
        }
    return false;
}

} // namespace pipescope::tests
