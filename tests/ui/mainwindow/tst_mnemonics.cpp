#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/window_desk.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QDockWidget>
#include <QGroupBox>
#include <QKeySequence>
#include <QLabel>
#include <QMenuBar>
#include <QTabBar>
#include <QToolButton>
#include <map>

using namespace pipescope;
using tests::WindowDesk;

namespace {

/// Each text that a letter after Alt may stand in, of what is shown.
QStringList textsOf(const QMainWindow &window)
{
    QStringList texts;
    for (const QAction *title : window.menuBar()->actions())
        texts << title->text();
    for (const QWidget *widget : window.findChildren<QWidget *>()) {
        if (!widget->isVisible())
            continue;
        if (const auto *button = qobject_cast<const QAbstractButton *>(widget))
            texts << button->text();
        if (const auto *label = qobject_cast<const QLabel *>(widget); label != nullptr && label->buddy() != nullptr)
            texts << label->text();
        if (const auto *group = qobject_cast<const QGroupBox *>(widget))
            texts << group->title();
        if (const auto *tabs = qobject_cast<const QTabBar *>(widget))
            for (int tab = 0; tab < tabs->count(); ++tab)
                texts << tabs->tabText(tab);
    }
    return texts;
}

/// "Alt+R: &Run, &Repeat".
QString clashesOf(const QStringList &texts)
{
    std::map<QString, QStringList> byKey;
    for (const QString &text : texts)
        if (const QKeySequence key = QKeySequence::mnemonic(text); !key.isEmpty())
            byKey[key.toString(QKeySequence::PortableText)] << text;
    QStringList found;
    for (const auto &[key, same] : byKey)
        if (same.size() > 1)
            found << key + ": " + same.join(", ");
    return found.join('\n');
}

QString clashes(const QMainWindow &window)
{
    return clashesOf(textsOf(window));
}

/// All docks beside each other, as a user may draw them, with all that they have shown.
void showEverything(WindowDesk &desk)
{
    for (auto *dock : desk.window.findChildren<QDockWidget *>()) {
        dock->setFloating(true);
        dock->show();
        QVERIFY(dock->isVisible());
    }
    if (auto *more = desk.find<QToolButton>("more"); !more->isChecked())
        more->click();
    auto *inputs = desk.find<QAbstractItemView>("inputs");
    inputs->setCurrentIndex(inputs->model()->index(0, 0));
}

} // namespace

/// Where two visible texts have the same letter, Alt and that letter does neither thing.
class TestMnemonics : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aClashIsFound()
    {
        QMainWindow window;
        window.menuBar()->addMenu("&Run");
        auto *button = new QPushButton("&Run", &window);
        window.setCentralWidget(button);
        window.show();
        QCOMPARE(clashes(window), QString("Alt+R: &Run, &Run"));
        button->setText("R&un && &check"); // the first one counts
        QCOMPARE(clashes(window), QString());
    }

    void inEachMenu()
    {
        WindowDesk desk;
        desk.open();
        int menus = 0;
        for (const QMenu *menu : desk.window.menuBar()->findChildren<QMenu *>()) {
            QStringList texts;
            for (const QAction *action : menu->actions())
                texts << action->text();
            QCOMPARE(clashesOf(texts), QString());
            menus += texts.isEmpty() ? 0 : 1;
        }
        QVERIFY2(menus >= 9, qPrintable(QString::number(menus))); // with those inside of others
    }

    void onTheStartPageAndBeforeTheModelIsTrusted()
    {
        WindowDesk desk;
        QCOMPARE(clashes(desk.window), QString());
        desk.begin(desk.file("model.pt"));
        desk.answer(tests::twoLayers(true));
        showEverything(desk);
        QVERIFY(desk.find<QWidget>("trust")->isVisible());
        QCOMPARE(clashes(desk.window), QString());
    }

    void inEachPerspectiveWithEverythingShown()
    {
        WindowDesk desk;
        desk.open();
        for (const mainwindow::PerspectiveRow &row : mainwindow::perspectives()) {
            desk.window.show(row.perspective);
            showEverything(desk);
            QVERIFY(desk.find<QWidget>("seed")->isVisible() && desk.find<QWidget>("kind")->isVisible());
            auto *kind = desk.find<QComboBox>("kind");
            for (int item = 0; item < kind->count(); ++item) {
                kind->setCurrentIndex(item);
                Q_EMIT kind->activated(item);
                QCOMPARE(clashes(desk.window), QString());
            }
        }
    }
};

PIPESCOPE_WIDGET_TEST(TestMnemonics)
#include "tst_mnemonics.moc"
