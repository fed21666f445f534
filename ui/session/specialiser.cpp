#include "session/specialiser.h"

#include "session/specialising.h"

#include <algorithm>
#include <utility>

namespace pipescope::session {

namespace {

/// Without any, no value decides anything.
bool hasBranches(const graph::ModelGraph &graph)
{
    return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                       [](const graph::Node &node) { return !node.children.empty(); });
}

} // namespace

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
    if (!m_mayDecide || !model || model->structureOnly || m_looks.isLooking() || !hasBranches(model->graph))
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
