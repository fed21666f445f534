// Numbers in few bits. Of the convolutions and cells no FLOP rule is known.
#include "ops/rows/families.h"

namespace pipescope::ops {

namespace {

constexpr Operator Quantization[] = {
    {.name = "quantized::linear", .flops = Flops{FlopRule::Dense}},
    {.name = "quantized::linear_relu", .flops = Flops{FlopRule::Dense}},
    {.name = "quantized::linear_dynamic", .flops = Flops{FlopRule::Dense}, .batch = Batch::DynamicRange},
    {.name = "quantized::linear_relu_dynamic", .flops = Flops{FlopRule::Dense}, .batch = Batch::DynamicRange},
    {.name = "aten::dequantize", .memory = Memory::MayReturnOperand},
    {.name = "aten::_saturate_weight_to_fp16", .memory = Memory::Anything},
    {.name = "aten::quantized_batch_norm", .batch = Batch::Statistics},
    {.name = "quantized::batch_norm", .batch = Batch::Statistics},
    {.name = "quantized::batch_norm_relu", .batch = Batch::Statistics},
    {.name = "quantized::batch_norm1d", .batch = Batch::Statistics},
    {.name = "quantized::batch_norm1d_relu", .batch = Batch::Statistics},
    {.name = "quantized::batch_norm2d", .batch = Batch::Statistics},
    {.name = "quantized::batch_norm2d_relu", .batch = Batch::Statistics},
    {.name = "quantized::batch_norm3d", .batch = Batch::Statistics},
    {.name = "quantized::batch_norm3d_relu", .batch = Batch::Statistics},
    {.name = "quantized::instance_norm", .batch = Batch::Statistics},
    {.name = "aten::quantized_lstm", .batch = Batch::DynamicRange},
    {.name = "aten::quantized_gru", .batch = Batch::DynamicRange},
    {.name = "aten::quantized_lstm_cell", .batch = Batch::DynamicRange},
    {.name = "aten::quantized_gru_cell", .batch = Batch::DynamicRange},
    {.name = "aten::quantized_rnn_relu_cell", .batch = Batch::DynamicRange},
    {.name = "aten::quantized_rnn_tanh_cell", .batch = Batch::DynamicRange},
    {.name = "aten::fbgemm_linear_int8_weight", .batch = Batch::DynamicRange},
    {.name = "aten::fbgemm_linear_int8_weight_fp32_activation", .batch = Batch::DynamicRange},
    {.name = "aten::quantize_per_tensor_dynamic", .batch = Batch::DynamicRange},
    {.name = "aten::_choose_qparams_per_tensor", .batch = Batch::DynamicRange},
    {.name = "aten::choose_qparams_optimized", .batch = Batch::DynamicRange},
    {.name = "aten::fused_moving_avg_obs_fake_quant", .batch = Batch::DynamicRange},
    {.name = "aten::_fused_moving_avg_obs_fq_helper", .batch = Batch::DynamicRange},
    {.name = "quantized::linear_dynamic_fp16", .batch = Batch::DynamicRange},
    {.name = "quantized::linear_relu_dynamic_fp16", .batch = Batch::DynamicRange},
    {.name = "quantized::linear_dynamic_fp16_unpacked_weight", .batch = Batch::DynamicRange},
    {.name = "quantized::conv1d_dynamic", .batch = Batch::DynamicRange},
    {.name = "quantized::conv2d_dynamic", .batch = Batch::DynamicRange},
    {.name = "quantized::conv3d_dynamic", .batch = Batch::DynamicRange},
    {.name = "quantized::conv_transpose1d_dynamic", .batch = Batch::DynamicRange},
    {.name = "quantized::conv_transpose2d_dynamic", .batch = Batch::DynamicRange},
    {.name = "quantized::conv_transpose3d_dynamic", .batch = Batch::DynamicRange},
    {.name = "quantized::quantized_gru_cell_dynamic", .batch = Batch::DynamicRange},
    {.name = "quantized::quantized_lstm_cell_dynamic", .batch = Batch::DynamicRange},
    {.name = "quantized::quantized_rnn_relu_cell_dynamic", .batch = Batch::DynamicRange},
    {.name = "quantized::quantized_rnn_tanh_cell_dynamic", .batch = Batch::DynamicRange},
    {.name = "quantized::make_quantized_cell_params_dynamic", .batch = Batch::DynamicRange},
    {.name = "_quantized::linear_dynamic", .batch = Batch::DynamicRange},
    {.name = "onednn::linear_dynamic_fp16", .batch = Batch::DynamicRange},
    {.name = "onednn::linear_relu_dynamic_fp16", .batch = Batch::DynamicRange},
    {.name = "sparse::qlinear_dynamic", .batch = Batch::DynamicRange},
    {.name = "sparse::qlinear_relu_dynamic", .batch = Batch::DynamicRange},
    {.name = "onednn::qbatch_norm2d", .batch = Batch::Statistics},
};

} // namespace

std::span<const Operator> quantization()
{
    return Quantization;
}

} // namespace pipescope::ops
