#include "import/archive/archive_content.h"

#include "archive/code_tokens.h"
#include "archive/type_size.h"
#include "base/text.h"
#include "import/archive/debug_record.h"
#include "import/archive/stored_tensor.h"
#include "import/model_file.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_set>

namespace pipescope::import {

namespace {

using archive::PickleNode;
using archive::PickleTree;

constexpr std::size_t MostDevices = 64; // that are told apart

std::string_view view(const std::vector<char> &bytes)
{
    return {bytes.data(), bytes.size()};
}

bool isCode(std::string_view name)
{
    constexpr std::string_view Folder = "code/";
    constexpr std::string_view Ending = ".py";
    return name.size() > Folder.size() + Ending.size() && name.substr(0, Folder.size()) == Folder &&
           name.substr(name.size() - Ending.size()) == Ending;
}

// Source ranges; LibTorch reads them when somebody asks where a node comes from, with recursion and few checks.
bool isDebug(std::string_view name)
{
    constexpr std::string_view Ending = ".debug_pkl";
    return name.size() > Ending.size() && name.substr(name.size() - Ending.size()) == Ending;
}

class ContentReader
{
public:
    ContentReader(Archive archive, std::stop_token stop, CodeUse use)
        : m_archive(std::move(archive))
        , m_stop(std::move(stop))
        , m_use(use)
    {
    }

    Result<ArchiveContent> read()
    {
        if (auto ok = readVersion(); !ok)
            return ok.error();
        if (auto ok = readTree("data", m_content.data); !ok)
            return ok.error();
        if (m_archive.has("constants.pkl"))
            if (auto ok = readTree("constants", m_content.constants); !ok)
                return ok.error();
        for (const std::string &name : m_archive.names())
            if (auto ok = isCode(name) ? readCode(name) : isDebug(name) ? checkDebug(name) : Status(Success{}); !ok)
                return ok.error();
        if (auto ok = archive::checkTypeSizes(m_content.code); !ok)
            return ok.error();
        return std::move(m_content);
    }

private:
    Status readVersion()
    {
        // torch.jit.save of some models (traced ones, since 2.x) writes it into a hidden folder.
        const auto bytes = m_archive.read(m_archive.has("version") ? "version" : ".data/version");
        if (!bytes)
            return bytes.error();
        m_content.version = trimmed(view(*bytes).substr(0, 32));
        return Success{};
    }

    Result<std::vector<char>> readRecord(const std::string &name)
    {
        if (m_stop.stop_requested())
            return Error{ErrorCode::Cancelled, "stopped while reading the model", name, {}};
        return m_archive.read(name);
    }

    Status readCode(const std::string &name)
    {
        auto bytes = readRecord(name);
        if (!bytes)
            return bytes.error();
        Status listed = archive::listCode(view(*bytes), name, m_content.code);
        if (listed && m_use == CodeUse::Keep)
            keep(name, *std::move(bytes));
        return listed;
    }

    /// All of it or nothing.
    void keep(const std::string &name, std::vector<char> text)
    {
        m_codeBytes += name.size() + text.size();
        if (m_codeBytes <= MaxKeptCode)
            m_content.codeRecords.push_back({name, std::move(text)});
        else
            m_content.codeRecords.clear();
    }

    Status checkDebug(const std::string &name)
    {
        const auto bytes = readRecord(name);
        if (!bytes)
            return bytes.error();
        const auto tree = archive::readPickle(view(*bytes), name, archive::PickleDialect::TorchScript);
        if (!tree)
            return tree.error();
        const std::string fault = faultOfDebugRecord(*tree, m_debugLines);
        return fault.empty() ? Status(Success{})
                             : Error{ErrorCode::InvalidFile, fmt::format("{} in {}", fault, name), name, {}};
    }

    Status readTree(const std::string &name, ArchivePickle &pickle)
    {
        const std::string record = name + ".pkl";
        auto bytes = readRecord(record);
        if (!bytes)
            return bytes.error();
        pickle.bytes = std::move(*bytes);
        auto tree = archive::readPickle(view(pickle.bytes), record, archive::PickleDialect::TorchScript);
        if (!tree)
            return tree.error();
        pickle.tree = std::move(*tree);
        for (const PickleNode &node : pickle.tree.nodes) {
            if (const auto tensor = storedTensor(pickle.tree, node))
                checkTensor(*tensor, name + "/" + tensor->storage);
            else if (auto ok = checkTypeText(pickle.tree, node, record); !ok)
                return ok;
        }
        return Success{};
    }

    void checkTensor(const StoredTensor &tensor, const std::string &record)
    {
        if (!tensor.hasValues)
            return;
        if (!tensor.device.empty() && tensor.device != "cpu" && m_content.devices.size() < MostDevices)
            ++m_content.devices[tensor.device];
        std::string problem;
        const std::optional<std::uint64_t> size = tensor.storageElements > 0 ? m_archive.sizeOf(record) : 0;
        if (!size)
            problem = fmt::format("{} is missing", record);
        else if (*size < tensor.storageBytes)
            problem = fmt::format("{} has {} bytes where {} are needed", record, *size, tensor.storageBytes);
        else if (tensor.endElement > tensor.storageElements)
            problem = fmt::format("a tensor reaches beyond the {} elements of {}", tensor.storageElements, record);
        if (!problem.empty() && m_problems.insert(problem).second)
            m_content.damagedTensors.push_back(problem);
    }

    /// Types of lists and dicts are written as text, which LibTorch parses with recursion.
    Status checkTypeText(const PickleTree &tree, const PickleNode &node, const std::string &record)
    {
        if (node.kind != PickleNode::Kind::Call || !tree.isNamed(node, "torch.jit._pickle.restore_type_tag"))
            return Success{};
        const PickleNode *arguments = tree.item(node, 1);
        const PickleNode *text = arguments != nullptr ? tree.item(*arguments, 1) : nullptr;
        if (text == nullptr || !m_checkedTypes.insert(text).second)
            return Success{};
        archive::CodeReader reader(text->text, "a type in " + record);
        archive::CodeStatement statement;
        const auto read = reader.next(statement);
        return read ? Status(Success{}) : Status(read.error());
    }

    Archive m_archive;
    std::stop_token m_stop;
    CodeUse m_use;
    std::size_t m_codeBytes = 0;
    std::size_t m_debugLines = 0;
    ArchiveContent m_content;
    std::set<std::string> m_problems;
    std::unordered_set<const PickleNode *> m_checkedTypes;
};

} // namespace

Result<ArchiveContent> readContent(const ModelFile &file, const std::stop_token &stop, CodeUse use)
{
    const std::filesystem::path &path = file.path();
    const auto damaged = [&](const Error &error) {
        if (error.code == ErrorCode::Cancelled)
            return error;
        const std::string where = error.where == path.string() ? error.where : path.string() + ": " + error.where;
        const std::string_view what = error.code == ErrorCode::Unsupported ? "cannot be read here" : "is damaged";
        return Error{error.code, fmt::format("'{}' {}: {}", path.string(), what, error.message), where, error.details};
    };
    Result<Archive> opened = Archive::open(file);
    if (!opened)
        return opened.error().code == ErrorCode::Unsupported ? opened.error() : damaged(opened.error());
    Result<ArchiveContent> content = ContentReader(std::move(*opened), stop, use).read();
    return content ? std::move(content) : damaged(content.error());
}

} // namespace pipescope::import
