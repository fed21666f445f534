// Putting a model back as it was: attributes it assigned and whatever it wrote in place during a run.
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
    struct Attribute
    {
        import::StateSlot slot;
        c10::IValue value;
    };
    std::vector<Attribute> m_attributes;
    Snapshot m_contents;
};

} // namespace pipescope::exec
