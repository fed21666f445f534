#include "engine/kept_model.h"

#include "report/run_needs.h"

#include <utility>

namespace pipescope::engine {

std::shared_ptr<const OpenedModel> KeptModel::find(const ModelSource &source) const
{
    return m_model && m_source == source && m_model->isCurrent() ? m_model : nullptr;
}

void KeptModel::keep(const ModelSource &source, std::shared_ptr<const OpenedModel> model)
{
    m_source = source;
    m_model = std::move(model);
}

std::int64_t KeptModel::bytes() const
{
    return m_model ? report::weightsOf(m_model->imported.graph) : 0;
}

Result<std::shared_ptr<const OpenedModel>> openToLook(const ModelSource &source, const JobContext &context,
                                                      Warnings &warnings)
{
    if (context.kept != nullptr) {
        if (std::shared_ptr<const OpenedModel> kept = context.kept->find(source)) {
            for (const std::string &note : kept->imported.notes)
                warnings.add(note);
            return kept;
        }
    }
    Result<OpenedModel> opened = openModel(source, context, warnings);
    if (!opened)
        return opened.error();
    auto model = std::make_shared<const OpenedModel>(*std::move(opened));
    if (context.kept != nullptr)
        context.kept->keep(source, model);
    return model;
}

} // namespace pipescope::engine
