#include "support/file_dialog.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/window_desk.h"

#include <QDialog>
#include <QDir>
#include <QTimer>

using namespace pipescope;
using tests::twoLayers;

namespace {

/// A folder of models beside one that nobody marked.
struct TrustedFolderDesk : tests::WindowDesk
{
    TrustedFolderDesk()
    {
        for (const char *name : {"mine", "others"})
            if (!QDir(folder.path()).mkdir(QString::fromLatin1(name)))
                qFatal("no folder");
    }
    /// As the user does: in the settings, by "Add...".
    void mark(const char *name)
    {
        QTimer::singleShot(0, &window, [this, name] {
            auto *dialog = qobject_cast<QDialog *>(QApplication::activeModalWidget());
            QVERIFY(dialog != nullptr);
            tests::chooseFile(folder.filePath(QString::fromLatin1(name)));
            QTest::mouseClick(dialog->findChild<QPushButton *>("addFolder"), Qt::LeftButton);
            dialog->reject();
        });
        trigger("settings");
    }
    /// Opens a file that was never seen; it has been read then.
    void read(const char *name)
    {
        begin(file(name));
        report::Inspection model = twoLayers(true);
        model.path = window.document().plan().model;
        answer(model);
    }
    [[nodiscard]] bool isBeingLoaded() const
    {
        const auto &last = engine.requests.back();
        return last.method == protocol::LoadCall::method &&
               !protocol::fromBody<report::InspectRequest>(last.body)->structureOnly;
    }
    [[nodiscard]] bool isAsked() const
    {
        return find<QWidget>("trustBar")->isVisible() && find<QWidget>("trust")->isEnabled();
    }
};

} // namespace

class TestTrustedFolder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aFileInAMarkedFolderIsLoadedWithoutAQuestion()
    {
        TrustedFolderDesk desk;
        desk.mark("mine");
        desk.read("mine/model.pt");
        QVERIFY(desk.isBeingLoaded());
        QVERIFY(!desk.isAsked());
        desk.answer(twoLayers(false));
        QVERIFY(!desk.find<QWidget>("trustBar")->isVisible());
        QVERIFY(desk.action("run").isEnabled());
    }

    void aFileBesideItIsAskedAbout()
    {
        TrustedFolderDesk desk;
        desk.mark("mine");
        desk.read("others/model.pt");
        QVERIFY(!desk.isBeingLoaded());
        QVERIFY(desk.isAsked());
    }

    void aFolderOfThatNameOnTheEnginesMachineIsAnother()
    {
        TrustedFolderDesk desk;
        desk.mark("mine");
        desk.engine.elsewhere = "ssh host pipescope-cli serve";
        desk.read("mine/model.pt");
        QVERIFY(!desk.isBeingLoaded());
        QVERIFY(desk.isAsked());
    }
};

PIPESCOPE_WIDGET_TEST(TestTrustedFolder)
#include "tst_trusted_folder.moc"
