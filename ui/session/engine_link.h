// The wire to an engine: bytes there and back. A process here or behind ssh (process_link.h), or a test's own.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QTimer>
#include <chrono>

namespace pipescope::session {

class EngineLink : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// What starts it, for people: "ssh host pipescope-cli serve"; "" where that is no command.
    [[nodiscard]] virtual QString command() const { return {}; }
    /// Of an engine whose files may be another machine's: how it is reached. "" for one of this machine, whose files
    /// are those that are seen from here. The same as long as the link lives.
    [[nodiscard]] virtual QString elsewhere() const = 0;
    /// What comes back is signalled, also that it could not be started.
    virtual void start() = 0;
    virtual void send(const QByteArray &bytes) = 0;
    /// Asks the engine to end by closing its input. The destructor ends it at once.
    virtual void close() = 0;
    /// Waits until an engine that was asked to end has, and turns no event loop meanwhile. Whether it has.
    virtual bool waitForEnd(std::chrono::milliseconds atMost) = 0;
    /// Deletes this after so long, and ends an engine that has not ended by then. A test's own may note it.
    virtual void goWithin(std::chrono::milliseconds atMost) { QTimer::singleShot(atMost, this, &QObject::deleteLater); }

Q_SIGNALS:
    void received(const QByteArray &bytes);
    /// What the engine, the model or a library printed.
    void printed(const QString &text);
    /// Once for each start. `how` is a clause: "it was killed (signal 9)", "it ended with exit code 3", "there is no
    /// program 'pipescope-cli'".
    void ended(const QString &how);
};

} // namespace pipescope::session
