// The contents of everything that can be changed behind an IValue: tensors, lists, dicts and plain objects.
#pragma once

#include "import/held_memory.h"

#include <ATen/core/ivalue.h>
#include <unordered_set>
#include <utility>
#include <vector>

namespace pipescope::exec {

/// Restoring writes contents back into the very same tensors and containers, so that every alias sees it. Custom
/// objects and tensors whose elements share memory (which cannot be written in place) are left alone. Both calls may
/// throw what LibTorch throws.
class Snapshot
{
public:
    /// Adds all that can be reached from a value, through modules only where they are entered; nothing twice.
    void add(const c10::IValue &value, import::Modules modules = import::Modules::Left);
    void restore() const;
    [[nodiscard]] bool empty() const;

private:
    void addTensor(const at::Tensor &tensor);
    void addObject(const c10::intrusive_ptr<c10::ivalue::Object> &object);

    struct Dict
    {
        c10::Dict<c10::IValue, c10::IValue> target;
        std::vector<std::pair<c10::IValue, c10::IValue>> entries;
    };
    std::vector<std::pair<at::Tensor, at::Tensor>> m_tensors; // target, contents
    std::vector<std::pair<c10::List<c10::IValue>, std::vector<c10::IValue>>> m_lists;
    std::vector<Dict> m_dicts;
    std::vector<std::pair<c10::intrusive_ptr<c10::ivalue::Object>, std::vector<c10::IValue>>> m_objects;
    std::unordered_set<const void *> m_seen;
    std::vector<c10::IValue> m_pending;
};

} // namespace pipescope::exec
