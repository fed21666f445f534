#include "shardview/shard_page.h"

#include "shardview/holder_table_model.h"
#include "shardview/step_table_model.h"
#include "support/qt_warnings.h"
#include "support/recorded_painting.h"
#include "support/test_program.h"
#include "widgets/export.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QSettings>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace pipescope;
using namespace pipescope::shardview;
using style::Theme;

namespace {

struct PageDesk
{
    QTemporaryDir folder;
    QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
    ShardPage page{settings, Theme::dark()};

    PageDesk()
    {
        page.resize(1000, 800);
        page.show();
    }
    template <class Widget>
    [[nodiscard]] Widget &find(const char *name) const
    {
        return *page.findChild<Widget *>(name);
    }
    /// Types it in place of what stands there.
    void write(const char *field, const QString &text) const
    {
        auto &line = find<QLineEdit>(field);
        line.setFocus();
        line.selectAll();
        if (text.isEmpty())
            QTest::keyClick(&line, Qt::Key_Backspace);
        QTest::keyClicks(&line, text);
    }
    void choose(const char *box, int item) const
    {
        auto &chosen = find<QComboBox>(box);
        chosen.setCurrentIndex(item);
        Q_EMIT chosen.activated(item);
    }
    void press(const char *button) const { QTest::mouseClick(&find<QToolButton>(button), Qt::LeftButton); }
    [[nodiscard]] QString problem(const char *field) const
    {
        const auto &label = find<QLabel>(qPrintable(QString(field) + "Problem"));
        return label.isVisible() ? label.text() : QString();
    }
    [[nodiscard]] const shard::Layout &before() { return page.canvas().scene()->layout(); }
    [[nodiscard]] const shard::Layout &after() { return page.picture().after().scene()->layout(); }
    [[nodiscard]] QString cell(const char *table, int row, int column) const
    {
        return find<QTableView>(table).model()->index(row, column).data().toString();
    }
    [[nodiscard]] int rows(const char *table) const { return find<QTableView>(table).model()->rowCount(); }
    /// S0,S1 to S1,S0 over 2,2.
    void writeLongWay() const
    {
        write("shardMesh", "2,2");
        write("shardShape", "8,8");
        write("shardPlacements", "S0,S1");
        write("shardTarget", "S1,S0");
    }
};

QString textOf(const shard::Layout &layout)
{
    return QString::fromStdString(layout.specText());
}

} // namespace

class TestShardPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void itBeginsWithAnExampleOfOneStep()
    {
        PageDesk desk;
        QCOMPARE(textOf(desk.before()), QString("Spec(f32[1000, 768](S(0)P(sum)))"));
        QCOMPARE(textOf(desk.after()), QString("Spec(f32[1000, 768](S(0)S(1)))"));
        QCOMPARE(desk.find<QLabel>("stepNow").text(), QString("step 1 of 1: reduce-scatter over tp"));
    }

    void whatIsWrittenIsSeenAtOnce()
    {
        PageDesk desk;
        desk.write("shardMesh", "3");
        desk.write("shardPlacements", "S1");
        desk.write("shardTarget", "");
        desk.write("shardShape", "4,7");
        desk.choose("shardDtype", desk.find<QComboBox>("shardDtype").findText("bfloat16"));
        QCOMPARE(textOf(desk.before()), QString("Spec(bf16[4, 7](S(1)))"));
        QVERIFY(!desk.page.picture().after().isVisible());
        QVERIFY(!desk.find<QToolButton>("nextStep").isVisible());
        desk.write("shardTarget", "R");
        QVERIFY(desk.page.picture().after().isVisible());
        QCOMPARE(textOf(desk.after()), QString("Spec(bf16[4, 7](R))"));
    }

    void anErrorStandsUnderItsFieldAndNothingWrongIsSeen()
    {
        PageDesk desk;
        desk.write("shardPlacements", "S0,S9");
        QVERIFY2(desk.problem("shardPlacements").contains('9'), qPrintable(desk.problem("shardPlacements")));
        QCOMPARE(desk.problem("shardShape") + desk.problem("shardMesh") + desk.problem("shardTarget"), QString());
        QVERIFY(desk.page.canvas().scene() == nullptr);
        QCOMPARE(desk.find<QLineEdit>("shardPlacements").accessibleDescription(), desk.problem("shardPlacements"));
        desk.write("shardPlacements", "S0,R");
        QCOMPARE(desk.problem("shardPlacements"), QString());
        QVERIFY(desk.page.canvas().scene() != nullptr);
    }

    void aWayThatIsRefusedIsSaidUnderTheTarget()
    {
        PageDesk desk;
        desk.write("shardPlacements", "S0,R");
        desk.write("shardTarget", "S0,P");
        QVERIFY2(desk.problem("shardTarget").contains("only Shard to Partial(sum)"),
                 qPrintable(desk.problem("shardTarget")));
        QVERIFY(desk.page.picture().after().isVisible());
        QCOMPARE(desk.find<QTabWidget>("shardTables").isTabVisible(0), false);
    }

    void buttonsStepThroughTheWay()
    {
        PageDesk desk;
        desk.writeLongWay();
        const int steps = desk.rows("shardSteps");
        QVERIFY(steps > 1);
        QCOMPARE(textOf(desk.before()), QString("Spec(f32[8, 8](S(0)S(1)))"));
        QCOMPARE(textOf(desk.after()), QString("Spec(f32[8, 8](S(1)S(0)))"));
        QVERIFY(!desk.find<QToolButton>("previousStep").isEnabled() &&
                !desk.find<QToolButton>("firstStep").isEnabled());
        desk.press("nextStep");
        const shard::Layout afterFirst = desk.after();
        QVERIFY(desk.find<QLabel>("stepNow").text().startsWith("step 1 of "));
        desk.press("nextStep");
        QCOMPARE(desk.before(), afterFirst);
        desk.press("previousStep");
        QCOMPARE(desk.after(), afterFirst);
        desk.press("lastStep");
        QCOMPARE(textOf(desk.after()), QString("Spec(f32[8, 8](S(1)S(0)))"));
        QVERIFY(!desk.find<QToolButton>("nextStep").isEnabled() && !desk.find<QToolButton>("lastStep").isEnabled());
        desk.press("firstStep");
        QCOMPARE(textOf(desk.before()), QString("Spec(f32[8, 8](S(0)S(1)))"));
    }

    void keysStepThroughTheWay()
    {
        PageDesk desk;
        desk.writeLongWay();
        ShardCanvas &canvas = desk.page.canvas();
        canvas.setFocus();
        const auto now = [&] { return desk.find<QLabel>("stepNow").text(); };
        QTest::keyClick(&canvas, Qt::Key_PageDown);
        QVERIFY2(now().startsWith("step 1 of "), qPrintable(now()));
        QTest::keyClick(&canvas, Qt::Key_End);
        const QString last = QStringLiteral("step %1 of %1").arg(desk.rows("shardSteps"));
        QVERIFY2(now().startsWith(last), qPrintable(now()));
        QTest::keyClick(&canvas, Qt::Key_PageUp);
        QVERIFY(!now().startsWith(last));
        QTest::keyClick(&canvas, Qt::Key_Home);
        QVERIFY2(!now().startsWith("step"), qPrintable(now()));
    }

    void aRowOfTheStepsGoesThere()
    {
        PageDesk desk;
        desk.writeLongWay();
        auto &table = desk.find<QTableView>("shardSteps");
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(table.model()->index(1, 0)).center());
        QVERIFY(desk.find<QLabel>("stepNow").text().startsWith("step 2 of "));
        QCOMPARE(QString::fromStdString(desk.before().text()), desk.cell("shardSteps", 1, StepTableModel::From));
        desk.press("nextStep");
        QCOMPARE(table.selectionModel()->selectedRows().isEmpty()
                     ? -1
                     : table.selectionModel()->selectedRows().first().row(),
                 std::min(2, desk.rows("shardSteps") - 1));
    }

    void thePlannerIsChosenAndTheOtherOneIsTold()
    {
        PageDesk desk;
        desk.write("shardPlacements", "P,P");
        desk.write("shardTarget", "R,R");
        const auto &told = desk.find<QLabel>("planDifference");
        QVERIFY2(told.isVisible() && told.text().startsWith("What PyTorch 2.15 would do: "), qPrintable(told.text()));
        const int cheapest = desk.rows("shardSteps");
        desk.choose("shardPlanner", 1);
        QVERIFY(desk.rows("shardSteps") != cheapest);
        QVERIFY2(told.text().startsWith("The cheapest way: "), qPrintable(told.text()));
        desk.write("shardPlacements", "S0,P");
        desk.write("shardTarget", "S0,S1");
        QVERIFY(!told.isVisible());
    }

    void theStepsAreATable()
    {
        const PageDesk desk;
        QCOMPARE(desk.rows("shardSteps"), 1);
        QCOMPARE(desk.cell("shardSteps", 0, StepTableModel::Collective), QString("reduce-scatter"));
        QCOMPARE(desk.cell("shardSteps", 0, StepTableModel::Over), QString("tp"));
        QCOMPARE(desk.cell("shardSteps", 0, StepTableModel::From), QString("S(0)P(sum)"));
        QCOMPARE(desk.cell("shardSteps", 0, StepTableModel::To), QString("S(0)S(1)"));
        QCOMPARE(desk.cell("shardSteps", 0, StepTableModel::Gives), QString("1.46 MiB"));
        QCOMPARE(desk.cell("shardSteps", 0, StepTableModel::Has), QString("375 KiB"));
        const QString csv = widgets::csvOf(*desk.find<QTableView>("shardSteps").model());
        QVERIFY2(csv.startsWith("step,collective,over,from,to,"), qPrintable(csv));
    }

    void whoHoldsWhatIsATable()
    {
        const PageDesk desk;
        using Model = HolderTableModel;
        QCOMPARE(desk.rows("shardHoldersBefore"), 8);
        QCOMPARE(desk.cell("shardHoldersBefore", 5, Model::Rank), QString("5"));
        QCOMPARE(desk.cell("shardHoldersBefore", 5, Model::Place), QString("dp 1, tp 1"));
        QCOMPARE(desk.cell("shardHoldersBefore", 5, Model::LocalShape), QString("[500, 768]"));
        QCOMPARE(desk.cell("shardHoldersBefore", 5, Model::Holds), QString("[500:1000, :]"));
        QCOMPARE(desk.cell("shardHoldersBefore", 5, Model::Offset), QString("[500, 0]"));
        QCOMPARE(desk.cell("shardHoldersBefore", 5, Model::Bytes), QString("1.46 MiB"));
        QCOMPARE(desk.cell("shardHoldersAfter", 5, Model::Holds), QString("[500:1000, 192:384]"));
    }

    void aRankIsSelectedInBothPicturesAndInTheTables()
    {
        PageDesk desk;
        ShardCanvas &before = desk.page.canvas();
        before.setFocus();
        QTest::keyClick(&before, Qt::Key_Right);
        QTest::keyClick(&before, Qt::Key_Right);
        QCOMPARE(*desk.page.picture().after().current(), RankId{1});
        auto &tabs = desk.find<QTabWidget>("shardTables");
        tabs.setCurrentIndex(1);
        auto &table = desk.find<QTableView>("shardHoldersBefore");
        QCOMPARE(table.selectionModel()->selectedRows().first().row(), 1);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(table.model()->index(2, 0)).center());
        QCOMPARE(*before.current(), RankId{2});
        QCOMPARE(*desk.page.picture().after().current(), RankId{2});
    }

    void bothPicturesAreSeenEquallyClosely()
    {
        PageDesk desk;
        desk.page.canvas().zoomBy(2);
        QCOMPARE(desk.page.picture().after().zoom(), desk.page.canvas().zoom());
    }

    void sidesAreChosenAndTheOtherDimensionsStepped()
    {
        PageDesk desk;
        desk.write("shardTarget", "");
        desk.write("shardMesh", "2");
        desk.write("shardPlacements", "S0");
        desk.write("shardShape", "4,6,5");
        const auto view = [&] { return desk.page.canvas().scene()->view(); };
        QCOMPARE(view(), (ShardView{1, 2, {0, 0, 0}}));
        desk.find<QSpinBox>("shardIndex").setValue(3);
        QCOMPARE(view().at[0], 3);
        desk.choose("shardRows", 0);
        QCOMPARE(view().rowDim, 0);
        QCOMPARE(view().columnDim, 2);
        desk.choose("shardColumns", 0); // they change places
        QCOMPARE(view().rowDim, 2);
        QCOMPARE(view().columnDim, 0);
        QCOMPARE(desk.find<QComboBox>("shardOther").currentText(), QString("dim 1 (6)"));
        QCOMPARE(desk.find<QSpinBox>("shardIndex").maximum(), 5);
        desk.write("shardShape", "7");
        QCOMPARE(view(), (ShardView{-1, 0, {0}}));
        QVERIFY(!desk.find<QComboBox>("shardRows").isVisible() && !desk.find<QSpinBox>("shardIndex").isVisible());
    }

    void aTensorOfTheModelIsShownUnderItsName()
    {
        PageDesk desk;
        desk.page.showTensor({"layers.0.weight", {64, 32}, "float16"});
        QCOMPARE(textOf(desk.before()), QString("Spec(f16[64, 32](S(0)P(sum)))"));
        QCOMPARE(desk.find<QLabel>("shardsOf").text(), QString("layers.0.weight"));
        desk.write("shardShape", "65,32");
        QCOMPARE(desk.find<QLabel>("shardsOf").text(), QString());
    }

    void placementsThatATensorDoesNotHaveGiveWay()
    {
        PageDesk desk;
        desk.write("shardPlacements", "S0,S1");
        desk.page.showTensor({"layers.0.bias", {64}, "float32"});
        QCOMPARE(textOf(desk.before()), QString("Spec(f32[64](RR))"));
        QVERIFY(!desk.page.picture().after().isVisible());
        desk.page.showTensor({"scale", {}, "float32"});
        QCOMPARE(textOf(desk.before()), QString("Spec(f32[](RR))"));
    }

    void aDtypeThatLayoutsDoNotKnowIsSaid()
    {
        PageDesk desk;
        desk.page.showTensor({"packed", {64, 2}, "quint8"});
        QVERIFY2(desk.problem("shardShape").contains("quint8"), qPrintable(desk.problem("shardShape")));
        QVERIFY(desk.page.canvas().scene() == nullptr);
    }

    void theLastWordsStandThereAgain()
    {
        PageDesk desk;
        desk.write("shardMesh", "5");
        desk.write("shardPlacements", "S1");
        desk.write("shardTarget", "R");
        desk.write("shardTarget", "nonsense,");
        ShardPage again(desk.settings, Theme::light());
        QVERIFY(again.canvas().scene() == nullptr); // nobody has looked yet
        again.show();
        QCOMPARE(textOf(again.canvas().scene()->layout()), QString("Spec(f32[1000, 768](S(1)))"));
        QCOMPARE(again.findChild<QLineEdit *>("shardMesh")->text(), QString("5"));
    }

    void thePictureOfBothIsExported()
    {
        PageDesk desk;
        const StepPicture &picture = desk.page.picture();
        tests::RecordingDevice device(picture.drawnSize().toSize());
        QPainter painter(&device);
        picture.draw(painter);
        painter.end();
        const QString written = device.painting.written();
        for (const char *words :
             {"Before: S(0) over dp, P(sum) over tp", "After: S(0) over dp, S(1) over tp", "reduce-scatter"})
            QVERIFY2(written.contains(words), qPrintable(written));
        desk.write("shardTarget", "");
        QVERIFY(desk.page.picture().drawnSize().width() < device.width());
    }

    void itsThemeIsThatOfAllItsParts()
    {
        PageDesk desk;
        desk.page.setTheme(Theme::light());
        const QImage image = desk.page.picture().grab().toImage();
        QCOMPARE(image.pixelColor(1, image.height() - 2), Theme::light().colour(style::Token::Canvas));
        QCOMPARE(image.pixelColor(image.width() - 2, image.height() - 2), Theme::light().colour(style::Token::Canvas));
    }
};

PIPESCOPE_WIDGET_TEST(TestShardPage)
#include "tst_shard_page.moc"
