// Keeps a copy of a plan that has changes which are not saved, beside the user's own file and never in it. One file for
// each window, gone as soon as the plan is saved or the window closes.
#pragma once

#include "session/document.h"

#include <QLockFile>
#include <QTimer>
#include <chrono>

namespace pipescope::session {

class Autosave : public QObject
{
    Q_OBJECT

public:
    /// The document must outlive this. The copy is written `delay` after an edit.
    Autosave(Document &document, QString folder, std::chrono::milliseconds delay, QObject *parent = nullptr);
    /// Deletes the copy, but after leave(): who closes a window has answered for its changes.
    ~Autosave() override;

    /// Of this window; it is there while there is something to recover.
    [[nodiscard]] QString file() const { return m_file; }
    void setDelay(std::chrono::milliseconds delay);
    /// What is due, at once.
    void flush();
    /// Changes are written, and the copy is left to be found: the window ends without anybody being asked.
    void leave();

Q_SIGNALS:
    /// It could not be written, as a sentence. Told once until it goes well again.
    void failed(const QString &why);

private:
    void changed();
    void write();
    void forget();

    Document &m_document;
    const QString m_file;
    QLockFile m_lock;
    QTimer m_timer;
    bool m_failed = false;
    bool m_isLeft = false;
};

} // namespace pipescope::session
