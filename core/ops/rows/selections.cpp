// Some of the values, or several tensors in one.
#include "ops/rows/families.h"

namespace pipescope::ops {

namespace {

constexpr Operator Selections[] = {
    {.name = "aten::repeat", .flops = Free},
    {.name = "aten::repeat_interleave", .flops = Free},
    {.name = "aten::tile", .flops = Free},
    {.name = "aten::select", .flops = Free},
    {.name = "aten::slice", .flops = Free},
    {.name = "aten::narrow", .flops = Free},
    {.name = "aten::index", .flops = Free},
    {.name = "aten::index_select", .flops = Free},
    {.name = "aten::index_put", .flops = Free},
    {.name = "aten::gather", .flops = Free},
    {.name = "aten::scatter", .flops = Free},
    {.name = "aten::take", .flops = Free},
    {.name = "aten::masked_fill", .flops = Free, .keeps = Keeps::Shape},
    {.name = "aten::masked_select", .flops = Free},
    {.name = "aten::where", .flops = Free},
    {.name = "aten::chunk", .flops = Free},
    {.name = "aten::split", .flops = Free},
    {.name = "aten::split_with_sizes", .flops = Free},
    {.name = "aten::unsafe_chunk", .flops = Free},
    {.name = "aten::unsafe_split", .flops = Free},
    {.name = "aten::unsafe_split_with_sizes", .flops = Free},
    {.name = "aten::tensor_split", .flops = Free},
    {.name = "aten::unbind", .flops = Free},
    {.name = "aten::cat", .flops = Free},
    {.name = "aten::concat", .flops = Free},
    {.name = "aten::stack", .flops = Free},
    {.name = "aten::pad", .flops = Free},
    {.name = "aten::constant_pad_nd", .flops = Free},
    {.name = "aten::reflection_pad1d", .flops = Free},
    {.name = "aten::reflection_pad2d", .flops = Free},
    {.name = "aten::replication_pad1d", .flops = Free},
    {.name = "aten::replication_pad2d", .flops = Free},
    {.name = "aten::roll", .flops = Free},
    {.name = "aten::flip", .flops = Free},
    {.name = "aten::tril", .flops = Free},
    {.name = "aten::triu", .flops = Free},
    {.name = "aten::embedding", .flops = Free, .tells = Tells{Tells::Of::IndexRange, 1, 0}},
    {.name = "aten::max_pool1d", .flops = Free},
    {.name = "aten::max_pool2d", .flops = Free},
    {.name = "aten::max_pool3d", .flops = Free},
    {.name = "aten::sort", .flops = Free},
    {.name = "aten::topk", .flops = Free},
    {.name = "aten::argsort", .flops = Free},
    {.name = "aten::nonzero", .flops = Free},
    {.name = "aten::rot90", .flops = Free},
    {.name = "aten::hstack", .flops = Free},
    {.name = "aten::vstack", .flops = Free},
    {.name = "aten::dstack", .flops = Free},
    {.name = "aten::bucketize", .flops = Free},
    {.name = "aten::unique_consecutive", .flops = Free},
    {.name = "aten::cartesian_prod", .memory = Memory::MayReturnOperand},
    {.name = "aten::flatten_dense_tensors", .memory = Memory::MayReturnOperand},
    {.name = "aten::_pack_sequence", .memory = Memory::MayReturnOperand},
    {.name = "aten::_no_grad_embedding_renorm_", .memory = Memory::Anything},
    {.name = "aten::embedding_bag", .tells = Tells{Tells::Of::IndexRange, 1, 0}},
};

} // namespace

std::span<const Operator> selections()
{
    return Selections;
}

} // namespace pipescope::ops
