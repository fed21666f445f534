#include "mainwindow/start_page.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/window_desk.h"

#include <QLabel>
#include <QSignalSpy>
#include <algorithm>
#include <utility>

using namespace pipescope;
using mainwindow::StartPage;

namespace {

/// The label with this text, where it is seen; else nullptr.
const QLabel *seen(const QWidget &page, const QString &text)
{
    for (const QLabel *label : page.findChildren<QLabel *>())
        if (label->text() == text && label->isVisible() && !label->visibleRegion().isEmpty())
            return label;
    return nullptr;
}

QPoint placeOf(const QLabel &label, const QWidget &page)
{
    return label.mapTo(&page, QPoint(0, 0));
}

} // namespace

class TestStartPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void threeStepsStandBesideEachOtherUntilSomethingIsOpen()
    {
        tests::WindowDesk desk;
        const auto &page = *desk.window.findChild<StartPage *>();
        QVERIFY(page.isVisible());
        int end = -1;
        for (const auto &[number, title] :
             {std::pair("1", "Place splits"), std::pair("2", "Run"), std::pair("3", "Read the bubbles")}) {
            const QLabel *before = seen(page, number);
            const QLabel *after = seen(page, title);
            QVERIFY2(before != nullptr && after != nullptr, title);
            const QPoint place = placeOf(*before, page);
            QCOMPARE(placeOf(*after, page).y(), place.y());
            QVERIFY2(place.x() > end && placeOf(*after, page).x() > place.x(), title);
            end = placeOf(*after, page).x();
        }
        for (const char *sentence : {"Click between two rows of the program.", "microbatch by microbatch",
                                     "Every wait on the timeline says what it waited for"}) {
            const auto labels = page.findChildren<QLabel *>();
            QVERIFY2(std::any_of(
                         labels.begin(), labels.end(),
                         [&](const QLabel *label) { return label->isVisible() && label->text().contains(sentence); }),
                     sentence);
        }
        desk.open();
        QVERIFY(!page.isVisible());
    }

    void itsButtonsAskForWhatTheySay()
    {
        StartPage page;
        page.setExample({}, {});
        page.setRecent({{"/models/a.pt", "a.pt", "/models", {}}});
        page.show();
        const QSignalSpy open(&page, &StartPage::openAsked);
        const QSignalSpy example(&page, &StartPage::exampleAsked);
        const QSignalSpy recent(&page, &StartPage::recentAsked);
        for (const char *name : {"open", "openExample", "recentFile"})
            QTest::mouseClick(page.findChild<QPushButton *>(name), Qt::LeftButton);
        QCOMPARE(open.size(), 1);
        QCOMPARE(example.size(), 1);
        QCOMPARE(recent.size(), 1);
        QCOMPARE(recent[0][0].toString(), QString("/models/a.pt"));
    }

    void anExampleThatCannotBeOpenedSaysWhy()
    {
        StartPage page;
        page.show();
        page.setExample("It is made first.", {});
        QVERIFY(seen(page, "It is made first."));
        page.setExample("It is made first.", "There is no program that makes it.");
        QVERIFY(seen(page, "There is no program that makes it."));
        QVERIFY(!page.findChild<QPushButton *>("openExample")->isEnabled());
    }
};

PIPESCOPE_WIDGET_TEST(TestStartPage)
#include "tst_start_page.moc"
