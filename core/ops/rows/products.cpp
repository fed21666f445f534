// Products of matrices, convolutions, attention, recurrent layers.
#include "ops/rows/families.h"

namespace pipescope::ops {

namespace {

constexpr Operator Products[] = {
    {.name = "aten::linear", .flops = Flops{FlopRule::Dense}, .tells = Tells{Tells::Of::LastDimension, 0, 1}},
    {.name = "aten::matmul",
     .flops = Flops{FlopRule::MatMul},
     .tells = Tells{Tells::Of::InnerDimension, 0, 1},
     .code = "@"},
    {.name = "aten::mm", .flops = Flops{FlopRule::MatMul}, .tells = Tells{Tells::Of::InnerDimension, 0, 1}},
    {.name = "aten::bmm", .flops = Flops{FlopRule::MatMul}},
    {.name = "aten::mv", .flops = Flops{FlopRule::MatMul}},
    {.name = "aten::dot", .flops = Flops{FlopRule::MatMul}},
    {.name = "aten::addmm", .flops = Flops{FlopRule::MatMul, 1, 1}, .tells = Tells{Tells::Of::InnerDimension, 1, 2}},
    {.name = "aten::addmv", .flops = Flops{FlopRule::MatMul, 1, 1}},
    {.name = "aten::baddbmm", .flops = Flops{FlopRule::MatMul, 1, 1}},
    {.name = "aten::addbmm", .flops = Flops{FlopRule::SumMatMul, 1, 1}},
    {.name = "aten::conv1d", .flops = Flops{FlopRule::Conv}, .tells = Tells{Tells::Of::Channels, 0, 1}},
    {.name = "aten::conv2d", .flops = Flops{FlopRule::Conv}, .tells = Tells{Tells::Of::Channels, 0, 1}},
    {.name = "aten::conv3d", .flops = Flops{FlopRule::Conv}, .tells = Tells{Tells::Of::Channels, 0, 1}},
    {.name = "aten::mkldnn_convolution", .flops = Flops{FlopRule::Conv}},
    {.name = "aten::conv_transpose1d",
     .flops = Flops{FlopRule::ConvTranspose},
     .tells = Tells{Tells::Of::TransposedChannels, 0, 1}},
    {.name = "aten::conv_transpose2d",
     .flops = Flops{FlopRule::ConvTranspose},
     .tells = Tells{Tells::Of::TransposedChannels, 0, 1}},
    {.name = "aten::conv_transpose3d",
     .flops = Flops{FlopRule::ConvTranspose},
     .tells = Tells{Tells::Of::TransposedChannels, 0, 1}},
    {.name = "aten::convolution",
     .flops = Flops{FlopRule::Convolution},
     .tells = Tells{Tells::Of::ChannelsByClass, 0, 1}},
    {.name = "aten::_convolution",
     .flops = Flops{FlopRule::Convolution},
     .tells = Tells{Tells::Of::ChannelsByClass, 0, 1}},
    {.name = "aten::scaled_dot_product_attention", .flops = Flops{FlopRule::Attention}, .draws = Draws{{4, -1}}},
    {.name = "aten::mkldnn_rnn_layer", .flops = Flops{FlopRule::Recurrent}},
    {.name = "aten::einsum", .memory = Memory::MayReturnOperand},
    {.name = "aten::chain_matmul", .memory = Memory::MayReturnOperand},
    {.name = "aten::lstm.input", .draws = Draws{{5, 6}}},
    {.name = "aten::lstm.data", .draws = Draws{{6, 7}}},
    {.name = "aten::gru.input", .draws = Draws{{5, 6}}},
    {.name = "aten::gru.data", .draws = Draws{{6, 7}}},
    {.name = "aten::rnn_tanh.input", .draws = Draws{{5, 6}}},
    {.name = "aten::rnn_tanh.data", .draws = Draws{{6, 7}}},
    {.name = "aten::rnn_relu.input", .draws = Draws{{5, 6}}},
    {.name = "aten::rnn_relu.data", .draws = Draws{{6, 7}}},
};

} // namespace

std::span<const Operator> products()
{
    return Products;
}

} // namespace pipescope::ops
