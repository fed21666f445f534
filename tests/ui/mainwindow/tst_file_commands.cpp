#include "mainwindow/file_commands.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "ui/session/fake_link.h"

#include <QAbstractButton>
#include <QApplication>
#include <QFile>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QWidget>

using namespace pipescope;
using namespace pipescope::mainwindow;

namespace {

/// A program in place of make-examples.
QString maker(const QTemporaryDir &folder)
{
    QFile made(folder.filePath("make-examples"));
    const QByteArray script = "#!/bin/sh\nmkdir -p \"$1\" && echo model > \"$1/$3.pt\"\n";
    if (!made.open(QIODevice::WriteOnly) || made.write(script) != script.size())
        qFatal("no file");
    made.setPermissions(made.permissions() | QFileDevice::ExeOwner);
    return made.fileName();
}

/// A model is open, with a change that is not saved; its engine is played by the test.
struct FileCommandsDesk
{
    QTemporaryDir folder;
    QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
    session::FakeEngine engine;
    QWidget window;
    NoticeArea notices;
    QPlainTextEdit log;
    Workspace workspace{[this] { return std::make_unique<session::FakeLink>(engine); },
                        settings,
                        {{}, maker(folder), folder.filePath("cache")}};
    Reports reports{workspace, notices, log};
    FileCommands files{workspace, reports, {}, window};
    int questions = 0;

    FileCommandsDesk()
    {
        workspace.engine.start();
        engine.greet();
        workspace.document.newFor("/models/before.pt");
        split("a");
    }
    void split(const std::string &at)
    {
        workspace.document.edit("Split", [&at](plan::Plan &plan) { plan.splits = {at}; });
    }
    /// The next question, if there is any before control is back in the event loop.
    void answerWith(QMessageBox::StandardButton button)
    {
        QTimer::singleShot(0, &window, [this, button] {
            if (auto *question = qobject_cast<QMessageBox *>(QApplication::activeModalWidget())) {
                ++questions;
                question->button(button)->click();
            }
        });
    }
    [[nodiscard]] QString other() const
    {
        QFile made(folder.filePath("other.pt"));
        if (!made.open(QIODevice::WriteOnly))
            qFatal("no file");
        return made.fileName();
    }
    void read() const { engine.answer(engine.requests.back().id, report::Inspection()); }
    [[nodiscard]] std::string model() const { return workspace.document.plan().model; }
};

} // namespace

/// Whether what is open may go is asked about all that it would lose.
class TestFileCommands : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void whatIsEditedWhileTheExampleIsMadeIsAskedAboutOnceMore()
    {
        FileCommandsDesk desk;
        desk.answerWith(QMessageBox::Discard);
        desk.files.openExample();
        QCOMPARE(desk.questions, 1);
        QVERIFY(desk.workspace.example.isMaking());
        desk.split("b");
        QTRY_VERIFY(desk.workspace.opening.isActive());
        desk.answerWith(QMessageBox::Cancel);
        desk.read();
        QCOMPARE(desk.questions, 2);
        QCOMPARE(desk.model(), std::string("/models/before.pt"));
        QCOMPARE(desk.workspace.document.plan().splits, std::vector<std::string>{"b"});
    }

    void whatWasGivenUpForTheExampleIsNotAskedAboutAgain()
    {
        FileCommandsDesk desk;
        desk.answerWith(QMessageBox::Discard);
        desk.files.openExample();
        QTRY_VERIFY(desk.workspace.opening.isActive());
        desk.answerWith(QMessageBox::Cancel);
        desk.read();
        QCOMPARE(desk.questions, 1);
        QVERIFY(desk.files.isExample());
    }

    void anotherEditInPlaceOfTheOneThatWasGivenUpIsAskedAbout()
    {
        FileCommandsDesk desk;
        desk.answerWith(QMessageBox::Discard);
        desk.files.openAfterAsking(desk.other());
        QCOMPARE(desk.questions, 1);
        desk.workspace.document.undoStack().undo();
        desk.split("b"); // as many steps as before
        desk.answerWith(QMessageBox::Cancel);
        desk.read();
        QCOMPARE(desk.questions, 2);
        QCOMPARE(desk.workspace.document.plan().splits, std::vector<std::string>{"b"});
    }

    void theSamePlanOnceMoreIsNotAskedAboutAgain()
    {
        FileCommandsDesk desk;
        desk.answerWith(QMessageBox::Discard);
        desk.files.openAfterAsking(desk.other());
        desk.workspace.document.undoStack().undo();
        desk.workspace.document.undoStack().redo();
        desk.answerWith(QMessageBox::Cancel);
        desk.read();
        QCOMPARE(desk.questions, 1);
        QCOMPARE(desk.model(), desk.folder.filePath("other.pt").toStdString());
    }
};

PIPESCOPE_WIDGET_TEST(TestFileCommands)
#include "tst_file_commands.moc"
