// Specialises a new plan for the values that its user gives, where that opens places to split. Once for a document:
// from then on that is the user's to switch.
#pragma once

#include "session/document.h"
#include "session/model_looks.h"

#include <QObject>
#include <vector>

namespace pipescope::session {

class Specialiser : public QObject
{
    Q_OBJECT

public:
    /// Both must outlive this.
    Specialiser(Document &document, ModelLooks &looks, QObject *parent = nullptr);

private:
    void begin();
    void consider();

    Document &m_document;
    ModelLooks &m_looks;
    bool m_mayDecide = false;
    std::vector<plan::InputSpec> m_asked; ///< the values that were asked about last
};

} // namespace pipescope::session
