#include "import/attribute_path.h"

#include <fmt/format.h>
#include <set>
#include <string_view>
#include <utility>

namespace pipescope::import {

namespace {

using Path = std::vector<std::string>;

class PathSearch
{
public:
    /// Adds to the paths found every one from the object to `rest`, two at most.
    void follow(const c10::ivalue::Object &object, std::string_view rest)
    {
        const std::pair place(&object, rest.size());
        if (m_deadEnds.contains(place))
            return;
        const std::size_t before = m_found.size();
        const auto type = object.type();
        for (std::size_t slot = 0; slot < type->numAttributes() && m_found.size() < 2; ++slot) {
            const std::string &name = type->getAttributeName(slot);
            if (!rest.starts_with(name))
                continue;
            m_taken.push_back(name);
            if (rest.size() == name.size())
                m_found.push_back(m_taken);
            else if (const c10::IValue &value = object.getSlot(slot); rest[name.size()] == '.' && value.isObject())
                follow(value.toObjectRef(), rest.substr(name.size() + 1));
            m_taken.pop_back();
        }
        if (m_found.size() == before)
            m_deadEnds.insert(place);
    }

    [[nodiscard]] const std::vector<Path> &found() const { return m_found; }

private:
    Path m_taken;
    std::vector<Path> m_found;
    // Objects that are shared are reached with the same rest in many ways: each is tried once.
    std::set<std::pair<const c10::ivalue::Object *, std::size_t>> m_deadEnds;
};

} // namespace

Result<std::vector<std::string>> attributePath(const torch::jit::Module &module, const std::string &fqn)
{
    if (fqn.empty())
        return Path{};
    PathSearch search;
    search.follow(*module._ivalue(), fqn);
    const std::vector<Path> &found = search.found();
    if (found.empty())
        return Error{ErrorCode::NotFound, fmt::format("the model has nothing named '{}'", fqn), fqn, {}};
    if (found.size() > 1)
        return Error{
            ErrorCode::Unsupported,
            fmt::format("two attributes of the model are named '{}', as names in it hold dots; rename one", fqn),
            fqn,
            {}};
    return found.front();
}

} // namespace pipescope::import
