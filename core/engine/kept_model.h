// The model that was last looked at, kept loaded: one tensor after another of the same file is asked for.
#pragma once

#include "engine/job_context.h"
#include "engine/open_model.h"

#include <cstdint>
#include <memory>

namespace pipescope::engine {

/// For one job at a time.
class KeptModel
{
public:
    /// nullptr unless it is of this source and its file is still the same.
    [[nodiscard]] std::shared_ptr<const OpenedModel> find(const ModelSource &source) const;
    void keep(const ModelSource &source, std::shared_ptr<const OpenedModel> model);
    void forget() { m_model.reset(); }
    /// Of the parameters and buffers of what is kept.
    [[nodiscard]] std::int64_t bytes() const;

private:
    ModelSource m_source;
    std::shared_ptr<const OpenedModel> m_model;
};

/// As openModel, for who leaves the model as it is: it is the one that the context keeps, or is kept from then on.
Result<std::shared_ptr<const OpenedModel>> openToLook(const ModelSource &source, const JobContext &context,
                                                      Warnings &warnings);

} // namespace pipescope::engine
