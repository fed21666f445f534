// From a path to an imported method, with the checks around it. Private to engine/.
#pragma once

#include "base/result.h"
#include "engine/job_context.h"
#include "engine/warnings.h"
#include "import/imported_model.h"
#include "import/load.h"
#include "plan/input_spec.h"

#include <functional>
#include <string>
#include <vector>

namespace pipescope::engine {

struct ModelSource
{
    std::string path;
    std::string method = "forward";
    std::vector<std::string> opLibraries;
    std::string expectedSha256; ///< "" for any
    /// The graph is made for those of them that are a number, a bool, a text or None (import/specialised_inputs.h).
    std::vector<plan::InputSpec> specialised = {};
    bool isPlanned = false; ///< `specialised` is what a plan has, and not what is given: errors say of which item

    friend bool operator==(const ModelSource &, const ModelSource &) = default;
};

struct OpenedModel
{
    import::ImportedModel imported;
    import::FileKind kind = import::FileKind::TorchScript;
    std::string sha256;
    std::function<bool()> isCurrent; ///< whether its file is still the same
};

/// Loads and imports, after forgetting what the context keeps: two models may not fit. A file of another hash than
/// expected is not loaded (InvalidFile). What importing noticed becomes warnings. Loading cannot be interrupted: a stop
/// is seen after it.
Result<OpenedModel> openModel(const ModelSource &source, const JobContext &context, Warnings &warnings);

/// Cancelled, if a stop was asked for.
Status checkStop(const JobContext &context);

/// Tells the context's progress, where it has one. A negative fraction is unknown.
void tell(const JobContext &context, std::string_view step, double fraction = -1);

} // namespace pipescope::engine
