// Operators that compute nothing with tensors: containers, attributes, numbers, blocks, marks.
#include "ops/rows/families.h"

namespace pipescope::ops {

namespace {

constexpr Operator Program[] = {
    {.name = "aten::item", .flops = Free},
    {.name = "aten::_local_scalar_dense", .flops = Free},
    {.name = "aten::is_nonzero", .flops = Free},
    {.name = "aten::size", .flops = Free, .role = Role::TellsSizes},
    {.name = "aten::numel", .flops = Free},
    {.name = "aten::_shape_as_tensor", .role = Role::TellsSizes},
    {.name = "prim::NumToTensor", .role = Role::TellsSizes},
    {.name = "prim::TupleConstruct", .memory = Memory::SharesAll, .role = Role::PacksItems},
    {.name = "prim::ListConstruct", .memory = Memory::SharesAll, .role = Role::PacksItems},
    {.name = "prim::DictConstruct", .memory = Memory::SharesAll, .role = Role::PacksPairs},
    {.name = "prim::TupleUnpack", .memory = Memory::SharesAll},
    {.name = "prim::TupleIndex", .memory = Memory::SharesAll},
    {.name = "prim::TupleSlice", .memory = Memory::SharesAll},
    {.name = "prim::ListUnpack", .memory = Memory::SharesAll},
    {.name = "aten::wait", .memory = Memory::SharesAll},
    {.name = "_c10d_functional::wait_tensor", .memory = Memory::MayReturnOperand},
    {.name = "aten::Size", .memory = Memory::MayReturnOperand},
    {.name = "aten::_size_if_not_equal", .memory = Memory::MayReturnFirst},
    {.name = "aten::_nested_compute_contiguous_strides_offsets", .memory = Memory::MayReturnOperand},
    {.name = "prim::ReductionSizes", .memory = Memory::MayReturnOperand},
    {.name = "prim::max", .memory = Memory::MayReturnOperand},
    {.name = "prim::min", .memory = Memory::MayReturnOperand},
    {.name = "prim::unchecked_cast", .memory = Memory::SharesAll},
    {.name = "prim::unchecked_unwrap_optional", .memory = Memory::SharesAll},
    {.name = "prim::GetAttr", .memory = Memory::ReadsAttribute},
    {.name = "prim::CreateObject", .memory = Memory::SharesAll},
    {.name = "prim::Constant", .memory = Memory::Nothing},
    {.name = "prim::Uninitialized", .memory = Memory::Nothing},
    {.name = "prim::SetAttr", .memory = Memory::SetsAttribute},
    {.name = "prim::CallMethod", .memory = Memory::Anything},
    {.name = "prim::CallFunction", .memory = Memory::Anything},
    {.name = "prim::Enter", .role = Role::Enters},
    {.name = "prim::Exit", .role = Role::Exits},
    {.name = "aten::grad", .role = Role::Differentiates},
    {.name = "aten::backward", .role = Role::Differentiates},
    {.name = "aten::Bool", .code = "bool"},
    {.name = "aten::Int", .code = "int"},
    {.name = "aten::Float", .code = "float"},
    {.name = "aten::Complex", .code = "complex"},
    {.name = "aten::str", .code = "str"},
    {.name = "aten::len", .code = "len"},
    {.name = "prim::Print", .code = "print"},
    {.name = "pippy::_pipe_split", .role = Role::Marks},
    {.name = "pipescope::split", .role = Role::Marks},
    {.name = "pipescope::boundary", .keeps = Keeps::All, .role = Role::Marks},
};

} // namespace

std::span<const Operator> program()
{
    return Program;
}

} // namespace pipescope::ops
