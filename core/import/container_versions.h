// Lists and dicts that are changed in place, told apart before and after each change.
#pragma once

#include "import/specialise.h"

namespace pipescope::import {

/// After each node of the top level that changes a list or dict in place, whatever uses that one later takes it from a
/// new value, a prim::unchecked_cast that gives its operand back. So the order of changes shows as data that flows, and
/// the list or dict can go from stage to stage (partition/call_containers.h). Only of arguments and of what the method
/// makes: what modules hold is state. A tuple with a list or dict in it that is only made to be taken apart goes first.
void nameVersions(Specialised &specialised);

} // namespace pipescope::import
