// The records that say which source lines an archive's code came from (".debug_pkl"). LibTorch looks texts up in their
// table without checking the indices, and reads entries of tuples that may be too short.
#pragma once

#include "archive/pickle_tree.h"

#include <cstddef>
#include <string>

namespace pipescope::import {

/// Lines of all sources of an archive together. LibTorch makes its own copy, about 36 bytes each, of every source's
/// list of lines, also where a small file lets many sources share one.
inline constexpr std::size_t MaxDebugLines = 16'000'000;

/// What is wrong with a record for LibTorch's reader, as a sentence's beginning: "it refers to text 99, of 6"; "" where
/// nothing is. `lines` is how many the archive's records listed so far; those of this one are added. Time linear in the
/// tree.
[[nodiscard]] std::string faultOfDebugRecord(const archive::PickleTree &tree, std::size_t &lines);

} // namespace pipescope::import
