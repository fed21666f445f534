#include "archive/zip_names.h"
#include "import/file_advice.h"
#include "import/load.h"
#include "import/model_file.h"
#include "plan/plan_file.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <istream>
#include <string_view>

namespace pipescope::import {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t HeadSize = 4096;

struct Head
{
    std::string bytes;
    std::uintmax_t fileSize = 0;
};

Result<Head> readHead(const ModelFile &file)
{
    Result<std::string> bytes = file.head(HeadSize);
    if (!bytes)
        return bytes.error();
    return Head{*std::move(bytes), file.size()};
}

bool ends(std::string_view text, std::string_view with)
{
    return text.size() >= with.size() && text.substr(text.size() - with.size()) == with;
}

bool isExecuTorch(std::string_view bytes)
{
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    return bytes.size() >= 8 && bytes.substr(4, 2) == "ET" && isDigit(bytes[6]) && isDigit(bytes[7]);
}

/// Names without the folder that all of an archive of PyTorch's lies in.
std::vector<std::string> withoutRoot(std::vector<std::string> names)
{
    const std::string root = names.empty() ? "" : names.front().substr(0, names.front().find('/') + 1);
    const bool shared = !root.empty() && std::all_of(names.begin(), names.end(), [&](const std::string &name) {
        return name.compare(0, root.size(), root) == 0;
    });
    if (shared)
        for (std::string &name : names)
            name.erase(0, root.size());
    return names;
}

FileKind kindOfArchive(std::vector<std::string> stored)
{
    const std::vector<std::string> names = withoutRoot(std::move(stored));
    const auto has = [&](std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); };
    const auto hasBelow = [&](std::string_view folder, std::string_view ending) {
        return std::any_of(names.begin(), names.end(), [&](const std::string &name) {
            return name.compare(0, folder.size(), folder) == 0 && ends(name, ending);
        });
    };
    const bool code = hasBelow("code/", ".py");
    if (has("model.json") && has("version"))
        return FileKind::EarlyTorchScript;
    if (has("serialized_exported_program.json") || (has("archive_format") && hasBelow("models/", ".json")))
        return FileKind::ExportedProgram;
    if (has(".data/extern_modules") || (hasBelow(".data/", "") && hasBelow("", ".py") && !code))
        return FileKind::TorchPackage;
    if (has("bytecode.pkl"))
        return code ? FileKind::TorchScriptLite : FileKind::LiteWithoutCode;
    if (has("data.pkl") && (code || has("constants.pkl")))
        return FileKind::TorchScript;
    if (has("data.pkl"))
        return FileKind::StateDict;
    return std::any_of(names.begin(), names.end(), isModelName) ? FileKind::ZipOfModels : FileKind::Unknown;
}

bool isSafetensors(const Head &head)
{
    if (head.bytes.size() < 10 || head.bytes[8] != '{')
        return false;
    std::uint64_t length = 0;
    for (int i = 7; i >= 0; --i)
        length = length << 8 | static_cast<unsigned char>(head.bytes[static_cast<std::size_t>(i)]);
    return length >= 2 && length <= head.fileSize - 8;
}

/// A variable-length protobuf integer at `at`, which moves past it; false when the bytes end first.
bool readVarint(std::string_view bytes, std::size_t &at, std::uint64_t &value)
{
    value = 0;
    for (int shift = 0; at < bytes.size() && shift < 64; shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes[at++]);
        value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0)
            return true;
    }
    return false;
}

