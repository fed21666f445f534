#include "actions/command_palette.h"

#include "actions/palette_delegate.h"
#include "actions/word_match.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QImage>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QPalette>
#include <QTest>
#include <QWidget>

using namespace pipescope;
using namespace pipescope::actions;

namespace {

PaletteItems named(const QStringList &names, QStringList *chosen = nullptr)
{
    auto items = std::make_shared<std::vector<PaletteItem>>();
    for (const QString &name : names)
        items->emplace_back(name, QString(), "node", [name, chosen] {
            if (chosen != nullptr)
                chosen->append(name);
        });
    return items;
}

QStringList answers(PaletteModel &model, const QString &typed)
{
    model.search(typed);
    QStringList shown;
    for (int row = 0; row < model.rowCount(); ++row)
        shown << model.index(row).data().toString();
    return shown;
}

} // namespace

class TestCommandPalette : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void keysAndReasonsThatHaveRoomAreShownWhole_data()
    {
        QTest::addColumn<QString>("kind");
        for (const char *kind : {"Ctrl+,", "Ctrl+Shift+S", "No model is open.", "There is nothing to undo.", "command"})
            QTest::newRow(kind) << kind;
    }

    void keysAndReasonsThatHaveRoomAreShownWhole()
    {
        QFETCH(const QString, kind);
        PaletteModel model;
        auto items = std::make_shared<std::vector<PaletteItem>>();
        items->emplace_back(QString(), QString(), kind, [] {});
        model.setItems({items});
        model.search(QString());
        QImage asPainted(600, 30, QImage::Format_RGB32);
        asPainted.fill(Qt::white);
        QImage whole = asPainted;
        QStyleOptionViewItem option;
        option.rect = asPainted.rect();
        QPainter painter(&asPainted);
        PaletteDelegate().paint(&painter, option, model.index(0));
        painter.end();
        painter.begin(&whole);
        painter.setPen(option.palette.color(QPalette::PlaceholderText));
        painter.drawText(whole.rect().adjusted(0, 0, -PaletteDelegate::Gap, 0), Qt::AlignRight | Qt::AlignVCenter,
                         kind);
        painter.end();
        QCOMPARE(asPainted, whole);
    }

    void everyWordMustBeFoundInAnyOrder()
    {
        QVERIFY(matchScore(wordsOf("h.4 attn"), u"transformer.h.4.attn") > 0);
        QVERIFY(matchScore(wordsOf("ATTN h.4"), u"transformer.h.4.attn") > 0);
        QVERIFY(matchScore(wordsOf("h.4 mlp"), u"transformer.h.4.attn") < 0);
        QVERIFY(matchScore(wordsOf("trfrm"), u"transformer.h.4.attn") > 0); // letters in order
        QVERIFY(matchScore({}, u"anything") == 0);
    }

    void namesBeginningWithTheWordComeFirstThenPartsThenTheRest()
    {
        PaletteModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setItems({named({"marathon runs on", "trunk", "layers.run", "r-u-n", "run"})});
        QCOMPARE(answers(model, "run"), QStringList({"run", "layers.run", "marathon runs on", "trunk", "r-u-n"}));
        QCOMPARE(answers(model, "nothing like it"), QStringList());
        QCOMPARE(answers(model, "").size(), 5);
    }

    void wholeWordsComeBeforeBeginningsOfLongerOnes()
    {
        PaletteModel model;
        model.setItems({named({"x.runner", "runner", "all that is to run", "run all that there is"})});
        QCOMPARE(answers(model, "run"),
                 QStringList({"run all that there is", "runner", "all that is to run", "x.runner"}));
    }

    void scatteredLettersComeLastEvenInACommand()
    {
        auto commands = std::make_shared<std::vector<PaletteItem>>();
        commands->emplace_back("Open the example", QString(), "command", [] {});
        commands->back().weight = 30'000;
        PaletteModel model;
        model.setItems({commands, named({"transformer.h.0.attn.rotate", "eto"})});
        QCOMPARE(answers(model, "ot"), QStringList({"transformer.h.0.attn.rotate", "Open the example"}));
    }

    void commandsComeBeforeNodesThatMatchAsWell()
    {
        auto commands = std::make_shared<std::vector<PaletteItem>>();
        commands->emplace_back("Run the plan", QString(), "command", [] {});
        commands->back().weight = 30'000;
        PaletteModel model;
        model.setItems({named({"run"}), commands});
        QCOMPARE(answers(model, "run").first(), QString("Run the plan"));
    }

    void theKeyboardAloneFindsAndDoes()
    {
        QWidget window;
        window.resize(800, 600);
        auto *field = new QLineEdit(&window);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        field->setFocus();
        CommandPalette palette(window);
        QStringList chosen;
        palette.open({named({"layers.0", "layers.1", "head"}, &chosen)});
        QVERIFY(palette.isVisible());
        QTest::keyClicks(QApplication::focusWidget(), "layers");
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QCOMPARE(chosen, QStringList{"layers.1"});
        QVERIFY(!palette.isVisible());
        QVERIFY(field->hasFocus());
        palette.open({named({"head"}, &chosen)});
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY(!palette.isVisible());
        QCOMPARE(chosen.size(), 1);
    }

    void whatCannotBeDoneIsShownWithItsReasonAndNotDone()
    {
        QWidget window;
        window.resize(800, 600);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        CommandPalette palette(window);
        bool isDone = false;
        auto items = std::make_shared<std::vector<PaletteItem>>();
        items->emplace_back("Run", QString(), "command", [&isDone] { isDone = true; });
        items->back().whyNot = "Open a model first.";
        palette.open({items});
        QCOMPARE(palette.model().index(0).data(PaletteModel::WhyNotRole).toString(), QString("Open a model first."));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QVERIFY(palette.isVisible());
        QVERIFY(!isDone);
    }

    /// How fast is in tests/bench.
    void fiftyThousandNodesAreSearched()
    {
        QStringList names;
        for (int i = 0; i < 50'000; ++i)
            names << QStringLiteral("transformer.h.%1.attn.c_proj/aten::linear#%2").arg(i / 100).arg(i % 100);
        PaletteModel model;
        model.setItems({named(names)});
        model.search("h.412 linear#7");
        QCOMPARE(model.index(0).data().toString(), QString("transformer.h.412.attn.c_proj/aten::linear#7"));
        QVERIFY(model.index(10).data().toString().startsWith("transformer.h.412.")); // #70 to #79 come next
        model.search("linear");
        QCOMPARE(model.rowCount(), PaletteModel::MostShown);
        QCOMPARE(model.found(), 50'000);
    }
};

PIPESCOPE_WIDGET_TEST(TestCommandPalette)
#include "tst_command_palette.moc"
