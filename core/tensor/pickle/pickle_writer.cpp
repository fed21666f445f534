#include "tensor/pickle/pickle_writer.h"

#include "tensor/ivalue_tree.h"

#include <ATen/Functions.h>
#include <ATen/core/Dict.h>
#include <c10/core/ScalarType.h>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace pipescope::tensor {

namespace {

/// Writes protocol 2, the one torch.save uses.
class Writer
{
public:
    WrittenPickle finish()
    {
        m_bytes += '.';
        return {std::move(m_bytes), std::move(m_tensors)};
    }

    void write(const c10::IValue &value)
    {
        if (value.isTensor() && value.toTensor().defined())
            writeTensor(value.toTensor());
        else if (value.isTuple())
            writeTuple(value.toTupleRef().elements().vec());
        else if (value.isList())
            writeList(value.toListRef().vec());
        else if (value.isGenericDict())
            writeDict(value.toGenericDict());
        else
            writeLeaf(value);
    }

private:
    template <class Integer>
    void append(Integer value, int width)
    {
        for (int i = 0; i < width; ++i)
            m_bytes += static_cast<char>((static_cast<std::uint64_t>(value) >> (8 * i)) & 0xFF);
    }

    void writeInteger(std::int64_t value)
    {
        if (value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max()) {
            m_bytes += 'J';
            append(value, 4);
        } else {
            m_bytes += "\x8a\x08";
            append(value, 8);
        }
    }

    void writeFloat(double value)
    {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        m_bytes += 'G';
        for (int shift = 56; shift >= 0; shift -= 8)
            m_bytes += static_cast<char>((bits >> shift) & 0xFF);
    }

    void writeText(std::string_view text)
    {
        m_bytes += 'X';
        append(text.size(), 4);
        m_bytes += text;
    }

    void writeGlobal(std::string_view module, std::string_view name)
    {
        m_bytes += fmt::format("c{}\n{}\n", module, name);
    }

    void writeLeaf(const c10::IValue &value)
    {
        if (value.isBool()) {
            m_bytes += value.toBool() ? '\x88' : '\x89';
        } else if (value.isInt()) {
            writeInteger(value.toInt());
        } else if (value.isDouble()) {
            writeFloat(value.toDouble());
        } else if (value.isString()) {
            writeText(value.toStringRef());
        } else if (value.isComplexDouble()) {
            writeGlobal("__builtin__", "complex");
            writeFloat(value.toComplexDouble().real());
            writeFloat(value.toComplexDouble().imag());
            m_bytes += "\x86R";
        } else {
            m_bytes += 'N';
        }
    }

    void writeTuple(const std::vector<c10::IValue> &items)
    {
        m_bytes += '(';
        for (const c10::IValue &item : items)
            write(item);
        m_bytes += 't';
    }

    void writeList(const std::vector<c10::IValue> &items)
    {
        m_bytes += "](";
        for (const c10::IValue &item : items)
            write(item);
        m_bytes += 'e';
    }

    void writeDict(const c10::impl::GenericDict &dict)
    {
        m_bytes += "}(";
        for (const auto &entry : dict) {
            write(entry.key());
            write(entry.value());
        }
        m_bytes += 'u';
    }

    void writeSizes(c10::IntArrayRef sizes)
    {
        m_bytes += '(';
        for (const std::int64_t size : sizes)
            writeInteger(size);
        m_bytes += 't';
    }

    /// Dtypes older than PyTorch 2 have a storage class each; for the others the dtype is an argument of its own.
    static bool hasStorageClass(at::ScalarType type)
    {
        return type == at::kBool || c10::isIntegralType(type, false)
                   ? !c10::isBarebonesUnsignedType(type)
                   : !c10::isFloat8Type(type) && type != at::kComplexHalf;
    }

    void writeTensor(const at::Tensor &given)
    {
        const at::Tensor tensor = given.detach().resolve_conj().resolve_neg().cpu().contiguous();
        const at::ScalarType type = tensor.scalar_type();
        const bool typed = hasStorageClass(type);
        const std::int64_t elements = typed ? tensor.numel() : static_cast<std::int64_t>(tensor.nbytes());
        writeGlobal("torch._utils", typed ? "_rebuild_tensor_v2" : "_rebuild_tensor_v3");
        m_bytes += "((";
        writeText("storage");
        if (typed)
            writeGlobal("torch", fmt::format("{}Storage", c10::toString(type)));
        else
            writeGlobal("torch.storage", "UntypedStorage");
        writeText(std::to_string(m_tensors.size()));
        writeText("cpu");
        writeInteger(elements);
        m_bytes += "tQ";
        writeInteger(0);
        writeSizes(tensor.sizes());
        writeSizes(tensor.strides());
        m_bytes += '\x89';
        writeGlobal("collections", "OrderedDict");
        m_bytes += ")R";
        if (!typed)
            writeGlobal("torch", dtypeName(type));
        m_bytes += "tR";
        m_tensors.push_back(tensor);
    }

    std::string m_bytes{"\x80\x02", 2};
    std::vector<at::Tensor> m_tensors;
};

} // namespace

WrittenPickle writePickle(const c10::IValue &value)
{
    Writer writer;
    writer.write(value);
    return writer.finish();
}

} // namespace pipescope::tensor
