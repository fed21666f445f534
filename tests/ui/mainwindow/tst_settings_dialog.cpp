#include "mainwindow/settings_dialog.h"

#include "support/file_dialog.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "ui/session/fake_link.h"

#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

using namespace pipescope;
using namespace pipescope::session;
using mainwindow::SettingsDialog;

namespace {

struct SettingsDialogDesk
{
    QTemporaryDir folder;
    QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
    FakeEngine engine;
    QStringList command;
    std::unique_ptr<SettingsDialog> dialog;

    void show()
    {
        dialog = std::make_unique<SettingsDialog>(settings, [this](const QStringList &asked) {
            command = asked;
            return std::make_unique<FakeLink>(engine);
        });
        dialog->show();
    }
    template <class Widget>
    [[nodiscard]] Widget &find(const char *name) const
    {
        return *dialog->findChild<Widget *>(name);
    }
};

} // namespace

class TestSettingsDialog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aTestOfTheEngineShowsWhoAnswers()
    {
        SettingsDialogDesk desk;
        desk.show();
        QTest::keyClicks(&desk.find<QLineEdit>("engineCommand"), "ssh host pipescope-cli serve");
        QTest::mouseClick(&desk.find<QPushButton>("testEngine"), Qt::LeftButton);
        QCOMPARE(desk.command, QStringList({"ssh", "host", "pipescope-cli", "serve"}));
        protocol::Welcome welcome;
        welcome.engine = "pipescope-cli 1";
        welcome.host = "gpu-server";
        desk.engine.answer(desk.engine.requests.at(0).id, welcome);
        QVERIFY(desk.find<QLabel>("engineAnswer").text().contains("gpu-server"));
    }

    void anEngineThatCannotBeStartedSaysWhy()
    {
        SettingsDialogDesk desk;
        desk.show();
        QTest::mouseClick(&desk.find<QPushButton>("testEngine"), Qt::LeftButton);
        Q_EMIT desk.engine.link->ended("there is no program 'pipescope-cli'");
        QVERIFY(desk.find<QLabel>("engineAnswer").text().contains("there is no program"));
    }

    void whatIsSetAppliesAtOnceAndIsThereTheNextTime()
    {
        SettingsDialogDesk desk;
        desk.show();
        const QSignalSpy theme(desk.dialog.get(), &SettingsDialog::themeChanged);
        const QSignalSpy autosave(desk.dialog.get(), &SettingsDialog::autosaveChanged);
        desk.find<QComboBox>("theme").setFocus();
        QTest::keyClick(&desk.find<QComboBox>("theme"), Qt::Key_Down);
        desk.find<QSpinBox>("autosave").setValue(30);
        QVERIFY(QTest::qWaitForWindowActive(desk.dialog.get()));
        desk.find<QLineEdit>("engineCommand").setFocus();
        QTest::keyClicks(&desk.find<QLineEdit>("engineCommand"), "mine");
        QTest::keyClick(&desk.find<QLineEdit>("engineCommand"), Qt::Key_Tab);
        QCOMPARE(theme.size(), 1);
        QCOMPARE(autosave.size(), 1);
        QCOMPARE(desk.settings.value("window/theme").toString(), QString("dark"));
        QCOMPARE(desk.settings.value("engine/command").toString(), QString("mine"));
        desk.show();
        QCOMPARE(desk.find<QComboBox>("theme").currentText(), QString("Dark"));
        QCOMPARE(desk.find<QSpinBox>("autosave").value(), 30);
        QCOMPARE(desk.find<QLineEdit>("engineCommand").text(), QString("mine"));
    }

    void aCommandThatIsTypedIsKeptAsTheDialogCloses()
    {
        SettingsDialogDesk desk;
        desk.show();
        QSignalSpy changed(desk.dialog.get(), &SettingsDialog::engineCommandChanged);
        QVERIFY(QTest::qWaitForWindowActive(desk.dialog.get()));
        auto &command = desk.find<QLineEdit>("engineCommand");
        command.setFocus();
        QTest::keyClicks(&command, "mine");
        QTest::keyClick(&command, Qt::Key_Escape);
        QVERIFY(!desk.dialog->isVisible());
        QCOMPARE(desk.settings.value("engine/command").toString(), QString("mine"));
        QCOMPARE(changed.size(), 1);
        command.setText("a later one"); // of a dialog that is done nothing is heard as it goes
        desk.dialog.reset();
        QCOMPARE(desk.settings.value("engine/command").toString(), QString("mine"));
    }

    void aFolderThatIsAddedIsTrustedFromThenOn()
    {
        SettingsDialogDesk desk;
        desk.show();
        QVERIFY(QDir(desk.folder.path()).mkdir("models"));
        const QString folder = QDir(desk.folder.filePath("models")).canonicalPath();
        tests::chooseFile(folder);
        QTest::mouseClick(&desk.find<QPushButton>("addFolder"), Qt::LeftButton);
        const auto &folders = desk.find<QListWidget>("folders");
        QCOMPARE(folders.count(), 1);
        QCOMPARE(folders.item(0)->text(), folder);
        QCOMPARE(Trust(desk.settings).folders(), QStringList(folder));
    }

    void aTrustedFolderCanBeTakenBack()
    {
        SettingsDialogDesk desk;
        Trust(desk.settings).trustFolder(desk.folder.path());
        desk.show();
        auto &folders = desk.find<QListWidget>("folders");
        QCOMPARE(folders.count(), 1);
        folders.setCurrentRow(0);
        QTest::mouseClick(&desk.find<QPushButton>("removeFolder"), Qt::LeftButton);
        QCOMPARE(folders.count(), 0);
        QVERIFY(Trust(desk.settings).folders().isEmpty());
    }
};

PIPESCOPE_WIDGET_TEST(TestSettingsDialog)
#include "tst_settings_dialog.moc"
