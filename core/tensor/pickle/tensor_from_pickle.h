// Tensors as torch.save pickles them: calls of torch._utils' rebuild functions on storages kept in records of the file.
#pragma once

#include "archive/pickle_tree.h"
#include "base/result.h"

#include <ATen/core/TensorBody.h>
#include <c10/core/Storage.h>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace pipescope::tensor {

/// Gives the storage kept under a key, or InvalidFile when there is none.
using StorageReader = std::function<Result<c10::Storage>(const std::string &key)>;

class TensorRebuilder
{
public:
    /// Both must outlive this.
    TensorRebuilder(const archive::PickleTree &tree, const StorageReader &storages)
        : m_tree(tree)
        , m_storages(storages)
    {
    }

    /// Whether a function makes a tensor that this class can make.
    [[nodiscard]] static bool knows(std::string_view function);

    /// The tensor that `call`, a Call whose function is known, makes. Tensors of one storage share it. Sizes, strides
    /// and offsets are checked against what the file really holds. Error: InvalidFile or Unsupported.
    Result<at::Tensor> rebuild(const archive::PickleNode &call);

private:
    class Arguments;
    at::Tensor rebuilt(std::string_view function, const archive::PickleNode &tuple, int depth);
    at::Tensor rebuiltCall(const archive::PickleNode &call, int depth);
    at::Tensor plain(const Arguments &arguments, int version);
    at::Tensor parameter(const Arguments &arguments, int depth);
    at::Tensor quantized(const Arguments &arguments);
    at::Tensor ofType(const Arguments &arguments, int depth);
    std::pair<c10::Storage, at::ScalarType> storage(const archive::PickleNode &node);

    const archive::PickleTree &m_tree;
    const StorageReader &m_storages;
    std::map<std::string, c10::Storage, std::less<>> m_read;
};

} // namespace pipescope::tensor
