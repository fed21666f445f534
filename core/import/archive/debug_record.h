// The records that say which source lines an archive's code came from (".debug_pkl"). LibTorch looks texts up in their
// table without checking the indices, and reads entries of tuples that may be too short.
#pragma once

#include "archive/pickle_tree.h"

#include <string>

namespace pipescope::import {

/// What is wrong with a record for LibTorch's reader, as a sentence's beginning: "it refers to text 99, of 6"; "" where
/// nothing is.
[[nodiscard]] std::string faultOfDebugRecord(const archive::PickleTree &tree);

} // namespace pipescope::import
