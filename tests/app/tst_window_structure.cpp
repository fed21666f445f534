#include "app/real_engine.h"
#include "graphview/graph_canvas.h"
#include "graphview/split_gutter.h"
#include "mainwindow/main_window.h"
#include "make_examples/script_text.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/torch/archive_edit.h"
#include "support/torch/models.h"

#include <QAction>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QWidget>

using namespace pipescope;
using namespace pipescope::session;
using mainwindow::MainWindow;
using tests::Long;

namespace {

constexpr const char *Trap = R"script(
class Trap(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.Trap, x: Tensor) -> Tensor:
    return torch.relu(torch.sin(x))
  def __getstate__(self: __torch__.Trap) -> int:
    return 3
  def __setstate__(self: __torch__.Trap, state: int) -> NoneType:
    ops.prim.RaiseException("the code of the file was run")
    return None
)script";

/// The window on the real engine with a file that it has only read.
struct Structure
{
    QTemporaryDir folder;
    QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
    MainWindow window{tests::realEngine(), settings, style::Theme::light(), {}};

    void open(const QString &model)
    {
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QVERIFY(window.open(model));
        QTRY_VERIFY_WITH_TIMEOUT(window.document().model() != nullptr, Long);
        QTRY_VERIFY_WITH_TIMEOUT(picture() && picture()->graph.get() == &window.document().model()->graph, Long);
    }
    [[nodiscard]] QString file(const char *name) const { return folder.filePath(QString::fromLatin1(name)); }
    template <class Widget>
    [[nodiscard]] Widget *find(const char *name) const
    {
        return window.findChild<Widget *>(name);
    }
    [[nodiscard]] const graphview::Picture *picture() const
    {
        return find<graphview::GraphCanvas>("graphCanvas")->picture();
    }
    [[nodiscard]] int boxes() const
    {
        const auto &all = picture()->scene.tree.boxes;
        return static_cast<int>(std::count_if(
            all.begin(), all.end(), [](const graphview::Box &box) { return box.parent >= 0 && box.begin < box.end; }));
    }
    [[nodiscard]] bool hasBox(const std::string &title) const
    {
        const auto &all = picture()->scene.tree.boxes;
        return std::any_of(all.begin(), all.end(), [&](const graphview::Box &box) { return box.title == title; });
    }
    [[nodiscard]] QString notice(const char *id) const
    {
        return find<mainwindow::NoticeArea>("notices")->text(QString::fromLatin1(id));
    }
    void trust() const { QTest::mouseClick(find<QPushButton>("trust"), Qt::LeftButton); }
    [[nodiscard]] const report::Inspection &model() { return *window.document().model(); }
};

} // namespace

