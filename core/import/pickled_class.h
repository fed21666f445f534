// Which class of Python's an object of torch.save's is of. Private to import/.
#pragma once

#include <filesystem>
#include <string>

namespace pipescope::import {

/// "models.resnet.ResNet" where torch.save pickled a whole module: alone, or as a value of a dict (a checkpoint's
/// "model"). "" where the file holds tensors and plain values only, and where it cannot be read.
[[nodiscard]] std::string pickledClass(const std::filesystem::path &path);

} // namespace pipescope::import
