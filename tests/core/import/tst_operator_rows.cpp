// The rows of core/ops against what LibTorch knows of its operators.
#include "import/load.h"
#include "ops/operator.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/enum_tag.h>
#include <ATen/core/interned_strings.h>
#include <algorithm>
#include <set>
#include <string>
#include <torch/csrc/jit/runtime/operator.h>

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;

namespace {

bool hasAnyOf(const std::string &text, std::initializer_list<std::string_view> parts)
{
    return std::any_of(parts.begin(), parts.end(), [&](auto part) { return text.find(part) != std::string::npos; });
}

template <class See>
void forEachOperator(See see)
{
    for (const auto &op : torch::jit::getAllOperators())
        see(op->schema());
}

// Backward passes and copies that LibTorch makes for its own passes stand in no model.
bool isInternal(const std::string &name)
{
    return hasAnyOf(name, {"backward", "_functional"});
}

QByteArray joined(const std::set<std::string> &names)
{
    QByteArray text;
    for (const std::string &name : names)
        text += QByteArray::fromStdString(name) + " ";
    return text;
}

const c10::Argument *argumentAt(const c10::FunctionSchema &schema, std::size_t at)
{
    return at < schema.arguments().size() ? &schema.arguments()[at] : nullptr;
}

bool isUnwritten(const c10::Argument *argument, std::string_view name)
{
    return argument != nullptr && argument->name() == name &&
           (argument->alias_info() == nullptr || !argument->alias_info()->isWrite());
}

} // namespace

