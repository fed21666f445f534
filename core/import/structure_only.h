// A TorchScript archive read without running anything in it: the archive's records, the pickled attribute tree with
// class names left as names, and the code parsed but not compiled. Serves files with operators this LibTorch does not
// know, and viewing before trusting.
#pragma once

#include "base/result.h"
#include "graph/model_graph.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace pipescope::import {

struct CodeMethod
{
    std::string className; ///< "__torch__.model.Block"
    std::string name;      ///< "forward"
    std::string signature; ///< as written: "(self, x: Tensor) -> Tensor"
    int line = 0;          ///< in the archive's code file

    friend bool operator==(const CodeMethod &, const CodeMethod &) = default;
};

struct Structure
{
    std::string modelClass;
    std::string producerVersion;            ///< the archive's `version` record
    std::vector<graph::ModuleInfo> modules; ///< preorder from the attribute tree
    std::vector<graph::Parameter>
        parameters;                  ///< tensors in the tree; `value` invalid; isBuffer where the class says so
    std::vector<CodeMethod> methods; ///< of the model's own class first
    std::vector<std::pair<std::string, int>> operators; ///< "aten::linear" and how often the code calls it, most first
    std::vector<std::string> unknownOperators;          ///< of these, what this LibTorch has not registered
    std::vector<std::string> notes;                     ///< e.g. tensors whose storage is missing
};

/// Error: InvalidFile saying what is damaged where. Bounded: at most 1 GiB of code and pickle, 64 levels deep.
Result<Structure> readStructure(const std::filesystem::path &path);

} // namespace pipescope::import
