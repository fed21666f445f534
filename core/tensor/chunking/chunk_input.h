// Inputs with their chunk specs resolved: what each leaf is cut along. split_chunks.cpp does the cutting.
#pragma once

#include "tensor/chunks.h"
#include "tensor/ivalue_tree.h"

#include <set>

namespace pipescope::tensor {

/// One leaf of the inputs: cut along `dim`, or the same in every microbatch; or a list that is cut between its items,
/// with all that is in it.
struct ChunkLeaf
{
    c10::IValue value;
    std::string path; ///< "args[0]['ids']", "kwargs['mask']"
    std::optional<std::int64_t> dim = {};
    std::int64_t rows = 0; ///< size along `dim`, or of the list
    bool isList = false;

    bool isCut() const { return dim.has_value() || isList; }
};

/// One argument with its leaves in order.
struct ChunkInput
{
    c10::IValue value;
    std::vector<ChunkLeaf> leaves;
    std::set<Places> lists = {}; ///< where in the value the leaves are that are lists
};

/// Errors as splitArgsKwargsIntoChunks.
Result<std::vector<ChunkInput>> describeArgs(const std::vector<c10::IValue> &args,
                                             const std::optional<std::vector<microbatch::ChunkSpec>> &specs);
Result<std::vector<ChunkInput>> describeKwargs(const Kwargs &kwargs,
                                               const std::optional<microbatch::ChunkSpec::Entries> &specs);

} // namespace pipescope::tensor
