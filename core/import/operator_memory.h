// What one operator does to memory, from its schema and from what is known where that says too little. Private to
// import/.
#pragma once

#include "import/memory_facts.h"

namespace pipescope::import {

/// Whether a value can be a list, dict or object, or hold one: something that has items besides their memory.
[[nodiscard]] bool mayBeContainer(const c10::TypePtr &type);

/// Facts of a node without blocks.
[[nodiscard]] MemoryFacts operatorFacts(torch::jit::Node &node);

} // namespace pipescope::import
