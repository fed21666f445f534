// saveTensors of tensor_file.h: a pickle of plain values and rebuild calls, and one record per tensor, as torch.save
// does.
#include "tensor/tensor_file.h"

#include "base/file.h"
#include "base/file_errors.h"
#include "tensor/ivalue_tree.h"
#include "tensor/pickle/pickle_writer.h"
#include "tensor/torch_guard.h"

#include <caffe2/serialize/inline_container.h>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>

namespace pipescope::tensor {

namespace {

namespace fs = std::filesystem;

/// The first leaf that torch.save could not be imitated for.
Status checkLeaves(const c10::IValue &value, const fs::path &path)
{
    const auto all = leaves(value);
    if (!all)
        return cannotWrite(path, all.error().message);
    const std::vector<std::string> paths = leafPaths(value);
    for (std::size_t i = 0; i < all->size(); ++i) {
        const c10::IValue &leaf = (*all)[i];
        const bool isTensor = leaf.isTensor() && leaf.toTensor().defined();
        std::string_view reason;
        if (isTensor && (leaf.toTensor().layout() != at::kStrided || leaf.toTensor().is_quantized()))
            reason = "is a sparse or quantized tensor";
        else if (!isTensor && !leaf.isNone() && !leaf.isTensor() && !leaf.isBool() && !leaf.isInt() &&
                 !leaf.isDouble() && !leaf.isString() && !leaf.isComplexDouble())
            reason = "is neither a tensor nor a plain value";
        if (!reason.empty())
            return Error{ErrorCode::Unsupported,
                         fmt::format("cannot write '{}': the value{} ({}) {}", path.string(), paths[i],
                                     describeValue(leaf), reason),
                         path.string(),
                         {}};
    }
    return Success{};
}

void writeArchive(const WrittenPickle &pickle, std::ostream &out)
{
    const auto write = [&](const void *data, std::size_t size) {
        out.write(static_cast<const char *>(data), static_cast<std::streamsize>(size));
        return size;
    };
    caffe2::serialize::PyTorchStreamWriter writer(write);
    writer.writeRecord("data.pkl", pickle.bytes.data(), pickle.bytes.size());
    writer.writeRecord("byteorder", "little", 6);
    for (std::size_t i = 0; i < pickle.tensors.size(); ++i)
        writer.writeRecord(fmt::format("data/{}", i), pickle.tensors[i].const_data_ptr(), pickle.tensors[i].nbytes());
    writer.writeEndOfFile();
}

} // namespace

Status saveTensors(const c10::IValue &value, const fs::path &path)
{
    if (auto ok = checkLeaves(value, path); !ok)
        return ok;
    return writeFileVia(path, [&](const fs::path &temporary) -> Status {
        errno = 0;
        std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
        if (!out)
            return cannotWrite(path, errno != 0 ? std::strerror(errno) : "it cannot be opened");
        const Status done =
            guardTorch(ErrorCode::WriteFailed, path.string(), [&] { writeArchive(writePickle(value), out); });
        out.close();
        if (!done)
            return cannotWrite(path, done.error().message);
        if (!out)
            return cannotWrite(path, errno != 0 ? std::strerror(errno) : "the write failed");
        return Success{};
    });
}

} // namespace pipescope::tensor
