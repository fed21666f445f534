// Everything in a TorchScript archive besides tensor data, read and checked without running any of it: the pickled
// values as trees, the code as a listing. loadModule checks a file with it before LibTorch, which trusts much of what
// it reads, gets to see the file; readStructure shows it.
#pragma once

#include "archive/code_listing.h"
#include "archive/pickle_tree.h"
#include "import/archive/archive.h"

#include <filesystem>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace pipescope::import {

/// One pickle of the archive: "data" (the attribute tree) or "constants" (values baked into the code).
struct ArchivePickle
{
    std::vector<char> bytes;  ///< what the tree's texts point into
    archive::PickleTree tree; ///< no nodes when the archive has no such pickle
};

/// One file of the archive's code.
struct CodeRecord
{
    std::string name; ///< "code/__torch__/model.py"
    std::vector<char> text;
};

/// More code than this is listed and not kept.
inline constexpr std::size_t MaxKeptCode = 16ULL << 20;

enum class CodeUse { List, Keep };

struct ArchiveContent
{
    std::string version; ///< the `version` record
    ArchivePickle data;
    ArchivePickle constants;
    archive::CodeListing code;
    std::vector<CodeRecord> codeRecords; ///< with CodeUse::Keep, unless there is more than MaxKeptCode
    /// Tensors whose record is missing, too small, or smaller than what they show: "data/3 is missing".
    std::vector<std::string> damagedTensors;
    /// How many tensors were on each device but the CPU: {"cuda:0", 12}.
    std::map<std::string, int> devices;
};

/// Errors: InvalidFile saying what is damaged, and Unsupported as Archive::open; `where` is the path with the record,
/// "m.pt: code/__torch__.py:12". Cancelled when `stop` is requested, after the record being read.
Result<ArchiveContent> readContent(const ModelFile &file, const std::stop_token &stop = {},
                                   CodeUse use = CodeUse::List);

} // namespace pipescope::import
