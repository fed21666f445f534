#include "exec/module_tree.h"

#include "import/attribute_path.h"
#include "import/provenance.h"

#include <utility>

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
    m_paths.emplace("", Path());
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
    if (m_paths.contains(fqn))
        return Success{};
    Result<Path> names = import::attributePath(m_original, fqn);
    if (!names)
        return names.error();
    const c10::ivalue::Object *object = m_original._ivalue().get();
    Module *into = &m_root;
    Path path;
    for (const std::string &name : *names) {
        path.push_back(name);
        const std::size_t slot = object->type()->getAttributeSlot(name);
        const c10::ivalue::Object *const child = asModule(object->getSlot(slot));
        if (!child) {
            addAttribute(*into, *object, slot);
            break;
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
    m_paths.emplace(fqn, *std::move(names));
    return Success{};
}

torch::jit::Value *ModuleTree::insertRead(torch::jit::Graph &graph, torch::jit::Value *self,
                                          const std::string &fqn) const
{
    torch::jit::Value *value = self;
    for (const std::string &name : m_paths.at(fqn))
        value = graph.insertGetAttr(value, name);
    return value;
}

} // namespace pipescope::exec
