#include "import/load.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <optional>
#include <string_view>
#include <torch/library.h>
#include <vector>

namespace pipescope::import {

namespace {

bool isRegistered(const char *name)
{
    return c10::Dispatcher::singleton().findSchema({name, ""}).has_value();
}

// Lives to the end of the process: the registrations end with their Library. A fragment each, because the names may be
// taken by a Python in this process (pippy::_pipe_split is torch.distributed.pipelining's), and are then left to their
// owner.
std::vector<torch::Library> registerAll()
{
    std::vector<torch::Library> libraries;
    const auto fragment = [&](const char *ns) -> torch::Library & {
        return libraries.emplace_back(torch::Library::FRAGMENT, ns, std::nullopt, __FILE__, __LINE__);
    };
    const auto marker = [](const char *schema) { return torch::schema(schema, c10::AliasAnalysisKind::CONSERVATIVE); };
    if (!isRegistered("pippy::_pipe_split"))
        fragment("pippy").def(marker("_pipe_split() -> ()"), [] {});
    if (!isRegistered("pipescope::split"))
        fragment("pipescope").def(marker("split(str name=\"\") -> ()"), [](std::string_view) {});
    if (!isRegistered("pipescope::boundary"))
        fragment("pipescope")
            .def("boundary(Tensor(a) x, str name=\"\") -> Tensor(a)",
                 [](const at::Tensor &x, std::string_view) { return x; });
    return libraries;
}

} // namespace

void registerMarkers()
{
    static const std::vector<torch::Library> libraries = registerAll();
}

} // namespace pipescope::import
