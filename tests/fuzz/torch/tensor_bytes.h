// What must hold for any bytes that are read as the pickle of a tensor file. Shared by the fuzz target and by the test
// that goes over its corpus.
#pragma once

#include "archive/pickle_tree.h"
#include "tensor/ivalue_tree.h"
#include "tensor/pickle/pickle_writer.h"
#include "tensor/pickle/value_from_pickle.h"
#include "tensor/torch_guard.h"

#include <ATen/core/Tensor.h>
#include <c10/core/CPUAllocator.h>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace pipescope::tests {

struct ReadBytes
{
    std::string fault;            ///< "" where all holds
    std::string refusal;          ///< why they are no values; "" where they are
    bool cameBack = false;        ///< they were written, and were the same when read again
    std::vector<at::Tensor> read; ///< every tensor in it
};

namespace detail {

constexpr std::size_t StorageBytes = 64;
constexpr std::int64_t MostElements = 1 << 16; ///< to write; a tensor of stride 0 shows more than there is

inline c10::Storage storageOf(const void *bytes, std::size_t size)
{
    c10::DataPtr data = c10::GetCPUAllocator()->allocate(size);
    if (size > 0)
        std::memcpy(data.mutable_get(), bytes, size);
    return {c10::Storage::use_byte_size_t(), size, std::move(data)};
}

/// Any key of one or two letters has a storage of 64 different bytes.
inline Result<c10::Storage> smallStorage(const std::string &key)
{
    if (key.empty() || key.size() > 2)
        return Error{ErrorCode::InvalidFile, "its record is missing", {}, {}};
    unsigned char bytes[StorageBytes];
    for (std::size_t i = 0; i < StorageBytes; ++i)
        bytes[i] = static_cast<unsigned char>(i * 7 + static_cast<unsigned char>(key[0]));
    return storageOf(bytes, StorageBytes);
}

inline bool isInside(const at::Tensor &tensor)
{
    if (tensor.storage_offset() < 0)
        return false;
    if (tensor.numel() == 0)
        return true;
    std::int64_t last = tensor.storage_offset();
    for (std::int64_t dim = 0; dim < tensor.dim(); ++dim) {
        if (tensor.stride(dim) < 0)
            return false;
        last += (tensor.size(dim) - 1) * tensor.stride(dim);
    }
    return (last + 1) * static_cast<std::int64_t>(tensor.element_size()) <=
           static_cast<std::int64_t>(tensor.storage().nbytes());
}

inline Result<c10::IValue> readTensors(std::string_view bytes, const tensor::StorageReader &storages)
{
    const auto tree = archive::readPickle(bytes, "data.pkl", archive::PickleDialect::TorchSave);
    if (!tree)
        return tree.error();
    return tensor::guardTorch(ErrorCode::InvalidFile, "", [&] { return tensor::valueFromPickle(*tree, storages); });
}

inline bool isSame(const tensor::WrittenPickle &a, const tensor::WrittenPickle &b)
{
    bool isSame = a.bytes == b.bytes && a.tensors.size() == b.tensors.size();
    for (std::size_t i = 0; isSame && i < a.tensors.size(); ++i)
        isSame = a.tensors[i].nbytes() == b.tensors[i].nbytes() &&
                 (a.tensors[i].nbytes() == 0 || std::memcmp(a.tensors[i].const_data_ptr(),
                                                            b.tensors[i].const_data_ptr(), a.tensors[i].nbytes()) == 0);
    return isSame;
}

} // namespace detail

/// Reading ends with an error that says why, or with a value none of whose tensors reaches beyond its storage. What
/// torch.save could write of that is written, and reads back the same.
inline ReadBytes readAsTensors(std::string_view bytes)
{
    ReadBytes result;
    const Result<c10::IValue> value = detail::readTensors(bytes, detail::smallStorage);
    if (!value) {
        result.refusal = value.error().message;
        const ErrorCode code = value.error().code;
        if (result.refusal.empty() || (code != ErrorCode::InvalidFile && code != ErrorCode::Unsupported))
            result.fault = "the error says nothing, or of the wrong kind: " + result.refusal;
        return result;
    }
    result.read = tensor::tensorsIn(*value);
    std::int64_t elements = 0;
    bool isDense = true;
    for (const at::Tensor &tensor : result.read) {
        if (!detail::isInside(tensor))
            result.fault = "a tensor reaches beyond its storage";
        isDense = isDense && !tensor.is_quantized();
        elements = elements > detail::MostElements ? elements : elements + tensor.numel();
    }
    if (!result.fault.empty() || !isDense || elements > detail::MostElements)
        return result;
    const tensor::WrittenPickle written = tensor::writePickle(*value);
    const Result<c10::IValue> again =
        detail::readTensors(written.bytes, [&](const std::string &key) -> Result<c10::Storage> {
            const at::Tensor &tensor = written.tensors.at(std::stoul(key));
            return detail::storageOf(tensor.const_data_ptr(), tensor.nbytes());
        });
    if (!again)
        result.fault = "what was written cannot be read: " + again.error().message;
    else if (!detail::isSame(tensor::writePickle(*again), written))
        result.fault = "what was written reads back as something else";
    result.cameBack = result.fault.empty();
    return result;
}

} // namespace pipescope::tests
