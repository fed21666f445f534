// A TorchScript archive read without running anything in it: the archive's records, the pickled attribute tree with
// class names left as names, and the code parsed but not compiled. Serves files with operators this LibTorch does not
// know, and viewing before trusting.
#pragma once

#include "archive/code_listing.h"
#include "base/result.h"
#include "graph/model_graph.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace pipescope::import {

struct Structure
{
    std::string modelClass;
    /// The archive's `version` record.
    std::string producerVersion;
    /// Preorder from the attribute tree.
    std::vector<graph::ModuleInfo> modules;
    /// Tensors in the tree; `value` invalid; isBuffer where the class says so.
    std::vector<graph::Parameter> parameters;
    /// Of the model's own class first.
    std::vector<archive::CodeMethod> methods;
    /// "aten::linear" and how often the code calls it, most first.
    std::vector<std::pair<std::string, int>> operators;
    /// Of these, what this LibTorch has not registered.
    std::vector<std::string> unknownOperators;
    /// For the user: tensors whose storage is missing, or that are constants of the code.
    std::vector<std::string> notes;
};

/// Bounded: at most 1 GiB of code and pickle, and the limits of attribute_tree.h.
/// Errors: InvalidFile saying what is damaged where; Cancelled soon after `stop` is requested.
Result<Structure> readStructure(const std::filesystem::path &path, const std::stop_token &stop = {});

} // namespace pipescope::import
