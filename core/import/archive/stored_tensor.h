// Tensors as an archive's pickle describes them: a call of torch's rebuild functions with a storage record's key, read
// without making a tensor.
#pragma once

#include "archive/pickle_tree.h"
#include "graph/model_graph.h"

#include <cstdint>
#include <optional>
#include <string>

namespace pipescope::import {

struct StoredTensor
{
    graph::TensorMeta meta;
    std::int64_t elements = 0;      ///< it shows; sticks at the largest number
    std::string storage;            ///< key of its record, below "data/" or "constants/"
    std::uint64_t storageBytes = 0; ///< what the record must have at least
    std::uint64_t storageElements = 0;
    std::string device;           ///< where it was when it was saved: "cuda:0"; "" for a name longer than any
    bool hasValues = true;        ///< false on the meta device: a shape without a record's bytes
    std::uint64_t endElement = 0; ///< one past the last element the tensor shows; more than storageElements is damage
};

/// nullopt when the node is no tensor, or one written in a way not known here (sparse ones).
[[nodiscard]] std::optional<StoredTensor> storedTensor(const archive::PickleTree &tree,
                                                       const archive::PickleNode &node);

} // namespace pipescope::import
