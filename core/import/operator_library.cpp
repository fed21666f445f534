#include "import/operator_library.h"

#include "base/file.h"
#include "tensor/torch_guard.h"

#include <ATen/Context.h>
#include <array>
#include <dlfcn.h>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace pipescope::import {

namespace {

/// By these a wheel that was built for CUDA asks for LibTorch's GPU half.
constexpr std::array<std::string_view, 3> GpuHalf{"libtorch.so", "libtorch_cuda.so", "libc10_cuda.so"};

/// Where app/without_cuda is, from the folder of the program: built and installed alike (cmake/PipescopeInstall.cmake).
constexpr std::string_view WithoutCuda = "../lib/pipescope/without_cuda";

std::filesystem::path folderOfProgram()
{
    std::error_code ec;
    return std::filesystem::read_symlink("/proc/self/exe", ec).parent_path();
}

/// The folder of the LibTorch that runs here.
std::filesystem::path folderOfLibTorch()
{
    Dl_info info{};
    const auto *inside = reinterpret_cast<const void *>(&at::globalContext);
    return ::dladdr(inside, &info) != 0 && info.dli_fname != nullptr
               ? std::filesystem::path(info.dli_fname).parent_path()
               : std::filesystem::path();
}

/// What the loader says, behind the name, of a file that it does not find.
constexpr std::string_view CannotOpen = ": cannot open shared object file";

Error notThere(const std::filesystem::path &library, std::string_view where)
{
    return {ErrorCode::NotFound,
            fmt::format("there is no operator library '{}'{}; give the path of the .so file that is installed with "
                        "these operators, as torchvision's _C.so is",
                        library.string(), where),
            library.string(),
            {}};
}

/// The name of the GPU half that the loader missed, else "": "libtorch.so: cannot open shared object file: ...".
std::string_view missedOfGpuHalf(std::string_view reason)
{
    for (const std::string_view name : GpuHalf)
        if (reason.starts_with(name) && reason.substr(name.size()).starts_with(CannotOpen))
            return name;
    return {};
}

/// Loads LibTorch's own library of that name where it can be loaded, else the one that is there for its name only.
/// Later libraries that need the name then find it loaded.
bool supply(std::string_view name)
{
    for (const std::filesystem::path &folder : {folderOfLibTorch(), folderOfProgram() / WithoutCuda})
        if (::dlopen((folder / name).c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr)
            return true;
    return false;
}

/// "" where it is open now, else the loader's reason.
std::string open(const std::string &library)
{
    for (std::size_t supplied = 0;; ++supplied) {
        if (::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr)
            return {};
        const char *said = ::dlerror();
        std::string reason = said != nullptr ? said : "unknown reason";
        const std::string_view missed = missedOfGpuHalf(reason);
        if (missed.empty() || supplied == GpuHalf.size() || !supply(missed))
            return reason;
    }
}

} // namespace

Status loadOperatorLibrary(const std::filesystem::path &path)
{
    Status readable = checkReadable(path);
    const bool missing = !readable && readable.error().code == ErrorCode::NotFound;
    if (missing && path.has_parent_path())
        return notThere(path, "");
    if (!readable && !missing)
        return readable;
    std::error_code ec;
    const std::string name = missing ? path.string() : std::filesystem::absolute(path, ec).string();
    // Its registrations run in dlopen and may throw, for instance where an operator is registered already.
    Status opened = tensor::guardTorch(ErrorCode::InvalidFile, path.string(), [&]() -> Status {
        std::string reason = open(name);
        if (reason.empty())
            return Success{};
        return Error{ErrorCode::InvalidFile, std::move(reason), path.string(), {}};
    });
    if (opened)
        return opened;
    if (missing && opened.error().message.starts_with(name + std::string(CannotOpen)))
        return notThere(path, " in this folder, and the system knows no library of that name");
    return Error{ErrorCode::InvalidFile,
                 fmt::format("cannot load the operator library '{}': {}; it must be built for this LibTorch",
                             path.string(), opened.error().message),
                 path.string(), opened.error().details};
}

} // namespace pipescope::import
