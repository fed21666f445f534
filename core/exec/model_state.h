// Putting a model back as it was: attributes it assigned and tensors it wrote in place during a run.
#pragma once

#include "import/imported_model.h"

#include <vector>

namespace pipescope::exec {

/// Copies of everything the imported method writes. Restoring gives assigned attributes their old values and copies old
/// contents into tensors written in place (so that every alias of them sees it).
class ModelState
{
public:
    static ModelState capture(const import::ImportedModel &model);
    void restore() const;
    [[nodiscard]] bool empty() const { return m_attributes.empty() && m_tensors.empty(); }

private:
    struct Attribute {
        import::StateSlot slot;
        c10::IValue value;
    };
    struct Written {
        at::Tensor target;
        at::Tensor contents;
    };
    std::vector<Attribute> m_attributes;
    std::vector<Written> m_tensors;
};

} // namespace pipescope::exec