/// Whether the file is ONNX's ModelProto: field 1 (ir_version) first and small, then only fields that message has, each
/// with its wire type, up to the one that runs past the bytes at hand.
bool isOnnx(const Head &head)
{
    std::size_t at = 0;
    std::uint64_t key = 0;
    std::uint64_t value = 0;
    bool graphSeen = false;
    while (at < head.bytes.size()) {
        const bool first = at == 0;
        if (!readVarint(head.bytes, at, key) || !readVarint(head.bytes, at, value))
            return false;
        const std::uint64_t field = key >> 3;
        const bool isNumber = field == 1 || field == 5;
        const bool isMessage = field == 2 || field == 3 || field == 4 || (field >= 6 && field <= 8) || field == 14 ||
                               field == 20 || field == 25 || field == 26;
        if ((first && (field != 1 || value < 1 || value > 1000)) || !(isNumber || isMessage))
            return false;
        if ((key & 7) != (isNumber ? 0U : 2U))
            return false;
        if (isNumber)
            continue;
        graphSeen = graphSeen || field == 7;
        if (value > head.fileSize - at)
            return false;
        if (value > head.bytes.size() - at)
            return true;
        at += value;
    }
    return graphSeen;
}

bool isText(std::string_view bytes)
{
    return std::all_of(bytes.begin(), bytes.end(), [](unsigned char c) {
        return c >= 0x20 ? c != 0x7f : c == '\n' || c == '\r' || c == '\t' || c == '\f';
    });
}

bool isLegacyPickle(std::string_view bytes)
{
    // PROTO n, LONG1 of ten bytes: torch.save's magic number 0x1950a86a20f9469cfc6c.
    return bytes.size() >= 14 && bytes[0] == '\x80' &&
           bytes.substr(2, 12) == "\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";
}

} // namespace

std::string_view fileKindName(FileKind kind)
{
    switch (kind) {
    case FileKind::TorchScript:
        return "TorchScript model";
    case FileKind::TorchScriptLite:
        return "TorchScript model for the lite interpreter";
    case FileKind::LiteWithoutCode:
        return "lite interpreter model without code";
    case FileKind::EarlyTorchScript:
        return "early TorchScript model (model.json)";
    case FileKind::ExecuTorch:
        return "ExecuTorch program";
    case FileKind::StateDict:
        return "tensors or state dict (torch.save)";
    case FileKind::LegacyPickle:
        return "torch.save file of before PyTorch 1.6";
    case FileKind::TorchPackage:
        return "torch.package";
    case FileKind::ExportedProgram:
        return "exported program (torch.export)";
    case FileKind::Safetensors:
        return "safetensors file";
    case FileKind::Onnx:
        return "ONNX model";
    case FileKind::Plan:
        return "Pipescope plan";
    case FileKind::ZipOfModels:
        return "zip archive of models";
    case FileKind::GitLfsPointer:
        return "Git LFS pointer";
    case FileKind::Text:
        return "text file";
    case FileKind::Empty:
        return "empty file";
    case FileKind::Unknown:
        break;
    }
    return "unknown kind of file";
}

Result<FileKind> recogniseFile(const fs::path &path)
{
    const Result<ModelFile> file = ModelFile::open(path);
    return file ? recogniseFile(*file) : Result<FileKind>(file.error());
}

Result<FileKind> recogniseFile(const ModelFile &file)
{
    const Result<Head> head = readHead(file);
    if (!head)
        return head.error();
    const std::string_view bytes = head->bytes;
    if (bytes.empty())
        return FileKind::Empty;
    if (bytes.substr(0, 4) == "PK\3\4" || bytes.substr(0, 4) == "PK\5\6") {
        const Result<std::vector<std::string>> names = archive::zipNames(*file.stream(), file.path().string());
        if (!names)
            return names.error();
        return kindOfArchive(*names);
    }
    if (bytes.size() >= 8 && bytes.substr(4, 4) == "PTMF") // flatbuffer's file identifier
        return FileKind::LiteWithoutCode;
    if (isExecuTorch(bytes))
        return FileKind::ExecuTorch;
    if (isLegacyPickle(bytes))
        return FileKind::LegacyPickle;
    if (isSafetensors(*head))
        return FileKind::Safetensors;
    if (bytes.starts_with("version https://git-lfs.github.com/spec/"))
        return FileKind::GitLfsPointer;
    if (isText(bytes))
        return plan::looksLikePlan(file.path()) ? FileKind::Plan : FileKind::Text;
    return isOnnx(*head) ? FileKind::Onnx : FileKind::Unknown;
}

} // namespace pipescope::import
