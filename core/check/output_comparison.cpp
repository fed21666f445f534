#include "check/output_comparison.h"

#include "check/difference.h"
#include "tensor/ivalue_tree.h"
#include "tensor/opened_value.h"

#include <ATen/core/Dict.h>
#include <ATen/core/TensorBody.h>
#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace pipescope::check {

namespace {

using Values = std::vector<c10::IValue>;

constexpr int DepthLimit = 64;
constexpr std::size_t MostOutputs = 1000;

/// What a leaf is held to; nothing where every bit counts.
std::optional<tensor::Tolerance> toleranceFor(const c10::IValue &value, const CheckOptions &options)
{
    const bool isNumber = value.isComplexDouble() || value.isDouble() || value.isInt() || value.isBool();
    return tensor::isDefinedTensor(value) || isNumber ? options.tolerance : std::nullopt;
}

/// "[1]['h'] at (3, 17): expected 1.5, got 2.5": as tensor::compare says it of a whole tree.
std::string placed(const std::string &path, const std::string &worst)
{
    if (path.empty() || worst.empty())
        return worst;
    if (worst.starts_with('[')) // inside a nested tensor
        return path + worst;
    return fmt::format("{}{}{}", path, worst.starts_with("at (") ? " " : ": ", worst);
}

bool haveSameKeys(const c10::impl::GenericDict &a, const c10::impl::GenericDict &b)
{
    if (a.size() != b.size())
        return false;
    for (const auto &entry : a)
        if (!b.contains(entry.key()))
            return false;
    return true;
}

} // namespace

std::string outputName(const std::string &path)
{
    return "output" + path;
}

struct OutputComparison::Leaf
{
    std::size_t result;
    const std::string &path;
    const std::vector<std::size_t> &places;
    const c10::IValue &expected;
};

/// Both trees at once, down to where they are leaves or no longer alike.
struct OutputComparison::Walk
{
    OutputComparison &owner;
    std::size_t result;
    report::Difference total;
    std::size_t leaves = 0;
    std::vector<std::size_t> places;

    void visit(const c10::IValue &expected, const c10::IValue &actual, const std::string &path)
    {
        const bool mayDescend = places.size() < DepthLimit;
        if (mayDescend && expected.isTuple() && actual.isTuple() &&
            expected.toTupleRef().elements().size() == actual.toTupleRef().elements().size())
            visitItems(expected.toTupleRef().elements().vec(), actual.toTupleRef().elements().vec(), path);
        else if (mayDescend && expected.isList() && actual.isList() &&
                 expected.toListRef().size() == actual.toListRef().size())
            visitItems(expected.toListRef().vec(), actual.toListRef().vec(), path);
        else if (mayDescend && expected.isGenericDict() && actual.isGenericDict() &&
                 haveSameKeys(expected.toGenericDict(), actual.toGenericDict()))
            visitEntries(expected.toGenericDict(), actual.toGenericDict(), path);
        else
            compareLeaf(expected, actual, path);
    }

private:
    void visitItems(const Values &expected, const Values &actual, const std::string &path)
    {
        for (std::size_t i = 0; i < expected.size(); ++i)
            visitItem(i, expected[i], actual[i], fmt::format("{}[{}]", path, i));
    }

    void visitEntries(const c10::impl::GenericDict &expected, const c10::impl::GenericDict &actual,
                      const std::string &path)
    {
        std::size_t place = 0;
        for (const auto &entry : expected) {
            const std::string key = entry.key().isString() ? fmt::format("'{}'", entry.key().toStringRef())
                                                           : tensor::describeValue(entry.key());
            visitItem(place++, entry.value(), actual.at(entry.key()), fmt::format("{}[{}]", path, key));
        }
    }

    void visitItem(std::size_t place, const c10::IValue &expected, const c10::IValue &actual, const std::string &path)
    {
        places.push_back(place);
        visit(expected, actual, path);
        places.pop_back();
    }

    void compareLeaf(const c10::IValue &expected, const c10::IValue &actual, const std::string &path)
    {
        const tensor::Comparison comparison = tensor::compare(expected, actual, owner.m_options.tolerance);
        if (!comparison.unknown.empty()) { // it says nothing, neither yes nor no
            if (owner.m_unknown.empty())
                owner.m_unknown = fmt::format("{} cannot be compared: {}", outputName(path), comparison.unknown);
            return;
        }
        owner.m_closeByTorch = owner.m_closeByTorch && comparison.close;
        const report::Difference difference = toDifference(comparison, owner.m_options);
        owner.note({result, path, places, expected}, difference);
        report::Difference inWhole = difference;
        inWhole.worst = placed(path, difference.worst);
        total = worse(total, inWhole);
        ++leaves;
    }
};

OutputComparison::OutputComparison(const CheckOptions &options)
    : m_options(options)
{
}

report::Difference OutputComparison::add(const Values &expected, const Values &actual)
{
    PIPESCOPE_ASSERT(expected.size() == actual.size());
    ++m_microbatch.value;
    report::Difference total;
    std::size_t leaves = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        Walk walk{*this, i, {}, 0, {}};
        walk.visit(tensor::opened(expected[i]), tensor::opened(actual[i]),
                   expected.size() == 1 ? std::string() : fmt::format("[{}]", i));
        total = worse(total, walk.total);
        leaves += walk.leaves;
    }
    m_mostLeaves = std::max(m_mostLeaves, leaves);
    return total;
}

void OutputComparison::note(const Leaf &leaf, const report::Difference &difference)
{
    const std::string name = outputName(leaf.path);
    auto found = m_byName.find(name);
    if (found == m_byName.end()) {
        if (m_outputs.size() >= (difference.equal ? MostOutputs : 2 * MostOutputs))
            return;
        ComparedOutput output;
        output.answer.name = name;
        output.result = leaf.result;
        output.places = leaf.places;
        found = m_byName.emplace(name, m_outputs.size()).first;
        m_outputs.push_back(std::move(output));
    }
    ComparedOutput &output = m_outputs[found->second];
    if (const auto tolerance = toleranceFor(leaf.expected, m_options)) {
        output.answer.rtol = tolerance->rtol;
        output.answer.atol = tolerance->atol;
    }
    if (!difference.equal && !output.firstDifferent.valid())
        output.firstDifferent = m_microbatch;
    if (isWorse(difference, output.answer.difference))
        output.answer.worst = m_microbatch;
    output.answer.difference = worse(output.answer.difference, difference);
}

int OutputComparison::more() const
{
    return static_cast<int>(m_mostLeaves - std::min(m_mostLeaves, m_outputs.size()));
}

} // namespace pipescope::check
