#include "make_examples/script_text.h"

#include "base/error.h"
#include "import/load.h"

#include <torch/csrc/jit/serialization/import_source.h>

namespace pipescope::examples {

ScriptText::ScriptText(const std::string &source)
    : m_unit(std::make_shared<torch::jit::CompilationUnit>())
{
    import::registerMarkers();
    static const std::vector<c10::IValue> noConstants;
    const auto text = std::make_shared<torch::jit::Source>(source);
    m_importer = std::make_shared<torch::jit::SourceImporter>(
        m_unit, &noConstants, [text](const std::string &) { return text; },
        caffe2::serialize::kProducedFileFormatVersion);
}

torch::jit::Module ScriptText::make(const std::string &className, const Attributes &attributes) const
{
    const c10::QualifiedName name("__torch__." + className);
    if (!m_unit->get_class(name))
        m_importer->loadType(name);
    const c10::ClassTypePtr type = m_unit->get_class(name);
    torch::jit::Module module(m_unit, type);
    if (type->hasAttribute("training"))
        module.setattr("training", true);
    for (const auto &[attribute, value] : attributes) {
        PIPESCOPE_ASSERT(type->hasAttribute(attribute));
        if (value.isTensor() && type->is_parameter(type->getAttributeSlot(attribute)) &&
            value.toTensor().is_floating_point())
            value.toTensor().set_requires_grad(true);
        module.setattr(attribute, value);
    }
    for (std::size_t slot = 0; slot < type->numAttributes(); ++slot)
        PIPESCOPE_ASSERT(!module._ivalue()->getSlot(slot).isNone() ||
                         type->getAttribute(slot)->isSubtypeOf(*c10::NoneType::get()) ||
                         type->getAttribute(slot)->kind() == c10::TypeKind::OptionalType);
    return module;
}

Attributes numbered(const std::vector<torch::jit::Module> &modules)
{
    Attributes attributes;
    for (const torch::jit::Module &module : modules)
        attributes.emplace_back(std::to_string(attributes.size()), module._ivalue());
    return attributes;
}

} // namespace pipescope::examples
