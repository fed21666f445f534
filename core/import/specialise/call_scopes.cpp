#include "import/specialise/call_scopes.h"

#include "import/provenance.h"

namespace pipescope::import {

using torch::jit::Node;

CallScopes::CallScopes(torch::jit::Graph &graph, const std::string &className)
    : m_graph(graph)
    , m_scope(makeScope({"", shortClassName(className), 0}))
{
}

CallScopes::Outer CallScopes::enter(const std::string &fqn, const std::string &className, const std::string &method,
                                    const Node &call)
{
    Outer outer{m_scope, m_fqn, m_aside == 0};
    const int number = outer.isMarked ? m_calls[fqn + '\n' + method]++ : 0;
    m_scope = makeScope({fqn, shortClassName(className), number});
    m_fqn = fqn;
    if (outer.isMarked)
        insertMark(callBeginsKind(), call);
    return outer;
}

void CallScopes::leave(const Outer &outer, const Node &call)
{
    if (outer.isMarked)
        insertMark(callEndsKind(), call);
    m_scope = outer.scope;
    m_fqn = outer.fqn;
}

void CallScopes::insertMark(c10::Symbol kind, const Node &at)
{
    Node *const mark = m_graph.create(kind, 0);
    mark->setScope(m_scope);
    mark->setSourceRange(at.sourceRange());
    m_graph.insertNode(mark);
}

} // namespace pipescope::import
