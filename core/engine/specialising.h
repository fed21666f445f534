// What a request wants a graph to be specialised for, and whether it can be. Private to engine/.
#pragma once

#include "base/result.h"
#include "engine/job_context.h"
#include "import/imported_model.h"
#include "plan/input_spec.h"
#include "report/inspection.h"

#include <optional>
#include <vector>

namespace pipescope::engine {

/// `ofInputs`: for what is given; else for what the plan has.
struct Specialising
{
    const std::vector<plan::InputSpec> &given;
    const std::vector<plan::InputSpec> &planned;
    bool ofInputs = false;

    /// For openModel.
    [[nodiscard]] const std::vector<plan::InputSpec> &inputs() const { return ofInputs ? given : planned; }
};

/// An error that names one of the values a plan is specialised for, as plan::validatePlan would say it:
/// "specialised[0]: ...", which is also in `where`.
[[nodiscard]] Error ofPlannedValue(Error error, const std::vector<plan::InputSpec> &planned);

/// Whether the model is specialised as was wanted. Errors: InvalidArgument where nothing is given that it could be
/// specialised for, and where the plan has a value that cannot be part of a graph.
Status checkSpecialising(const Specialising &wanted, const import::ImportedModel &model);

/// What specialising for the inputs would bring to a model that is not specialised: nullopt where it opens no place to
/// split at.
std::optional<report::Specialisable> specialisable(const import::ImportedModel &model,
                                                   const std::vector<plan::InputSpec> &inputs,
                                                   const JobContext &context);

} // namespace pipescope::engine
