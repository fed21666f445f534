// Which of the values that outlive a call share memory before it begins. Private to import/.
#pragma once

#include "import/imported_model.h"
#include "import/specialise.h"

#include <vector>

namespace pipescope::import {

/// What outlives the call may share memory although no node says so: two views of one storage, a buffer that is also in
/// a list, an attribute that begins as another one. Adds the pairs to the aliases of the first node of model.graph,
/// which must be described. An object that stands with itself shares the memory of an attribute of its own.
void shareStorages(ImportedModel &model, const std::vector<AssignedAttribute> &assigned);

} // namespace pipescope::import
