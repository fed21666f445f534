// What one operator does to memory, from its schema and from what is known where that says too little. Private to
// import/.
#pragma once

#include "import/memory_facts.h"

namespace pipescope::import {

/// Facts of a node without blocks.
[[nodiscard]] MemoryFacts operatorFacts(torch::jit::Node &node);

} // namespace pipescope::import
