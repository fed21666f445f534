// A TorchScript archive read without running anything in it: the archive's records, the pickled attribute tree with
// class names left as names, and the code parsed but not compiled. Serves files with operators this LibTorch does not
// know, and viewing before trusting.
#pragma once

#include "archive/code_listing.h"
#include "base/progress.h"
#include "base/result.h"
#include "graph/model_graph.h"
#include "import/load.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace pipescope::import {

struct Structure
{
    FileKind kind = FileKind::TorchScript;
    std::string sha256; ///< of the bytes that all of this was read from; "" where it was left out
    std::string modelClass;
    /// The archive's `version` record.
    std::string producerVersion;
    /// Preorder from the attribute tree.
    std::vector<graph::ModuleInfo> modules;
    /// Tensors in the tree; isBuffer where the class says so; `value` is the outline's, invalid where it uses none.
    std::vector<graph::Parameter> parameters;
    /// What a method does, as far as its code says (outline/outline.h); without modules and parameters, which are
    /// above.
    graph::ModelGraph outline;
    /// Of the model's own class first.
    std::vector<archive::CodeMethod> methods;
    /// "aten::linear" and how often the code calls it, most first.
    std::vector<std::pair<std::string, int>> operators;
    /// Of these, what this LibTorch has not registered.
    std::vector<std::string> unknownOperators;
    /// For the user: code that loading would run; tensors whose storage is missing, or that are constants of the code;
    /// what the outline leaves out.
    std::vector<std::string> notes;
};

/// Whether the file is read to its end for its hash, which takes a second for each 500 MB or so.
enum class FileHash { Taken, LeftOutWhereLong };
/// A longer file's is left out then.
inline constexpr std::uintmax_t LongestHashedAtOnce = 64 << 20;

/// Bounded: at most 1 GiB of code and pickle, and the limits of attribute_tree.h.
/// `method` is the one that is outlined. The hash comes last, and says how far it is.
/// Errors: NotFound; InvalidFile saying what is damaged where, and where the file is written or replaced while it is
/// read; Cancelled soon after `stop` is requested.
Result<Structure> readStructure(const std::filesystem::path &path, const std::stop_token &stop = {},
                                const std::string &method = "forward", FileHash hash = FileHash::Taken,
                                const Progress &progress = {});

} // namespace pipescope::import
