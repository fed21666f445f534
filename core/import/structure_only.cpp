#include "import/structure_only.h"

#include "archive/code_index.h"
#include "base/text.h"
#include "import/archive/archive_content.h"
#include "import/archive/stored_tensor.h"
#include "import/attribute_tree.h"
#include "import/code_on_load.h"
#include "import/file_advice.h"
#include "import/model_file.h"
#include "import/operator_registry.h"
#include "import/provenance.h"
#include "outline/outline.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <map>

namespace pipescope::import {

namespace {

std::vector<std::pair<std::string, int>> mostFirst(const std::map<std::string, int> &calls)
{
    std::vector<std::pair<std::string, int>> sorted(calls.begin(), calls.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) { return a.second > b.second; });
    return sorted;
}

/// How many tensors the code holds as constants: where a frozen model's weights are.
void noteConstants(const ArchivePickle &constants, std::vector<std::string> &notes)
{
    int tensors = 0;
    std::int64_t bytes = 0;
    for (const archive::PickleNode &node : constants.tree.nodes) {
        if (const auto tensor = storedTensor(constants.tree, node)) {
            ++tensors;
            bytes += std::min(tensor->meta.bytes, std::numeric_limits<std::int64_t>::max() - bytes);
        }
    }
    if (tensors > 0)
        notes.push_back(
            tensors == 1 ? fmt::format("1 tensor ({}) is a constant of the code, not a parameter", formatBytes(bytes))
                         : fmt::format("{} tensors ({}) are constants of the code, not parameters", tensors,
                                       formatBytes(bytes)));
}

/// Of code that has been listed, so that all of it can be read.
void addOutline(const ArchiveContent &content, const std::string &method, Structure &structure,
                const std::stop_token &stop)
{
    archive::CodeIndex index;
    for (const CodeRecord &record : content.codeRecords) {
        if (!index.add({record.text.data(), record.text.size()}, record.name))
            return;
    }
    graph::ModelGraph &graph = structure.outline;
    graph.method = method;
    graph.modelClass = shortClassName(structure.modelClass);
    graph.modules.swap(structure.modules);
    graph.parameters.swap(structure.parameters);
    for (std::string &note :
         outline::outlineMethod({content.data.tree, index, content.code.classes}, method, graph, stop))
        structure.notes.push_back(std::move(note));
    graph.modules.swap(structure.modules);
    graph.parameters.swap(structure.parameters);
}

} // namespace

Result<Structure> readStructure(const std::filesystem::path &path, const std::stop_token &stop,
                                const std::string &method, FileHash hash, const Progress &progress)
{
    const Result<ModelFile> file = ModelFile::open(path);
    if (!file)
        return file.error();
    const Result<FileKind> kind = recogniseFile(*file);
    if (!kind)
        return kind.error();
    if (!hasModel(*kind))
        return notAModel(*kind, path);
    Result<ArchiveContent> content = readContent(*file, stop, CodeUse::Keep);
    if (!content)
        return content.error();
    Structure structure;
    structure.kind = *kind;
    structure.producerVersion = content->version;
    if (auto ok = describeTree(*content, structure, stop); !ok)
        return ok.error().code == ErrorCode::Cancelled
                   ? ok.error()
                   : Error{ok.error().code,
                           fmt::format("'{}' is damaged: {}", path.string(), ok.error().message),
                           path.string(),
                           {}};
    structure.methods = content->code.methods;
    std::stable_partition(structure.methods.begin(), structure.methods.end(),
                          [&](const archive::CodeMethod &listed) { return listed.className == structure.modelClass; });
    structure.operators = mostFirst(content->code.calls);
    for (const auto &[name, count] : structure.operators)
        if (!isKnownOperator(name))
            structure.unknownOperators.push_back(name);
    if (std::string note = noteOfCodeOnLoad(*content); !note.empty())
        structure.notes.push_back(std::move(note));
    noteConstants(content->constants, structure.notes);
    for (const std::string &problem : content->damagedTensors)
        structure.notes.push_back(problem);
    addOutline(*content, method, structure, stop);
    if (stop.stop_requested())
        return Error{ErrorCode::Cancelled, "stopped while reading the model", path.string(), {}};
    if (hash == FileHash::Taken || file->size() <= LongestHashedAtOnce) {
        Result<std::string> sha256 = file->sha256(stop, progress);
        if (!sha256)
            return sha256.error();
        structure.sha256 = *std::move(sha256);
    }
    if (auto ok = file->checkUnchanged(); !ok)
        return ok.error();
    return structure;
}

} // namespace pipescope::import
