// What the split model returned beside what the unsplit one did, leaf by leaf, over all microbatches.
#pragma once

#include "check/equivalence.h"

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace pipescope::check {

/// "output", and inside a container with the path of tensor/ivalue_tree.h: "output[1]['boxes']".
[[nodiscard]] std::string outputName(const std::string &path);

/// One leaf of what the method returns.
struct ComparedOutput
{
    report::OutputEquivalence answer; ///< its `first` is not looked for here
    MicrobatchId firstDifferent;      ///< the first in which it is not equal; invalid where it is equal in all
    std::size_t result = 0;           ///< which of the graph's outputs it is in
    std::vector<std::size_t> places;  ///< of the item at each level inside, dicts by their order
};

class OutputComparison
{
public:
    /// The options must outlive this.
    explicit OutputComparison(const CheckOptions &options);

    /// The next microbatch's, one for each of the graph's outputs. Dicts are compared by key; where two containers
    /// differ in kind, size or keys, the container is the leaf, and of kind "structure". Class objects are dicts of
    /// their fields, and futures what they come to (tensor/opened_value.h). Returns all of them together, but for
    /// leaves that cannot be compared, which are in none of the answers.
    report::Difference add(const std::vector<c10::IValue> &expected, const std::vector<c10::IValue> &actual);

    /// In the order they were first met. Of more than 1000 only those are kept that are not equal, up to 1000 more.
    [[nodiscard]] const std::vector<ComparedOutput> &outputs() const { return m_outputs; }
    /// Which output cannot be compared first, and why: "output[1] cannot be compared: ..."; "" where all can.
    [[nodiscard]] const std::string &unknown() const { return m_unknown; }
    /// Whether torch.testing.assert_close would call all that was compared close; by the user's tolerance where there
    /// is one.
    [[nodiscard]] bool closeByTorch() const { return m_closeByTorch; }
    /// How many are not kept.
    [[nodiscard]] int more() const;

private:
    struct Leaf;
    struct Walk;

    void note(const Leaf &leaf, const report::Difference &difference);

    const CheckOptions &m_options;
    MicrobatchId m_microbatch; ///< the one that is added
    std::vector<ComparedOutput> m_outputs;
    std::unordered_map<std::string, std::size_t> m_byName;
    std::string m_unknown;
    bool m_closeByTorch = true;
    std::size_t m_mostLeaves = 0; ///< of any microbatch
};

} // namespace pipescope::check
