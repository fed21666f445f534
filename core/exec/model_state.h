// Putting a model back as it was: attributes it assigned and whatever it wrote in place during a run; and keeping what
// it returned from being changed by that.
#pragma once

#include "exec/snapshot.h"
#include "import/imported_model.h"

#include <vector>

namespace pipescope::exec {

/// Copies of everything the imported method writes. Restoring gives assigned attributes their old values and copies old
/// contents into the tensors, lists and dicts written in place (so that every alias of them sees it). May be restored
/// as often as wanted. Autograd does not record either.
class ModelState
{
public:
    /// Throws LibTorch's out-of-memory exception where the copies do not fit.
    static ModelState capture(const import::ImportedModel &model);
    void restore() const;
    [[nodiscard]] bool empty() const { return m_attributes.empty() && m_contents.empty(); }

private:
    void addModule(const c10::IValue &module);

    struct Attribute
    {
        import::StateSlot slot;
        c10::IValue value;
    };
    std::vector<Attribute> m_attributes;
    Snapshot m_contents;
};

/// Puts a model back on the way out, whatever the way. What cannot be put back then is given up in silence: who must
/// know calls restore() before.
class StateGuard
{
public:
    /// Throws as ModelState::capture.
    explicit StateGuard(const import::ImportedModel &model);
    ~StateGuard();
    StateGuard(const StateGuard &) = delete;
    StateGuard &operator=(const StateGuard &) = delete;

    /// May throw what LibTorch throws.
    void restore() const { m_state.restore(); }

private:
    ModelState m_state;
};

/// Whether a run may leave something changed: attributes the method assigns, or memory it writes in place and keeps.
[[nodiscard]] bool keepsState(const import::ImportedModel &model);

/// The value with a copy of every tensor in it, which autograd records; class objects are opened for it
/// (tensor/opened_value.h). A model that keeps state may return its own
/// tensors, and the next run, or restoring, would change them in the caller's hands.
[[nodiscard]] c10::IValue keptOutput(const c10::IValue &output);

} // namespace pipescope::exec
