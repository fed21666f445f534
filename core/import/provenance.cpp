#include "import/provenance.h"

#include "base/text.h"

#include <torch/csrc/jit/runtime/custom_operator.h>

namespace pipescope::import {

namespace {

// Separates the parts of a scope's name; cannot occur in identifiers.
constexpr char Separator = '\x1f';
constexpr const char *ScopeNamespace = "scope::";

} // namespace

torch::jit::ScopePtr makeScope(const Provenance &provenance)
{
    const std::string name =
        provenance.fqn + Separator + provenance.className + Separator + std::to_string(provenance.call);
    return c10::make_intrusive<torch::jit::Scope>()->push(c10::Symbol::fromQualString(ScopeNamespace + name));
}

Provenance provenanceOf(const torch::jit::Node &node)
{
    const torch::jit::ScopePtr scope = const_cast<torch::jit::Node &>(node).scope();
    if (!scope || scope->isBlank())
        return {};
    const std::vector<std::string> parts = splitText(scope->name().toUnqualString(), Separator);
    if (parts.size() != 3)
        return {};
    return {parts[0], parts[1], std::stoi(parts[2])};
}

c10::Symbol callBeginsKind()
{
    static const c10::Symbol kind = c10::Symbol::fromQualString("pipescope::call_begins");
    return kind;
}

c10::Symbol callEndsKind()
{
    static const c10::Symbol kind = c10::Symbol::fromQualString("pipescope::call_ends");
    return kind;
}

void registerCallMarks()
{
    // CONSERVATIVE keeps them alive, and without arguments they do not disturb alias analysis (libtorch.md 1.6, 1.11).
    static const torch::jit::RegisterOperators operators({
        torch::jit::Operator(
            "pipescope::call_begins() -> ()", [](torch::jit::Stack &) {}, c10::AliasAnalysisKind::CONSERVATIVE),
        torch::jit::Operator(
            "pipescope::call_ends() -> ()", [](torch::jit::Stack &) {}, c10::AliasAnalysisKind::CONSERVATIVE),
    });
}

std::string shortClassName(const std::string &qualifiedName)
{
    return splitText(qualifiedName, '.').back();
}

} // namespace pipescope::import
