// Stages written as TorchScript files that Python and LibTorch load.
#pragma once

#include "import/imported_model.h"
#include "partition/partition.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace pipescope::exec {

struct SavedStage
{
    std::string file;                ///< name inside the folder, "stage0.pt"
    std::vector<std::string> inputs; ///< argument names, or "<node name>:<output>" of the value an earlier stage gives
    std::vector<std::string> outputs;
    std::vector<std::string> parameters; ///< FQNs, buffers included
    std::string sha256;                  ///< of the bytes that were written, in lower-case hexadecimal
};

/// Writes one archive per stage into `folder` (made if absent) and stages.json, which says what feeds what, which
/// arguments have a default, as TorchScript prints it, the hash of each file, the splits as report::splitWords has
/// them, the model's names that are in no stage, what the graph is specialised for (as plans write it), and the method
/// and the model's `modelSha256` where that is given. A stage's module has the original FQNs, kinds (parameter or
/// buffer) and requires_grad; its forward takes the inputs in the order listed and returns a tuple of the outputs.
/// Running the chain gives the model's outputs. What the method returns without computing it (a parameter, a constant)
/// is given by the last stage. Files appear under their names only when all are written. Errors: WriteFailed;
/// Unsupported naming a held value that cannot be saved; Cancelled, with nothing left behind, where `stop` is requested
/// before that.
Result<std::vector<SavedStage>> saveStages(const import::ImportedModel &model, const partition::Partition &partition,
                                           const std::filesystem::path &folder, const std::stop_token &stop = {},
                                           const std::string &modelSha256 = {});

} // namespace pipescope::exec
