#include "widgets/typing.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QApplication>
#include <QBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>
#include <QWidget>

using namespace pipescope;

class TestTyping : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aLineIsTakenAsIfItHadBeenLeftAndIsTypedOn()
    {
        QLineEdit line;
        line.show();
        line.setFocus();
        QVERIFY(QTest::qWaitForWindowActive(&line));
        const QSignalSpy finished(&line, &QLineEdit::editingFinished);
        QTest::keyClicks(&line, "1e-3");
        QCOMPARE(finished.size(), 0);
        widgets::finishTyping();
        QCOMPARE(finished.size(), 1);
        QVERIFY(line.hasFocus());
        QTest::keyClicks(&line, "0");
        QCOMPARE(line.text(), QString("1e-30"));
    }

    void aNumbersBoxIsTaken()
    {
        QSpinBox box;
        box.setKeyboardTracking(false);
        box.show();
        box.setFocus();
        QVERIFY(QTest::qWaitForWindowActive(&box));
        box.selectAll();
        QTest::keyClicks(&box, "42");
        QCOMPARE(box.value(), 0);
        widgets::finishTyping();
        QCOMPARE(box.value(), 42);
        QVERIFY(box.hasFocus());
    }

    void aDoubleClickSelectsTheNumberAndNotTheWordBehindIt()
    {
        QSpinBox box;
        box.setSuffix(" stages");
        box.setValue(3);
        widgets::selectNumberOnDoubleClick(box);
        box.show();
        QVERIFY(QTest::qWaitForWindowActive(&box));
        auto *line = box.findChild<QLineEdit *>();
        const QPoint word(line->fontMetrics().horizontalAdvance("3 sta"), line->height() / 2);
        QTest::mouseClick(line, Qt::LeftButton, {}, word);
        QTest::mouseDClick(line, Qt::LeftButton, {}, word);
        QTest::keyClicks(line, "4");
        QCOMPARE(line->text(), QString("4 stages"));
    }

    void aCellsEditorIsTakenAndCloses()
    {
        QTableWidget table(1, 1);
        table.setItem(0, 0, new QTableWidgetItem);
        table.show();
        QVERIFY(QTest::qWaitForWindowActive(&table));
        table.editItem(table.item(0, 0));
        QTest::keyClicks(QApplication::focusWidget(), "float32[2]");
        QCOMPARE(table.item(0, 0)->text(), QString());
        widgets::finishTyping();
        QCOMPARE(table.item(0, 0)->text(), QString("float32[2]"));
        QVERIFY(!table.isPersistentEditorOpen(table.item(0, 0)));
    }

    void whatIsNoLineKeepsItsFocus()
    {
        QPushButton button;
        button.show();
        button.setFocus();
        QVERIFY(QTest::qWaitForWindowActive(&button));
        const QSignalSpy moved(qApp, &QApplication::focusChanged);
        widgets::finishTyping();
        QCOMPARE(moved.size(), 0);
    }

    void aFormThatGoesHearsOfNoLine()
    {
        int heard = 0;
        QWidget form;
        auto *row = new QHBoxLayout(&form);
        auto *inner = new QWidget(&form);
        row->addWidget(inner);
        auto *line = new QLineEdit(inner);
        connect(line, &QLineEdit::editingFinished, &form, [&heard] { ++heard; });
        const QSignalSpy others(line, &QLineEdit::editingFinished);
        Q_EMIT line->editingFinished();
        QCOMPARE(heard, 1);
        widgets::stopListening(form);
        Q_EMIT line->editingFinished();
        QCOMPARE(heard, 1);
        QCOMPARE(others.size(), 2);
    }
};

PIPESCOPE_WIDGET_TEST(TestTyping)
#include "tst_typing.moc"
