// Looking at a model file: what is in it, where it can be split, and with inputs what its parts cost.
#pragma once

#include "base/result.h"
#include "engine/job_context.h"
#include "report/inspection.h"

namespace pipescope::engine {

/// A model with operators this LibTorch does not know is read structure only, with a warning. Errors: as import/load.h
/// and import/import_method.h for the file and the method, tensor/make_input.h for inputs, exec/profile.h for the
/// sample run.
Result<report::Inspection> inspect(const report::InspectRequest &request, const JobContext &context);

} // namespace pipescope::engine
