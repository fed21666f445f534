// Operators that put values into a range by the values around them.
#include "ops/rows/families.h"

namespace pipescope::ops {

namespace {

constexpr Statistics AfterBias{.mean = 3, .variance = 4, .training = 5}; // instance_norm: use_input_stats

constexpr Operator Normalisations[] = {
    {.name = "aten::layer_norm", .flops = perInput(5), .tells = Tells{Tells::Of::LastDimensions, 0, 2}},
    {.name = "aten::native_layer_norm", .flops = perInput(5)},
    {.name = "aten::rms_norm", .flops = perInput(4), .tells = Tells{Tells::Of::LastDimensions, 0, 2}},
    {.name = "aten::group_norm", .flops = perInput(5)},
    {.name = "aten::instance_norm", .flops = perInput(5), .statistics = AfterBias, .batch = Batch::Statistics},
    {.name = "aten::batch_norm", .flops = perInput(4), .statistics = AfterBias, .batch = Batch::Statistics},
    {.name = "aten::softmax", .flops = perInput(4)},
    {.name = "aten::_softmax", .flops = perInput(4)},
    {.name = "aten::log_softmax", .flops = perInput(4)},
    {.name = "aten::native_batch_norm", .statistics = AfterBias, .batch = Batch::Statistics},
    {.name = "aten::cudnn_batch_norm", .statistics = AfterBias, .batch = Batch::Statistics},
    {.name = "aten::miopen_batch_norm", .statistics = AfterBias, .batch = Batch::Statistics},
    {.name = "aten::_batch_norm_impl_index", .statistics = AfterBias, .batch = Batch::Statistics},
    {.name = "aten::_native_batch_norm_legit", .batch = Batch::Statistics},
    {.name = "aten::_native_batch_norm_legit_no_training", .batch = Batch::Statistics},
    {.name = "aten::_batch_norm_with_update", .batch = Batch::Statistics},
    {.name = "aten::_batch_norm_no_update", .batch = Batch::Statistics},
    {.name = "aten::batch_norm_stats", .batch = Batch::Statistics},
    {.name = "aten::batch_norm_elemt", .batch = Batch::Statistics},
    {.name = "aten::batch_norm_gather_stats", .batch = Batch::Statistics},
    {.name = "aten::batch_norm_gather_stats_with_counts", .batch = Batch::Statistics},
    {.name = "aten::batch_norm_update_stats", .batch = Batch::Statistics},
};

} // namespace

std::span<const Operator> normalisations()
{
    return Normalisations;
}

} // namespace pipescope::ops
