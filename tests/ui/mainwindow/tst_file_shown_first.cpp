// A large model's file: shown as soon as its structure is read, trusted once it is read to its end.
#include "plan/plan_file.h"
#include "session/trust.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/window_desk.h"

#include <QLabel>
#include <QProgressBar>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>

using namespace pipescope;
using mainwindow::MainWindow;
using tests::twoLayers;

namespace {

struct LargeFileDesk : tests::WindowDesk
{
    [[nodiscard]] report::InspectRequest asked() const
    {
        return *protocol::fromBody<report::InspectRequest>(engine.requests.back().body);
    }
    [[nodiscard]] bool isReadToItsEnd() const { return asked().structureOnly && !asked().hashLater; }
    [[nodiscard]] report::Inspection structure() const
    {
        report::Inspection read = twoLayers(true);
        read.path = asked().model;
        return read;
    }
    void answerWithoutHash() const
    {
        report::Inspection read = structure();
        read.sha256.clear();
        read.hashLeftOut = true;
        answer(read);
    }
    [[nodiscard]] QString barText() const { return find<QWidget>("trustBar")->findChild<QLabel *>()->text(); }
    [[nodiscard]] QPushButton &button() const { return *find<QPushButton>("trust"); }
};

} // namespace

class TestFileShownFirst : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void itIsShownBeforeItIsReadToItsEnd()
    {
        LargeFileDesk desk;
        const QSignalSpy opened(&desk.window, &MainWindow::opened);
        desk.begin(desk.file("model.pt"));
        QVERIFY(desk.asked().structureOnly && desk.asked().hashLater);
        desk.answerWithoutHash();
        QCOMPARE(opened.size(), 1);
        QCOMPARE(desk.window.document().model()->graph.modules.size(), std::size_t(4));
        QVERIFY(desk.isReadToItsEnd()); // which has been asked for, and not answered
        QVERIFY(desk.find<QWidget>("trustBar")->isVisible());
        QVERIFY(!desk.button().isEnabled());
        QVERIFY2(desk.barText().contains("once it is read to its end"), qPrintable(desk.barText()));
    }

    void howFarReadingIsStandsInTheStatusBar()
    {
        LargeFileDesk desk;
        desk.begin(desk.file("model.pt"));
        desk.answerWithoutHash();
        const auto bars = desk.window.findChildren<QProgressBar *>();
        const auto bar = std::find_if(bars.begin(), bars.end(),
                                      [](QProgressBar *each) { return each->accessibleName() == "Progress"; });
        QVERIFY(bar != bars.end());
        QTRY_VERIFY((*bar)->isVisible());
        desk.engine.say(protocol::Notification{desk.engine.requests.back().id, "progress",
                                               protocol::toBody(protocol::ProgressNote{"reading the file", 0.37})});
        QCOMPARE((*bar)->text(), QString("reading the file, 37 %"));
    }

    void itIsAskedAboutOnceItsHashIsKnown()
    {
        LargeFileDesk desk;
        desk.begin(desk.file("model.pt"));
        desk.answerWithoutHash();
        desk.window.selection().select(NodeId{1});
        desk.answer(desk.structure());
        QVERIFY(desk.button().isEnabled());
        QVERIFY2(desk.barText().contains("Nothing in this file has run"), qPrintable(desk.barText()));
        QVERIFY(desk.window.selection().current() == session::Selected(NodeId{1})); // it is the same picture
        QTest::mouseClick(&desk.button(), Qt::LeftButton);
        QVERIFY(!desk.asked().structureOnly);
        QVERIFY(session::Trust(desk.settings).isTrusted(QString(64, 'a'), {}));
    }

    void whatIsTrustedIsLoadedOnceItIsKnownToBeThat_data()
    {
        QTest::addColumn<bool>("isFolder");
        QTest::newRow("a file") << false;
        QTest::newRow("a folder") << true;
    }

    void whatIsTrustedIsLoadedOnceItIsKnownToBeThat()
    {
        QFETCH(bool, isFolder);
        LargeFileDesk desk;
        session::Trust trust(desk.settings);
        if (isFolder)
            trust.trustFolder(desk.folder.path());
        else
            trust.trust(QString(64, 'a'));
        desk.begin(desk.file("model.pt"));
        desk.answerWithoutHash();
        QVERIFY(desk.isReadToItsEnd());
        desk.answer(desk.structure());
        QVERIFY(!desk.asked().structureOnly);
    }

    void whoGivesUpReadingItCanHaveItReadLater()
    {
        LargeFileDesk desk;
        desk.begin(desk.file("model.pt"));
        desk.answerWithoutHash();
        const std::size_t before = desk.engine.requests.size();
        desk.refuse({ErrorCode::Cancelled, "stopped while reading the file", {}, {}});
        QCOMPARE(desk.engine.requests.size(), before);
        QVERIFY(desk.button().isEnabled());
        QCOMPARE(desk.button().text(), QString("&Read it"));
        QVERIFY2(desk.barText().contains("was not read to its end"), qPrintable(desk.barText()));
        QTest::mouseClick(&desk.button(), Qt::LeftButton);
        QVERIFY(desk.isReadToItsEnd());
        QVERIFY(!session::Trust(desk.settings).isTrusted({}, {}));
        desk.answer(desk.structure());
        QCOMPARE(desk.button().text(), QString("&Trust and load"));
    }

    void aPlanForAnotherFileIsTakenForItsOwnUntilTheHashIsKnown()
    {
        LargeFileDesk desk;
        plan::Plan plan;
        plan.model = desk.file("model.pt").toStdString();
        plan.modelSha256 = std::string(64, 'b');
        const QString path = desk.folder.filePath("plan.json");
        QVERIFY(plan::savePlan(plan, path.toStdString()));
        desk.begin(path);
        desk.answerWithoutHash();
        QCOMPARE(desk.notice("replacedModel"), QString());
        desk.answer(desk.structure());
        const QString said = desk.notice("replacedModel");
        QVERIFY2(said.contains("is not the file that the plan was made for"), qPrintable(said));
    }
};

PIPESCOPE_WIDGET_TEST(TestFileShownFirst)
#include "tst_file_shown_first.moc"
