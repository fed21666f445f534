#include "import/held_memory.h"

#include <ATen/core/Tensor.h>
#include <unordered_set>
#include <utility>

namespace pipescope::import {

namespace {

class MemorySearch
{
public:
    explicit MemorySearch(Modules modules)
        : m_modules(modules)
    {
    }

    std::vector<const void *> run(const c10::IValue &value)
    {
        // A work list instead of recursion: containers may be nested deeply or hold themselves.
        m_pending.push_back(value);
        while (!m_pending.empty()) {
            const c10::IValue next = std::move(m_pending.back());
            m_pending.pop_back();
            visit(next);
        }
        return std::move(m_found);
    }

private:
    void visit(const c10::IValue &value)
    {
        if (value.isTensor()) {
            addTensor(value.toTensor());
        } else if (value.isTuple()) {
            const auto &elements = value.toTupleRef().elements();
            m_pending.insert(m_pending.end(), elements.begin(), elements.end());
        } else if (value.isList()) {
            if (!add(value.internalToPointer()))
                return;
            const auto elements = value.toListRef();
            m_pending.insert(m_pending.end(), elements.begin(), elements.end());
        } else if (value.isGenericDict()) {
            if (!add(value.internalToPointer()))
                return;
            for (const auto &entry : value.toGenericDict()) { // a key may be a tensor
                m_pending.push_back(entry.key());
                m_pending.push_back(entry.value());
            }
        } else if (value.isObject() && (m_modules == Modules::Entered || !value.isModule())) {
            if (!add(value.internalToPointer()))
                return;
            const auto &slots = value.toObjectRef().slots();
            m_pending.insert(m_pending.end(), slots.begin(), slots.end());
        } else if (value.isCapsule()) {
            add(value.internalToPointer());
        }
    }

    // A sparse tensor has no storage of its own, but is made of tensors that others may be too.
    void addTensor(const at::Tensor &tensor)
    {
        if (!tensor.defined())
            return;
        switch (tensor.layout()) {
        case at::kSparse:
            addTensor(tensor._indices());
            return addTensor(tensor._values());
        case at::kSparseCsr:
        case at::kSparseBsr:
            addTensor(tensor.crow_indices());
            addTensor(tensor.col_indices());
            return addTensor(tensor.values());
        case at::kSparseCsc:
        case at::kSparseBsc:
            addTensor(tensor.ccol_indices());
            addTensor(tensor.row_indices());
            return addTensor(tensor.values());
        default:
            break;
        }
        if (tensor.has_storage())
            add(tensor.storage().unsafeGetStorageImpl());
        else
            add(tensor.unsafeGetTensorImpl());
    }

    bool add(const void *memory)
    {
        if (!m_seen.insert(memory).second)
            return false;
        m_found.push_back(memory);
        return true;
    }

    Modules m_modules;
    std::vector<c10::IValue> m_pending;
    std::unordered_set<const void *> m_seen;
    std::vector<const void *> m_found;
};

} // namespace

std::vector<const void *> heldMemory(const c10::IValue &value, Modules modules)
{
    return MemorySearch(modules).run(value);
}

} // namespace pipescope::import