/// A file that is not trusted yet: what is seen of it before anything in it has run.
class TestWindowStructure : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aSmallFileIsSeenInTheOrderOfItsCalls()
    {
        Structure desk;
        testing::transformerLike().save(desk.file("layers.pt").toStdString());
        desk.open(desk.file("layers.pt"));
        QVERIFY(desk.model().structureOnly);
        QVERIFY(desk.boxes() >= 2);
        const graph::ModelGraph read = desk.model().graph;
        QVERIFY(read.calls.size() > 2);
        desk.find<QToolButton>("asTable")->click();
        QVERIFY(desk.find<QTableView>("nodes")->model()->rowCount() > 2);
        desk.trust();
        QTRY_VERIFY_WITH_TIMEOUT(!desk.model().structureOnly, Long);
        const graph::ModelGraph &loaded = desk.model().graph;
        QCOMPARE(read.calls.size(), loaded.calls.size());
        for (std::size_t i = 0; i < read.calls.size(); ++i)
            QCOMPARE(read.calls[i].fqn, loaded.calls[i].fqn);
    }

    void splitsCannotBePlacedAndEveryPlaceSaysWhy()
    {
        const QString why = "Not loaded: trust and load it to place splits.";
        Structure desk;
        testing::transformerLike().save(desk.file("layers.pt").toStdString());
        desk.open(desk.file("layers.pt"));
        auto *gutter = desk.find<graphview::SplitGutter>("gutter");
        QTRY_VERIFY(gutter->rows().size() > 1);
        QTest::mouseMove(gutter->viewport(), gutter->gapRect(1).center());
        QVERIFY2(gutter->accessibleDescription().contains(why), qPrintable(gutter->accessibleDescription()));
        QTest::mouseClick(gutter->viewport(), Qt::LeftButton, {}, gutter->gapRect(1).center());
        QVERIFY(desk.window.document().plan().splits.empty());
        QCOMPARE(desk.find<QTableView>("stages")->model()->rowCount(), 0);
        QCOMPARE(desk.find<QWidget>("stagesDock")->findChild<QLabel *>("problem")->text(), why);
        QCOMPARE(desk.find<QLabel>("whyNone")->text(), why);
        QVERIFY(!desk.find<QPushButton>("balance")->isEnabled());
    }

    void nothingOfTheFileIsRun()
    {
        Structure desk;
        examples::ScriptText(Trap).make("Trap").save(desk.file("trap.pt").toStdString());
        desk.open(desk.file("trap.pt"));
        QVERIFY(desk.model().structureOnly);
        QVERIFY(desk.hasBox("sin") && desk.hasBox("relu"));
        QCOMPARE(desk.notice("error"), QString());
        desk.trust(); // which does run it
        QTRY_VERIFY_WITH_TIMEOUT(!desk.notice("error").isEmpty(), Long);
    }

    void aModelWithAnOperatorNobodyKnowsSaysSo()
    {
        Structure desk;
        testing::exampleCode().save(desk.file("known.pt").toStdString());
        testing::rewriteArchive(desk.file("known.pt").toStdString(), desk.file("unknown.pt").toStdString(),
                                [](const std::string &name, const std::string &bytes) {
                                    return name == "code/__torch__.py"
                                               ? testing::replaced(bytes, "torch.mm(", "ops.nolib.mix(")
                                               : bytes;
                                });
        desk.open(desk.file("unknown.pt"));
        for (const bool isTrusted : {false, true}) {
            if (isTrusted) {
                desk.trust();
                QTRY_VERIFY_WITH_TIMEOUT(desk.model().loadRefused, Long);
            }
            QVERIFY2(desk.notice("refusal").contains("nolib::mix"), qPrintable(desk.notice("refusal")));
            QVERIFY(desk.notice("refusal").contains("load the library that registers it"));
            QTRY_VERIFY_WITH_TIMEOUT(desk.hasBox("nolib::mix"), Long);
            for (const char *action : {"run", "profile", "check"})
                QVERIFY(!desk.window.actionTable().action(action).isEnabled());
        }
        QVERIFY(desk.window.actionTable().action("run").toolTip().contains("nolib::mix"));
        QVERIFY(desk.find<QPushButton>("run")->toolTip().contains("nolib::mix"));
        QVERIFY(desk.find<QPlainTextEdit>("log")->toPlainText().contains("nolib::mix"));
        testing::exampleCode().save(desk.file("other.pt").toStdString());
        desk.open(desk.file("other.pt"));
        QTRY_COMPARE(desk.notice("refusal"), QString());
    }

    /// One linear layer under thousands of names, with signs in them that no text has.
    void thousandsOfModulesAreSeen()
    {
        std::string body;
        std::string members;
        for (int i = 0; i < 3000; ++i)
            members += "  m" + std::to_string(i) + " : __torch__.Leaf\n";
        for (int i = 0; i < 3000; ++i)
            body += "    x = (self.m" + std::to_string(i) + ").forward(x, )\n";
        Structure desk;
        testing::exampleCode().save(desk.file("one.pt").toStdString());
        testing::rewriteArchive(
            desk.file("one.pt").toStdString(), desk.file("many.pt").toStdString(),
            [&](const std::string &name, const std::string &bytes) {
                if (name == "code/__torch__.py")
                    return "class ExampleCode(Module):\n  __parameters__ = []\n" + members +
                           "  def forward(self: __torch__.ExampleCode, x: Tensor) -> Tensor:\n" + body +
                           "    return x\nclass Leaf(Module):\n  __parameters__ = []\n"
                           "  def forward(self: __torch__.Leaf, x: Tensor) -> Tensor:\n    return torch.relu(x)\n";
                if (name != "data.pkl")
                    return bytes;
                std::string pickle("\x80\x02", 2);
                const auto text = [](const std::string &word) {
                    return std::string("X") + static_cast<char>(word.size() & 0xFF) +
                           static_cast<char>(word.size() >> 8U) + std::string(2, '\0') + word;
                };
                pickle += "c__torch__\nExampleCode\n)\x81}(";
                for (int i = 0; i < 3000; ++i)
                    pickle +=
                        text("m" + std::to_string(i)) + "c__torch__\nLeaf\n)\x81}" + text("training") + "\x88s" + "b";
                for (int i = 0; i < 200; ++i)
                    pickle += text("\x01\n<b>\t" + std::to_string(i)) + "c__torch__\nLeaf\n)\x81}" + text("training") +
                              "\x88s" + "b";
                return pickle + "ub.";
            });
        desk.open(desk.file("many.pt"));
        desk.window.grab();
        QCOMPARE(desk.model().graph.calls.size(), std::size_t(3000));
        QVERIFY(desk.boxes() > 0);
    }
};

PIPESCOPE_WIDGET_TEST(TestWindowStructure)
#include "tst_window_structure.moc"
