#include "import/code_constants.h"

#include "import/fold.h"
#include "import/memory_facts.h"

#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/constants.h>
#include <unordered_set>
#include <utility>

namespace pipescope::import {

namespace {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Node;

// A work list instead of recursion: objects and calls may be nested deeply, and in each other.
class ConstantSearch
{
public:
    std::vector<c10::IValue> run(const c10::IValue &object)
    {
        m_objects.push_back(object);
        while (!m_objects.empty()) {
            const c10::IValue next = std::move(m_objects.back());
            m_objects.pop_back();
            visit(next);
        }
        while (!m_blocks.empty()) {
            const Block *const block = m_blocks.back();
            m_blocks.pop_back();
            for (Node *node : const_cast<Block *>(block)->nodes())
                visit(*node);
        }
        return std::move(m_found);
    }

private:
    void visit(const c10::IValue &value)
    {
        if (value.isTuple()) {
            const auto &elements = value.toTupleRef().elements();
            m_objects.insert(m_objects.end(), elements.begin(), elements.end());
        } else if (value.isList() && m_seen.insert(value.internalToPointer()).second) {
            const auto elements = value.toListRef();
            m_objects.insert(m_objects.end(), elements.begin(), elements.end());
        } else if (value.isGenericDict() && m_seen.insert(value.internalToPointer()).second) {
            for (const auto &entry : value.toGenericDict())
                m_objects.push_back(entry.value());
        } else if (value.isObject() && m_seen.insert(value.internalToPointer()).second) {
            const auto &object = value.toObjectRef();
            m_objects.insert(m_objects.end(), object.slots().begin(), object.slots().end());
            for (torch::jit::Function *method : object.type()->methods())
                if (const auto known = torch::jit::tryToGraphFunction(*method))
                    add(known->graph().get());
        }
    }

    void visit(Node &node)
    {
        if (node.kind() == c10::prim::Constant) {
            if (auto value = torch::jit::toIValue(node.output()); value && !isPlainConstant(*value))
                m_found.push_back(std::move(*value));
        } else if (const Graph *const code = calledBy(node)) {
            add(code);
        }
        m_blocks.insert(m_blocks.end(), node.blocks().begin(), node.blocks().end());
    }

    void add(const Graph *code)
    {
        if (m_seen.insert(code).second)
            m_blocks.push_back(const_cast<Graph *>(code)->block());
    }

    std::vector<c10::IValue> m_objects;
    std::vector<const Block *> m_blocks;
    std::unordered_set<const void *> m_seen;
    std::vector<c10::IValue> m_found;
};

} // namespace

std::vector<c10::IValue> constantsOfCode(const c10::IValue &object)
{
    return ConstantSearch().run(object);
}

} // namespace pipescope::import
