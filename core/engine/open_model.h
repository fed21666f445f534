// From a path to an imported method, with the checks around it. Private to engine/.
#pragma once

#include "base/result.h"
#include "engine/job_context.h"
#include "engine/warnings.h"
#include "import/imported_model.h"

#include <string>
#include <vector>

namespace pipescope::engine {

struct ModelSource
{
    std::string path;
    std::string method = "forward";
    std::vector<std::string> opLibraries;
};

struct OpenedModel
{
    import::ImportedModel imported;
    std::string sha256;
};

/// Loads and imports; what importing noticed becomes warnings. Loading cannot be interrupted: a stop is seen after it.
Result<OpenedModel> openModel(const ModelSource &source, const JobContext &context, Warnings &warnings);

/// Cancelled, if a stop was asked for.
Status checkStop(const JobContext &context);

/// Tells the context's progress, where it has one. A negative fraction is unknown.
void tell(const JobContext &context, std::string_view step, double fraction = -1);

} // namespace pipescope::engine
