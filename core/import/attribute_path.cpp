#include "import/attribute_path.h"

#include <fmt/format.h>
#include <string_view>

namespace pipescope::import {

namespace {

using Path = std::vector<std::string>;

/// Adds to `found` every path from the object to `rest`, two at most.
void findPaths(const c10::ivalue::Object &object, std::string_view rest, Path &taken, std::vector<Path> &found)
{
    const auto type = object.type();
    for (std::size_t slot = 0; slot < type->numAttributes() && found.size() < 2; ++slot) {
        const std::string &name = type->getAttributeName(slot);
        if (!rest.starts_with(name))
            continue;
        taken.push_back(name);
        if (rest.size() == name.size()) {
            found.push_back(taken);
        } else if (const c10::IValue &value = object.getSlot(slot); rest[name.size()] == '.' && value.isModule()) {
            findPaths(value.toObjectRef(), rest.substr(name.size() + 1), taken, found);
        }
        taken.pop_back();
    }
}

} // namespace

Result<std::vector<std::string>> attributePath(const torch::jit::Module &module, const std::string &fqn)
{
    if (fqn.empty())
        return Path{};
    Path taken;
    std::vector<Path> found;
    findPaths(*module._ivalue(), fqn, taken, found);
    if (found.empty())
        return Error{ErrorCode::NotFound, fmt::format("the model has nothing named '{}'", fqn), fqn, {}};
    if (found.size() > 1)
        return Error{
            ErrorCode::Unsupported,
            fmt::format("two attributes of the model are named '{}', as names in it hold dots; rename one", fqn),
            fqn,
            {}};
    return std::move(found.front());
}

} // namespace pipescope::import
