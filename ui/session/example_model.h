// The model that is offered to who has none at hand: found where it was installed or made before, else made by the
// program make-examples as a child process. It is large, and so not part of a package.
#pragma once

#include "base/result.h"

#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>

namespace pipescope::session {

/// Where things may be; of this installation by default.
struct ExamplePlaces
{
    QStringList plans; ///< in the order they are looked for; each is usable where the model it names is there
    QString maker;     ///< the program make-examples
    QString madeIn;    ///< folder of the user's cache

    [[nodiscard]] static ExamplePlaces ofThisProgram();
};

class ExampleModel : public QObject
{
    Q_OBJECT

public:
    explicit ExampleModel(ExamplePlaces places = ExamplePlaces::ofThisProgram(), QObject *parent = nullptr);
    /// Ends a making that is under way; what it had written is no file yet.
    ~ExampleModel() override;

    /// Of a plan for it; "" where it has to be made.
    [[nodiscard]] QString find() const;
    /// Why it can neither be found nor made, as a sentence; "" where it can.
    [[nodiscard]] QString whyNot() const;
    /// found() follows, at once or when it is made, or failed().
    void get();
    void cancel();
    [[nodiscard]] bool isMaking() const { return m_process.state() != QProcess::NotRunning; }

Q_SIGNALS:
    void stateChanged();
    void found(const QString &plan);
    void failed(const pipescope::Error &error);

private:
    void made(int exitCode, QProcess::ExitStatus status);
    void fail(const QString &why);

    const ExamplePlaces m_places;
    QProcess m_process;
    bool m_cancelled = false;
};

} // namespace pipescope::session