class TestOperatorRows : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { import::registerMarkers(); } // they have rows too

    void everyRowIsAnOperatorOfLibTorch()
    {
        std::set<std::string> known;
        forEachOperator([&](const c10::FunctionSchema &schema) {
            known.insert(schema.name());
            known.insert(schema.name() + "." + schema.overload_name());
        });
        std::set<std::string> unknown;
        for (const std::span<const ops::Operator> family : ops::families())
            for (const ops::Operator &row : family) {
                const std::string name(row.name);
                // Some that the interpreter knows by their symbol have no schema.
                const bool isSymbol =
                    name.starts_with("prim::") &&
                    c10::Symbol::fromQualString(name) < static_cast<c10::unique_t>(c10::_keys::num_symbols);
                if (known.count(name) == 0 && !isSymbol)
                    unknown.insert(name);
            }
        QCOMPARE(joined(unknown), QByteArray());
    }

    void everyOperatorThatLibTorchTagsAsRandomDraws()
    {
        std::set<std::string> missing;
        std::size_t tagged = 0;
        forEachOperator([&](const c10::FunctionSchema &schema) {
            const std::string &name = schema.name();
            const auto handle = c10::Dispatcher::singleton().findSchema(schema.operator_name());
            const bool isInner = name.starts_with("aten::_") || hasAnyOf(name, {"cudnn", "miopen", "mps"});
            if (!handle || !handle->hasTag(at::Tag::nondeterministic_seeded) || isInner || isInternal(name))
                return;
            ++tagged;
            if (!ops::of(name, schema.overload_name()).draws)
                missing.insert(name + "." + schema.overload_name());
        });
        QCOMPARE(joined(missing), QByteArray());
        QVERIFY(tagged > 50);
    }

    void whatSwitchesRandomNumbersOffIsAFlagOrARate()
    {
        std::set<std::string> wrong;
        forEachOperator([&](const c10::FunctionSchema &schema) {
            const auto &draws = ops::of(schema.name(), schema.overload_name()).draws;
            if (!draws)
                return;
            for (const int at : draws->unless) {
                const c10::Argument *argument = at < 0 ? nullptr : argumentAt(schema, static_cast<std::size_t>(at));
                const std::string name = argument == nullptr ? "" : argument->name();
                if (at >= 0 && name != "p" && name != "dropout" && name != "dropout_p" && name != "train" &&
                    name != "training")
                    wrong.insert(schema.name() + "." + schema.overload_name() + ":" + name);
            }
        });
        QCOMPARE(joined(wrong), QByteArray());
    }

    /// Running statistics that a schema does not mark as written.
    void operatorsThatMoveUnmarkedStatisticsAreListed()
    {
        std::set<std::string> wrong;
        forEachOperator([&](const c10::FunctionSchema &schema) {
            const c10::Argument *flag = argumentAt(schema, 5);
            const bool isTrained = flag != nullptr && (flag->name() == "training" || flag->name() == "use_input_stats");
            const bool moves = isUnwritten(argumentAt(schema, 3), "running_mean") &&
                               isUnwritten(argumentAt(schema, 4), "running_var") && isTrained &&
                               !isInternal(schema.name());
            if (moves != (ops::of(schema.name()).statistics == ops::Statistics{3, 4, 5}))
                wrong.insert(schema.name() + "." + schema.overload_name());
        });
        QCOMPARE(joined(wrong), QByteArray());
    }

    /// Else its row would say nothing that the schema does not.
    void aSchemaDoesNotTellThatItsOperandMayBeReturned()
    {
        std::set<std::string> silent;
        forEachOperator([&](const c10::FunctionSchema &schema) {
            const auto &returns = schema.returns();
            if (std::none_of(returns.begin(), returns.end(), [](const auto &made) { return made.alias_info(); }))
                silent.insert(schema.name());
        });
        std::set<std::string> superfluous;
        for (const std::span<const ops::Operator> family : ops::families())
            for (const ops::Operator &row : family)
                if ((row.memory == ops::Memory::MayReturnOperand || row.memory == ops::Memory::MayReturnFirst) &&
                    silent.count(std::string(row.name)) == 0)
                    superfluous.insert(std::string(row.name));
        QCOMPARE(joined(superfluous), QByteArray());
    }

    void allOfAKindThatDependsOnTheBatchAreKnown()
    {
        std::set<std::string> wrong;
        forEachOperator([&](const c10::FunctionSchema &schema) {
            const std::string &name = schema.name();
            if (isInternal(name))
                return;
            ops::Batch expected = ops::Batch::Unknown;
            if (hasAnyOf(name, {"batch_norm", "instance_norm"}))
                expected = ops::Batch::Statistics;
            else if (hasAnyOf(name, {"_dynamic", "choose_qparams", "fused_moving_avg_obs", "aten::quantized_lstm",
                                     "aten::quantized_gru", "aten::quantized_rnn", "fbgemm_linear_int8_weight"}))
                expected = ops::Batch::DynamicRange;
            else if (name.starts_with("aten::squeeze"))
                expected = ops::Batch::DropsOnes;
            const ops::Operator *row = ops::find(name);
            if ((row == nullptr ? ops::Batch::Unknown : row->batch) != expected)
                wrong.insert(name);
        });
        QCOMPARE(joined(wrong), QByteArray());
    }

    /// An operator that gives its operand in another shape shares its memory, or copies where it cannot.
    void anOperatorThatKeepsItsOperandTakesATensorFirst()
    {
        std::set<std::string> wrong;
        forEachOperator([&](const c10::FunctionSchema &schema) {
            const bool isTensor = !schema.arguments().empty() && !schema.returns().empty() &&
                                  schema.arguments().front().type()->kind() == c10::TypeKind::TensorType &&
                                  schema.returns().front().type()->kind() == c10::TypeKind::TensorType;
            const bool hasOne = hasAnyOf(schema.overload_name(), {"prim"}); // aten::to of a device
            if (ops::of(schema.name()).keeps != ops::Keeps::Unknown && !isTensor && !hasOne)
                wrong.insert(schema.name() + "." + schema.overload_name());
        });
        QCOMPARE(joined(wrong), QByteArray());
    }

    void aWeightAndItsInputAreBothOperands()
    {
        std::set<std::string> wrong;
        forEachOperator([&](const c10::FunctionSchema &schema) {
            const auto &tells = ops::of(schema.name()).tells;
            if (!tells)
                return;
            const c10::Argument *data = argumentAt(schema, tells->data);
            const c10::Argument *weight = argumentAt(schema, tells->weight);
            const bool isProduct = tells->of == ops::Tells::Of::InnerDimension;
            const bool isData = data != nullptr && (isProduct ? data->name() == "self" || data->name() == "mat1"
                                                              : data->name() == "input" || data->name() == "indices");
            const bool isWeight =
                weight != nullptr &&
                (isProduct ? weight->name() == "other" || weight->name() == "mat2" : weight->name() == "weight");
            if (!isData || !isWeight)
                wrong.insert(schema.name() + "." + schema.overload_name());
        });
        QCOMPARE(joined(wrong), QByteArray());
    }
};

PIPESCOPE_TEST(TestOperatorRows)
#include "tst_operator_rows.moc"
