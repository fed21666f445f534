#include "import/operator_library.h"

#include "base/file.h"
#include "tensor/torch_guard.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <system_error>

namespace pipescope::import {

Status loadOperatorLibrary(const std::filesystem::path &path)
{
    Status readable = checkReadable(path);
    const bool missing = !readable && readable.error().code == ErrorCode::NotFound;
    if (missing && path.has_parent_path())
        return Error{
            ErrorCode::NotFound, fmt::format("there is no operator library '{}'", path.string()), path.string(), {}};
    if (!readable && !missing)
        return readable;
    std::error_code ec;
    const std::string name = missing ? path.string() : std::filesystem::absolute(path, ec).string();
    // Its registrations run in dlopen and may throw, for instance where an operator is registered already.
    Status opened = tensor::guardTorch(ErrorCode::InvalidFile, path.string(), [&]() -> Status {
        if (::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr)
            return Success{};
        const char *reason = ::dlerror();
        return Error{ErrorCode::InvalidFile, reason != nullptr ? reason : "unknown reason", path.string(), {}};
    });
    if (opened)
        return opened;
    return Error{ErrorCode::InvalidFile,
                 fmt::format("cannot load the operator library '{}': {}; it must be built for this LibTorch",
                             path.string(), opened.error().message),
                 path.string(), opened.error().details};
}

} // namespace pipescope::import
