// A hand at the window's program: a plugin that Qt loads into it where QT_QPA_GENERIC_PLUGINS says so. It changes the
// plan once a model is open, and then writes the file that PIPESCOPE_TEST_HAND names. Where PIPESCOPE_TEST_HAND_SAVES
// names a folder it saves the stages there instead, writes that file when the window is hidden, and closes the window
// once there is the file that PIPESCOPE_TEST_HAND_CLOSES_AT names. With PIPESCOPE_TEST_HAND_TILES it only gives the
// window a size, as a window manager may, whatever the window wants. With PIPESCOPE_TEST_HAND_TELLS it only writes into
// that file, again and again, what is seen: the ground's colour and each notice, a line each; and where that is "dark",
// after the desktop has turned dark.
#include <QAction>
#include <QApplication>
#include <QFile>
#include <QGenericPlugin>
#include <QLabel>
#include <QLineEdit>
#include <QProxyStyle>
#include <QSpinBox>
#include <QTimer>
#include <QWindow>
#include <unistd.h>

namespace {

void tellDone(const QStringList &lines = {})
{
    QFile done(qEnvironmentVariable("PIPESCOPE_TEST_HAND"));
    if (done.open(QIODevice::WriteOnly))
        done.write(lines.join('\n').toUtf8());
}

/// A desktop's palette is what a style makes of it before the program's own comes over it.
class DarkDesktop : public QProxyStyle
{
public:
    void polish(QPalette &palette) override { palette = QPalette(QColor(20, 20, 20)); }
    using QProxyStyle::polish;
};

class Hand : public QObject
{
    Q_OBJECT

public:
    Hand()
    {
        connect(&m_timer, &QTimer::timeout, this, &Hand::tryIt);
        m_timer.start(20);
    }

    bool eventFilter(QObject *window, QEvent *event) override
    {
        if (event->type() == QEvent::Hide)
            tellDone();
        return QObject::eventFilter(window, event);
    }

private:
    void tryIt()
    {
        for (QWidget *window : QApplication::topLevelWidgets()) {
            auto *box = window->findChild<QSpinBox *>("toolMicrobatches");
            if (box != nullptr && window->isVisible() && qEnvironmentVariableIsSet("PIPESCOPE_TEST_HAND_TELLS")) {
                tell(*window);
                continue;
            }
            if (box == nullptr || !window->windowTitle().startsWith("layers.pt"))
                continue;
            if (qEnvironmentVariableIsSet("PIPESCOPE_TEST_HAND_TILES"))
                window->resize(1003, 702);
            else if (qEnvironmentVariableIsSet("PIPESCOPE_TEST_HAND_SAVES"))
                save(*window);
            else
                edit(*window, *box);
        }
    }

    void edit(QWidget &window, QSpinBox &microbatches)
    {
        m_timer.stop();
        window.resize(1003, 702);
        microbatches.setValue(5);
        tellDone();
        while (qEnvironmentVariableIsSet("PIPESCOPE_TEST_HAND_HOLDS")) // the event loop turns no more
            ::pause();
    }

    void tell(QWidget &window)
    {
        if (!m_isDark && qEnvironmentVariable("PIPESCOPE_TEST_HAND_TELLS") == QLatin1String("dark")) {
            m_isDark = true;
            QApplication::setStyle(new DarkDesktop);
            QEvent changed(QEvent::ThemeChange);
            QApplication::sendEvent(window.windowHandle(), &changed);
            return; // the window is told late
        }
        QStringList lines{window.palette().color(QPalette::Window).name()};
        for (const QLabel *notice : window.findChildren<QLabel *>("noticeText"))
            if (notice->isVisible())
                lines << notice->text();
        tellDone(lines);
    }

    void save(QWidget &window)
    {
        auto *action = window.findChild<QAction *>("saveStages");
        if (!m_asks && action != nullptr && action->isEnabled()) {
            m_asks = true;
            window.installEventFilter(this);
            QTimer::singleShot(0, action, &QAction::trigger); // it waits for the dialog's end
        }
        auto *dialog = QApplication::activeModalWidget();
        if (auto *folder = dialog ? dialog->findChild<QLineEdit *>("stagesFolder") : nullptr) {
            folder->setText(qEnvironmentVariable("PIPESCOPE_TEST_HAND_SAVES"));
            QMetaObject::invokeMethod(dialog, "accept");
        }
        if (QFile::exists(qEnvironmentVariable("PIPESCOPE_TEST_HAND_CLOSES_AT"))) {
            m_timer.stop();
            window.close();
        }
    }

    QTimer m_timer;
    bool m_asks = false;
    bool m_isDark = false;
};

class HandPlugin : public QGenericPlugin
{
    Q_OBJECT
    Q_PLUGIN_METADATA(IID QGenericPluginFactoryInterface_iid FILE "hand.json")

public:
    QObject *create(const QString & /*name*/, const QString & /*specification*/) override { return new Hand; }
};

} // namespace

#include "hand.moc"
