#include "session/specialiser.h"

#include "graph/plain_arguments.h"
#include "session/specialising.h"

#include <utility>

namespace pipescope::session {

Specialiser::Specialiser(Document &document, ModelLooks &looks, QObject *parent)
    : QObject(parent)
    , m_document(document)
    , m_looks(looks)
{
    connect(&m_document, &Document::replaced, this, &Specialiser::begin);
    connect(&m_document, &Document::planChanged, this, &Specialiser::consider);
    connect(&m_looks, &ModelLooks::stateChanged, this, &Specialiser::consider);
    begin();
}

/// A plan that comes with values has it decided.
void Specialiser::begin()
{
    m_asked.clear();
    m_mayDecide = m_document.plan().specialised.empty() && plainInputs(m_document.plan(), {}).empty();
}

void Specialiser::consider()
{
    const auto model = m_document.model();
    m_mayDecide = m_mayDecide && m_document.plan().specialised.empty();
    if (!m_mayDecide)
        return;
    if (!model || model->structureOnly || model->graph.method != m_document.plan().method) {
        m_asked.clear(); // the graph that comes is another one
        return;
    }
    if (m_looks.isLooking() || !graph::hasBranches(model->graph))
        return;
    std::vector<plan::InputSpec> given = plainInputs(m_document.plan(), model->graph.arguments);
    if (isSame(given, m_asked))
        return;
    m_asked = std::move(given);
    if (m_asked.empty())
        return;
    m_looks.look(ModelLooks::Look::Loading, ModelLooks::GraphOf::InputsWhereItHelps);
}

} // namespace pipescope::session
