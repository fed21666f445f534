// The same values, seen or stored in another way.
#include "ops/rows/families.h"

namespace pipescope::ops {

namespace {

constexpr Operator Shapes[] = {
    {.name = "aten::view", .flops = Free, .keeps = Keeps::Values},
    {.name = "aten::reshape", .flops = Free, .keeps = Keeps::Values},
    {.name = "aten::view_as", .flops = Free},
    {.name = "aten::reshape_as", .flops = Free},
    {.name = "aten::flatten", .flops = Free},
    {.name = "aten::unflatten", .flops = Free},
    {.name = "aten::permute", .flops = Free},
    {.name = "aten::transpose", .flops = Free},
    {.name = "aten::t", .flops = Free, .keeps = Keeps::Transposed},
    {.name = "aten::numpy_T", .flops = Free},
    {.name = "aten::movedim", .flops = Free},
    {.name = "aten::swapaxes", .flops = Free},
    {.name = "aten::swapdims", .flops = Free},
    {.name = "aten::squeeze", .flops = Free, .batch = Batch::DropsOnes},
    {.name = "aten::unsqueeze", .flops = Free},
    {.name = "aten::expand", .flops = Free},
    {.name = "aten::expand_as", .flops = Free},
    {.name = "aten::contiguous", .flops = Free, .keeps = Keeps::All},
    {.name = "aten::clone", .flops = Free},
    {.name = "aten::copy", .flops = Free},
    {.name = "aten::detach", .flops = Free, .keeps = Keeps::All},
    {.name = "aten::alias", .flops = Free},
    {.name = "aten::to", .flops = Free, .keeps = Keeps::All},
    {.name = "aten::_to_copy", .flops = Free},
    {.name = "aten::type_as", .flops = Free, .memory = Memory::MayReturnOperand},
    {.name = "aten::pixel_shuffle", .flops = Free},
    {.name = "aten::pixel_unshuffle", .flops = Free},
    {.name = "aten::channel_shuffle", .flops = Free},
    {.name = "aten::unfold", .flops = Free},
    {.name = "aten::as_strided", .flops = Free},
    {.name = "aten::diagonal", .flops = Free},
    {.name = "aten::lift_fresh", .flops = Free},
    {.name = "aten::resolve_conj", .flops = Free},
    {.name = "aten::resolve_neg", .flops = Free},
    {.name = "aten::set", .flops = Free, .memory = Memory::MayReturnOperand},
    {.name = "aten::resize", .flops = Free},
    {.name = "aten::broadcast_tensors", .flops = Free, .memory = Memory::MayReturnOperand},
    {.name = "aten::broadcast_to", .flops = Free},
    {.name = "aten::meshgrid", .flops = Free, .memory = Memory::MayReturnOperand},
    {.name = "aten::view_as_real", .flops = Free},
    {.name = "aten::view_as_complex", .flops = Free},
    {.name = "aten::real", .flops = Free},
    {.name = "aten::imag", .flops = Free},
    {.name = "aten::requires_grad_", .flops = Free, .memory = Memory::MarksTensor},
    {.name = "aten::retain_grad", .flops = Free, .memory = Memory::MarksTensor},
    {.name = "aten::atleast_1d", .flops = Free, .memory = Memory::MayReturnOperand},
    {.name = "aten::atleast_2d", .flops = Free, .memory = Memory::MayReturnOperand},
    {.name = "aten::atleast_3d", .flops = Free, .memory = Memory::MayReturnOperand},
    {.name = "aten::ravel", .flops = Free},
    {.name = "aten::mT", .flops = Free},
    {.name = "aten::mH", .flops = Free},
    {.name = "aten::adjoint", .flops = Free},
    {.name = "aten::conj", .flops = Free},
    {.name = "aten::conj_physical", .memory = Memory::MayReturnOperand},
    {.name = "aten::data", .memory = Memory::MayReturnOperand},
    {.name = "aten::lift", .memory = Memory::MayReturnOperand},
    {.name = "aten::sum_to_size", .memory = Memory::MayReturnOperand},
    {.name = "aten::to_dense", .memory = Memory::MayReturnOperand},
    {.name = "aten::to_sparse", .memory = Memory::MayReturnOperand},
    {.name = "aten::_unsafe_view", .memory = Memory::MayReturnOperand},
    {.name = "aten::_remove_batch_dim", .memory = Memory::MayReturnOperand},
    {.name = "aten::_reshape_from_tensor", .memory = Memory::MayReturnOperand},
    {.name = "onnx::Reshape", .memory = Memory::MayReturnOperand},
    {.name = "inductor::_reinterpret_tensor", .memory = Memory::MayReturnOperand},
    {.name = "inductor::_alloc_from_pool", .memory = Memory::MayReturnOperand},
    {.name = "aten::_cast_Float", .memory = Memory::MayReturnOperand},
    {.name = "aten::_cast_Double", .memory = Memory::MayReturnOperand},
    {.name = "aten::_cast_Half", .memory = Memory::MayReturnOperand},
    {.name = "aten::_cast_Long", .memory = Memory::MayReturnOperand},
    {.name = "aten::_cast_Int", .memory = Memory::MayReturnOperand},
    {.name = "aten::squeeze_copy", .batch = Batch::DropsOnes},
};

} // namespace

std::span<const Operator> shapes()
{
    return Shapes;
}

} // namespace pipescope::ops
