#include "exec/snapshot.h"

#include <ATen/ATen.h>
#include <ATen/MemoryOverlap.h>
#include <cstring>

namespace pipescope::exec {

namespace {

// Where bytes cannot be told, tensors count as changed.
bool sameBits(const at::Tensor &a, const at::Tensor &b)
{
    if (a.sizes() != b.sizes() || a.scalar_type() != b.scalar_type())
        return false;
    if (a.layout() != at::kStrided || b.layout() != at::kStrided)
        return false;
    if (a.is_quantized())
        return a.equal(b); // scales too; its elements are integers
    if (!a.is_cpu())
        return false;
    const at::Tensor x = a.resolve_conj().resolve_neg().contiguous();
    const at::Tensor y = b.resolve_conj().resolve_neg().contiguous();
    return x.numel() == 0 || std::memcmp(x.const_data_ptr(), y.const_data_ptr(), x.nbytes()) == 0;
}

} // namespace

void Snapshot::add(const c10::IValue &value, import::Modules modules)
{
    // A work list instead of recursion: containers may be nested deeply or hold themselves.
    m_pending.push_back(value);
    while (!m_pending.empty()) {
        const c10::IValue next = std::move(m_pending.back());
        m_pending.pop_back();
        if (next.isTensor()) {
            addTensor(next.toTensor());
        } else if (next.isTuple()) {
            const auto &elements = next.toTupleRef().elements();
            m_pending.insert(m_pending.end(), elements.begin(), elements.end());
        } else if (next.isList()) {
            if (!m_seen.insert(next.internalToPointer()).second)
                continue;
            const std::vector<c10::IValue> elements = next.toListRef().vec();
            m_lists.emplace_back(next.toList(), elements);
            m_pending.insert(m_pending.end(), elements.begin(), elements.end());
        } else if (next.isGenericDict()) {
            if (!m_seen.insert(next.internalToPointer()).second)
                continue;
            Dict dict{next.toGenericDict(), {}};
            for (const auto &entry : dict.target) {
                dict.entries.emplace_back(entry.key(), entry.value());
                m_pending.push_back(entry.key());
                m_pending.push_back(entry.value());
            }
            m_dicts.push_back(std::move(dict));
        } else if (next.isObject() && (modules == import::Modules::Entered || !next.isModule())) {
            addObject(next.toObject());
        }
    }
}

void Snapshot::addTensor(const at::Tensor &tensor)
{
    if (!tensor.defined() || !m_seen.insert(tensor.unsafeGetTensorImpl()).second)
        return;
    if (tensor.layout() == at::kStrided && at::has_internal_overlap(tensor) == at::MemOverlap::Yes)
        return;
    const at::NoGradGuard plain;
    m_tensors.emplace_back(tensor, tensor.detach().clone());
}

void Snapshot::addObject(const c10::intrusive_ptr<c10::ivalue::Object> &object)
{
    if (!m_seen.insert(object.get()).second)
        return;
    m_objects.emplace_back(object, object->slots());
    m_pending.insert(m_pending.end(), object->slots().begin(), object->slots().end());
}

void Snapshot::restore() const
{
    const at::NoGradGuard plain;
    for (const auto &[object, slots] : m_objects)
        for (std::size_t i = 0; i < slots.size(); ++i)
            object->setSlot(i, slots[i]);
    for (const auto &[target, elements] : m_lists) {
        c10::List<c10::IValue> list = target;
        list.clear();
        for (const c10::IValue &element : elements)
            list.push_back(element);
    }
    for (const auto &[target, entries] : m_dicts) {
        c10::Dict<c10::IValue, c10::IValue> dict = target;
        dict.clear();
        for (const auto &[key, value] : entries)
            dict.insert(key, value);
    }
    for (const auto &[target, contents] : m_tensors) {
        // Writing bumps the version that autograd checks, so only what changed is written.
        if (sameBits(target, contents))
            continue;
        at::Tensor into = target;
        if (into.sizes() != contents.sizes())
            into.resize_(contents.sizes());
        into.copy_(contents);
    }
}

bool Snapshot::empty() const
{
    return m_tensors.empty() && m_lists.empty() && m_dicts.empty() && m_objects.empty();
}

} // namespace pipescope::exec
