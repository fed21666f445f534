#include "import/operator_questions.h"

#include <exception>

namespace pipescope::import {

namespace {

using torch::jit::Node;

/// `otherwise` where LibTorch throws in place of an answer.
template <class Answer, class Question>
Answer ask(Answer otherwise, const Question &question)
{
    try {
        return question();
    } catch (const std::exception &) {
        return otherwise;
    }
}

/// An operator of a library, LibTorch's own too, without which no interpreter runs the node.
bool lacksOperator(const Node &node)
{
    return !node.kind().is_prim() && operatorOf(node) == nullptr;
}

} // namespace

const torch::jit::Operator *operatorOf(const Node &node)
{
    return ask<const torch::jit::Operator *>(nullptr, [&] { return node.maybeOperator(); });
}

const c10::FunctionSchema *schemaOf(const Node &node)
{
    const torch::jit::Operator *const found = operatorOf(node);
    return found == nullptr ? nullptr : ask<const c10::FunctionSchema *>(nullptr, [&] { return &found->schema(); });
}

std::optional<c10::AliasAnalysisKind> aliasKindOf(const Node &node)
{
    const torch::jit::Operator *const found = operatorOf(node);
    if (found == nullptr)
        return std::nullopt;
    return ask(c10::AliasAnalysisKind::CONSERVATIVE, [&] { return found->aliasAnalysisKind(); });
}

bool hasSideEffects(const Node &node)
{
    return lacksOperator(node) || ask(true, [&] { return node.hasSideEffects(); });
}

bool isNondeterministic(const Node &node)
{
    return lacksOperator(node) || ask(true, [&] { return node.isNondeterministic(); });
}

} // namespace pipescope::import
