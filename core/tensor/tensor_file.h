// Files of tensors: what torch.save writes, read without Python; and written so that torch.load reads them.
#pragma once

#include "base/result.h"

#include <ATen/core/ivalue.h>
#include <filesystem>

namespace pipescope::tensor {

/// A tensor, or lists, tuples and dicts of tensors, numbers, strings and None, from a zip file torch.save wrote (1.6
/// and later). Tensors come to the CPU. Nothing in the file is run: classes other than plain containers are refused by
/// name. Errors: NotFound, InvalidFile (what it is instead, when recognised: a legacy torch.save file, a TorchScript
/// model, text).
Result<c10::IValue> loadTensors(const std::filesystem::path &path);

/// Writes beside and renames. Readable by torch.load(weights_only=True). Views are written as what they show, not with
/// their whole storage; requires_grad is not written. Errors: WriteFailed; Unsupported for sparse and quantized tensors
/// and for what is no plain value, naming its place.
Status saveTensors(const c10::IValue &value, const std::filesystem::path &path);

} // namespace pipescope::tensor
