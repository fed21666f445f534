#include "exec/module_tree.h"

#include "base/text.h"
#include "import/provenance.h"

#include <fmt/format.h>
#include <optional>

namespace pipescope::exec {

namespace {

using torch::jit::Module;

const c10::ivalue::Object *asModule(const c10::IValue &value)
{
    return value.isObject() && value.toObjectRef().type()->is_module() ? &value.toObjectRef() : nullptr;
}

void addAttribute(Module &to, const c10::ivalue::Object &original, std::size_t slot)
{
    const auto type = original.type();
    if (const std::string &name = type->getAttributeName(slot); !to.hasattr(name))
        to.register_attribute(name, type->getAttribute(slot), original.getSlot(slot), type->is_parameter(slot),
                              type->is_buffer(slot));
}

} // namespace

ModuleTree::ModuleTree(const Module &original, const std::string &className)
    : m_unit(std::make_shared<torch::jit::CompilationUnit>())
    , m_original(original)
    , m_root(makeModule(*original._ivalue(), className))
{
    m_modules.emplace("", m_root);
}

Module ModuleTree::makeModule(const c10::ivalue::Object &original, const std::string &className) const
{
    // LibTorch keeps classes of one name apart by mangling the later ones.
    Module made(c10::QualifiedName("__torch__." + className), m_unit, /*shouldMangle=*/true);
    const auto slot = original.type()->findAttributeSlot("training");
    const bool training = slot && original.getSlot(*slot).isBool() && original.getSlot(*slot).toBool();
    made.register_attribute("training", c10::BoolType::get(), training);
    return made;
}

Status ModuleTree::add(const std::string &fqn)
{
    if (fqn.empty())
        return Success{};
    const c10::ivalue::Object *object = m_original._ivalue().get();
    Module *into = &m_modules.at("");
    std::string path;
    for (const std::string &name : splitText(fqn, '.')) {
        path += (path.empty() ? "" : ".") + name;
        const auto slot = object ? object->type()->findAttributeSlot(name) : std::nullopt;
        if (!slot)
            return Error{ErrorCode::NotFound, fmt::format("the model has nothing named '{}'", fqn), fqn, {}};
        const c10::ivalue::Object *const child = asModule(object->getSlot(*slot));
        if (!child) {
            addAttribute(*into, *object, *slot);
            object = nullptr;
            continue;
        }
        auto found = m_modules.find(path);
        if (found == m_modules.end()) {
            const std::string className = import::shortClassName(child->type()->name()->qualifiedName());
            found = m_modules.emplace(path, makeModule(*child, className)).first;
            into->register_module(name, found->second);
        }
        into = &found->second;
        object = child;
    }
    return Success{};
}

torch::jit::Value *ModuleTree::insertRead(torch::jit::Graph &graph, torch::jit::Value *self,
                                          const std::string &fqn) const
{
    torch::jit::Value *value = self;
    if (!fqn.empty())
        for (const std::string &name : splitText(fqn, '.'))
            value = graph.insertGetAttr(value, name);
    return value;
}

} // namespace pipescope::exec
