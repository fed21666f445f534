// make-examples: writes the example models, so that trying Pipescope needs no Python.
#include "base/file.h"
#include "base/text.h"
#include "make_examples/examples.h"
#include "tensor/torch_guard.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <torch/csrc/jit/serialization/export.h>

using namespace pipescope;

namespace {

Status writeExample(const examples::Example &example, examples::Size size, const std::filesystem::path &folder)
{
    const std::filesystem::path file = folder / fmt::format("{}.pt", example.name);
    const Status written = writeFileVia(file, [&](const std::filesystem::path &temporary) {
        std::ofstream out(temporary, std::ios::binary);
        Status saved = tensor::guardTorch(ErrorCode::WriteFailed, file.string(), [&] {
            // Given a path, LibTorch writes its last part into the archive: the same model, another file each time.
            torch::jit::ExportModule(example.build(size), [&out](const void *bytes, std::size_t count) {
                out.write(static_cast<const char *>(bytes), static_cast<std::streamsize>(count));
                return count;
            });
        });
        out.close();
        if (saved && !out)
            saved = Error{ErrorCode::WriteFailed, fmt::format("cannot write '{}'", file.string()), file.string(), {}};
        return saved;
    });
    if (!written)
        return written;
    std::error_code ec;
    const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(file, ec));
    std::cout << fmt::format("{} ({}): {}\n    pipescope-cli run {} --input '{}' {}\n", file.string(),
                             formatBytes(bytes), example.about, file.string(),
                             size == examples::Size::Small ? example.smallInput : example.input, example.options)
              << std::flush;
    return written;
}

Status writeAll(const std::filesystem::path &folder, const std::vector<std::string> &only, examples::Size size)
{
    std::error_code ec;
    std::filesystem::create_directories(folder, ec);
    if (ec)
        return Error{ErrorCode::WriteFailed,
                     fmt::format("cannot make the folder '{}': {}", folder.string(), ec.message()),
                     folder.string(),
                     {}};
    for (const examples::Example &example : examples::allExamples()) {
        if (!only.empty() && std::find(only.begin(), only.end(), example.name) == only.end())
            continue;
        if (auto ok = writeExample(example, size, folder); !ok)
            return ok;
    }
    return Success{};
}

} // namespace

int main(int argc, char **argv)
{
    std::vector<std::string> names;
    for (const examples::Example &example : examples::allExamples())
        names.emplace_back(example.name);
    std::string folder;
    std::vector<std::string> only;
    bool small = false;
    CLI::App app("Writes Pipescope's example models as TorchScript files");
    app.add_option("OUTDIR", folder, "Folder to write to, made if absent")->required();
    app.add_option("--only", only, "Write this one only (may be repeated)")->check(CLI::IsMember(names));
    app.add_flag("--small", small, "Tiny models of the same structure, for tests");
    CLI11_PARSE(app, argc, argv);

    const Status written = writeAll(folder, only, small ? examples::Size::Small : examples::Size::Full);
    if (written)
        return 0;
    std::cerr << "make-examples: " << written.error().message << '\n';
    return exitCode(written.error().code);
}
