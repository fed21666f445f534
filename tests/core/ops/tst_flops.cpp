#include "ops/flops.h"

#include "support/test_program.h"

#include <QTest>

using namespace pipescope::ops;

namespace {

Operand tensor(Sizes sizes)
{
    return {std::move(sizes), std::nullopt};
}

Operand number(std::int64_t value)
{
    return {std::nullopt, value};
}

double flops(const char *op, const std::vector<Operand> &inputs, const Sizes &output)
{
    return operatorFlops(op, inputs, {tensor(output)}).value_or(-1);
}

} // namespace

class TestFlops : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLinearIsTwoPerWeightAndRow()
    {
        QCOMPARE(flops("aten::linear", {tensor({3, 5, 4}), tensor({7, 4}), tensor({7})}, {3, 5, 7}), 2.0 * 15 * 4 * 7);
        QCOMPARE(flops("aten::linear", {tensor({4}), tensor({7, 4})}, {7}), 2.0 * 4 * 7);
        QCOMPARE(flops("quantized::linear_dynamic", {tensor({3, 4}), {}, number(0)}, {3, 7}), 2.0 * 3 * 4 * 7);
    }

    void productsCountMultiplyAndAdd()
    {
        QCOMPARE(flops("aten::mm", {tensor({2, 3}), tensor({3, 5})}, {2, 5}), 2.0 * 2 * 3 * 5);
        QCOMPARE(flops("aten::bmm", {tensor({6, 2, 3}), tensor({6, 3, 5})}, {6, 2, 5}), 2.0 * 6 * 2 * 3 * 5);
        QCOMPARE(flops("aten::matmul", {tensor({4, 1, 2, 3}), tensor({6, 3, 5})}, {4, 6, 2, 5}), 2.0 * 24 * 2 * 3 * 5);
        QCOMPARE(flops("aten::matmul", {tensor({3}), tensor({3})}, {}), 2.0 * 3);
        QCOMPARE(flops("aten::addmm", {tensor({5}), tensor({2, 3}), tensor({3, 5})}, {2, 5}), 2.0 * 2 * 3 * 5);
        QCOMPARE(flops("aten::baddbmm", {tensor({1}), tensor({6, 2, 3}), tensor({6, 3, 5})}, {6, 2, 5}),
                 2.0 * 6 * 2 * 3 * 5);
        QCOMPARE(flops("aten::addbmm", {tensor({1}), tensor({6, 2, 3}), tensor({6, 3, 5})}, {2, 5}),
                 2.0 * 6 * 2 * 3 * 5);
    }

    void convolutionsCountTheirKernel()
    {
        // resnet's first layer: 2 * 64 * 112 * 112 * 3 * 7 * 7
        QCOMPARE(flops("aten::conv2d", {tensor({1, 3, 224, 224}), tensor({64, 3, 7, 7})}, {1, 64, 112, 112}),
                 236027904.0);
        QCOMPARE(flops("aten::conv1d", {tensor({2, 8, 10}), tensor({8, 1, 3})}, {2, 8, 8}),
                 2.0 * 2 * 8 * 8 * 3); // depthwise
        QCOMPARE(flops("aten::conv_transpose1d", {tensor({2, 4, 10}), tensor({4, 6, 3})}, {2, 6, 12}),
                 2.0 * 2 * 4 * 10 * 6 * 3);
    }

    void aGeneralConvolutionLooksAtItsFlag()
    {
        const Sizes input{1, 4, 10};
        const Operand none{};
        const std::vector<Operand> forward{tensor(input), tensor({6, 4, 3}), none, none, none, none, number(0)};
        QCOMPARE(flops("aten::_convolution", forward, {1, 6, 8}), 2.0 * 6 * 8 * 4 * 3);
        const std::vector<Operand> transposed{tensor(input), tensor({4, 6, 3}), none, none, none, none, number(1)};
        QCOMPARE(flops("aten::_convolution", transposed, {1, 6, 12}), 2.0 * 4 * 10 * 6 * 3);
    }

    void attentionIsItsTwoProducts()
    {
        const std::vector<Operand> qkv{tensor({2, 8, 16, 64}), tensor({2, 8, 24, 64}), tensor({2, 8, 24, 32})};
        QCOMPARE(flops("aten::scaled_dot_product_attention", qkv, {2, 8, 16, 32}),
                 2.0 * 16 * 16 * 24 * 64 + 2.0 * 16 * 16 * 24 * 32);
    }

    void aRecurrentLayerCountsBothWeightsEachStep()
    {
        const std::vector<Operand> inputs{tensor({5, 2, 3}), tensor({16, 3}), tensor({16, 4})};
        QCOMPARE(flops("aten::mkldnn_rnn_layer", inputs, {5, 2, 4}), 2.0 * 5 * 2 * (16 * 3 + 16 * 4));
    }

    void elementwiseOperatorsCountElements()
    {
        QCOMPARE(flops("aten::add", {tensor({3, 1}), tensor({1, 4})}, {3, 4}), 12.0);
        QCOMPARE(flops("aten::relu_", {tensor({3, 4})}, {3, 4}), 12.0);
        QCOMPARE(flops("aten::sum", {tensor({3, 4})}, {}), 12.0);
        QCOMPARE(flops("aten::softmax", {tensor({3, 4})}, {3, 4}), 4.0 * 12);
        QCOMPARE(flops("aten::layer_norm", {tensor({3, 4})}, {3, 4}), 5.0 * 12);
    }

    void movingDataIsFree()
    {
        for (const char *op :
             {"aten::embedding", "aten::view", "aten::cat", "aten::contiguous", "aten::copy_", "aten::__and__"})
            QCOMPARE(operatorFlops(op, {}, {}), std::optional(0.0));
    }

    void theUnknownStaysUnknown()
    {
        QVERIFY(!hasFlopRule("custom::op"));
        QCOMPARE(operatorFlops("custom::op", {tensor({3})}, {tensor({3})}), std::optional<double>());
        QCOMPARE(operatorFlops("aten::mm", {}, {tensor({3})}), std::optional<double>()); // no operand known
        QVERIFY(!hasFlopRule("aten::__"));
    }
};

PIPESCOPE_TEST(TestFlops)
#include "tst_flops.moc"
