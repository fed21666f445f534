// Lists and dicts of one call that are changed in place, and where that forbids a cut. They can go from stage to stage
// nevertheless: a stage that changes one it was given changes a copy (stage_copies.h), and who uses it later gets it
// from there. Private to partition/.
#pragma once

#include "graph/model_graph.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace pipescope::partition {

/// Values that may be one list or dict, or hold it; all are arguments or results. At least one node puts an item in or
/// takes one out, and none is known to do more to it.
struct CallContainer
{
    std::vector<ValueId> values; ///< ascending
    std::vector<int> writes;     ///< positions, ascending

    friend bool operator==(const CallContainer &, const CallContainer &) = default;
};

/// No cut is possible at a position in [first, last].
struct ContainerBan
{
    enum class Why {
        UsedBySecondName, ///< changed before the cut; `user` after it takes `value`, which was there before the change
        CrossesTwice,     ///< changed after the cut, where `value` and `other` are used, too
        HoldsContainers,  ///< changed after the cut, where `value` is used, of which a copy would share what it holds
        Returned,         ///< changed after the cut, and `value`, made before it, is returned
    };
    int first = 0;
    int last = 0;
    Why why = Why::UsedBySecondName;
    NodeId writer;
    ValueId value;
    ValueId other;
    NodeId user;
};

/// Whether a value of this type may be a list, dict or object, or hold one. A list of tensors shares their memory, but
/// an item that is put in changes no tensor: the list itself is a memory apart.
[[nodiscard]] bool mayBeContainer(const std::string &type);

/// Whether a value of this type is a list or dict without any in it.
[[nodiscard]] bool isFlatContainer(const std::string &type);

/// Whether a value of one type can neither be nor hold one of the other, since one is a flat list and the other a flat
/// dict.
[[nodiscard]] bool areListAndDict(const std::string &type, const std::string &other);

/// By number in `containerOf`, which is one for values that may be one list or dict; `isKept` tells the numbers of
/// those that the model may keep for the next call. What is returned as it was given is none: there the caller looks.
[[nodiscard]] std::map<int, CallContainer> callContainers(const graph::ModelGraph &graph,
                                                          const std::vector<int> &containerOf,
                                                          const std::function<bool(int)> &isKept);

[[nodiscard]] std::vector<ContainerBan> containerBans(const graph::ModelGraph &graph,
                                                      const std::vector<CallContainer> &containers);

/// Why, as a sentence.
[[nodiscard]] std::string reasonOf(const ContainerBan &ban, const graph::ModelGraph &graph);

} // namespace pipescope::partition
