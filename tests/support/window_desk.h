// The window with an engine that the test plays, and a folder of its own for settings, files and what is recovered.
#pragma once

#include "ui/session/fake_link.h"

#include "mainwindow/main_window.h"
#include "support/layers_model.h"

#include <QAction>
#include <QFile>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

namespace pipescope::tests {

struct WindowDesk
{
    QTemporaryDir folder;
    QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
    session::FakeEngine engine;
    mainwindow::WindowPlaces places{folder.filePath("recovery"), {}};
    mainwindow::MainWindow window{[this] { return std::make_unique<session::FakeLink>(engine); }, settings,
                                  style::Theme::dark(), places};

    WindowDesk()
    {
        window.resize(1280, 800);
        window.show();
    }

    [[nodiscard]] QString file(const char *name, const QByteArray &content = {}) const
    {
        QFile made(folder.filePath(QString::fromLatin1(name)));
        if (!made.open(QIODevice::WriteOnly) || made.write(content) != content.size())
            qFatal("no file");
        return made.fileName();
    }
    /// Begins to open a model; the engine has greeted.
    void begin(const QString &path)
    {
        QVERIFY(window.open(path));
        greeted();
    }
    void greeted()
    {
        QTRY_VERIFY(engine.starts >= 1 && !engine.requests.empty());
        if (engine.requests.size() == 1)
            engine.greet();
    }
    /// Opens a model of two layers, trusted and loaded.
    void open(const char *name = "model.pt")
    {
        begin(file(name));
        answer(twoLayers(true));
        QTest::mouseClick(find<QWidget>("trust"), Qt::LeftButton);
        answer(twoLayers(false));
    }
    /// Between the two layers.
    void split()
    {
        window.document().edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.1"}; });
    }
    /// The engine is another from now on, perhaps on another machine, which has read and loaded what is open.
    void goElsewhere()
    {
        engine.elsewhere = QStringLiteral("ssh host pipescope-cli serve");
        window.engine().stop();
        window.engine().start();
        greeted();
        window.controller().look(session::RunController::Look::Reading);
        answer(twoLayers(true)); // which is trusted here already
        answer(twoLayers(false));
    }
    /// To the last request.
    template <class T>
    void answer(const T &value) const
    {
        engine.answer(engine.requests.back().id, value);
    }
    void refuse(const Error &error) const { engine.say(protocol::Response{engine.requests.back().id, error}); }
    template <class Object>
    [[nodiscard]] Object *find(const char *name) const
    {
        return window.findChild<Object *>(name);
    }
    void trigger(const char *action) const { window.actionTable().action(action).trigger(); }
    [[nodiscard]] QAction &action(const char *name) const { return window.actionTable().action(name); }
    /// The text of the notice about an error; "" where there is none.
    [[nodiscard]] QString notice(const char *id = "error") const
    {
        return find<mainwindow::NoticeArea>("notices")->text(id);
    }
    /// Presses a button of a notice.
    void follow(const QString &link) const
    {
        for (auto *button : window.findChildren<QPushButton *>("noticeLink"))
            if (button->text() == link && button->isVisible())
                return QTest::mouseClick(button, Qt::LeftButton);
        QFAIL(qPrintable("no link " + link));
    }
};

} // namespace pipescope::tests
