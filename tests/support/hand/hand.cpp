// A hand at the window's program: a plugin that Qt loads into it where QT_QPA_GENERIC_PLUGINS says so. It changes the
// plan once a model is open, and then writes the file that PIPESCOPE_TEST_HAND names.
#include <QApplication>
#include <QFile>
#include <QGenericPlugin>
#include <QSpinBox>
#include <QTimer>
#include <unistd.h>

namespace {

class Hand : public QObject
{
    Q_OBJECT

public:
    Hand()
    {
        connect(&m_timer, &QTimer::timeout, this, &Hand::tryIt);
        m_timer.start(20);
    }

private:
    void tryIt()
    {
        for (QWidget *window : QApplication::topLevelWidgets()) {
            auto *box = window->findChild<QSpinBox *>("toolMicrobatches");
            if (box == nullptr || !window->windowTitle().startsWith("layers.pt"))
                continue;
            m_timer.stop();
            window->resize(1003, 702);
            box->setValue(5);
            QFile done(qEnvironmentVariable("PIPESCOPE_TEST_HAND"));
            static_cast<void>(done.open(QIODevice::WriteOnly));
            done.close();
            while (qEnvironmentVariableIsSet("PIPESCOPE_TEST_HAND_HOLDS")) // the event loop turns no more
                ::pause();
        }
    }

    QTimer m_timer;
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
