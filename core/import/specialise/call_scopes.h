// Which module's code the walk is in: the scope that new nodes get, and the marks where a module's call begins and
// ends. Private to import/specialise.
#pragma once

#include <map>
#include <string>
#include <torch/csrc/jit/ir/ir.h>

namespace pipescope::import {

class CallScopes
{
public:
    /// In the code of the model itself, whose class it is.
    CallScopes(torch::jit::Graph &graph, const std::string &className);

    [[nodiscard]] const torch::jit::ScopePtr &scope() const { return m_scope; }
    [[nodiscard]] bool isIn(const std::string &fqn) const { return fqn == m_fqn; }

    /// What leave() puts back.
    struct Outer
    {
        torch::jit::ScopePtr scope;
        std::string fqn;
        bool isMarked = false;
    };
    /// A method of another module is called at the insert point.
    Outer enter(const std::string &fqn, const std::string &className, const std::string &method,
                const torch::jit::Node &call);
    void leave(const Outer &outer, const torch::jit::Node &call);

    /// Around code that runs aside (torch.jit.fork): a call in it is none that a place of the program order could be
    /// inside of.
    void beginAside() { ++m_aside; }
    void endAside() { --m_aside; }

private:
    void insertMark(c10::Symbol kind, const torch::jit::Node &at);

    torch::jit::Graph &m_graph;
    torch::jit::ScopePtr m_scope;
    std::string m_fqn;
    std::map<std::string, int> m_calls; // by module and method
    int m_aside = 0;                    // how much of the code around runs aside, each inside the next
};

} // namespace pipescope::import
