#include "tensor/opened_value.h"

#include "tensor/ivalue_tree.h"

#include <ATen/core/Dict.h>
#include <ATen/core/jit_type.h>
#include <algorithm>
#include <vector>

namespace pipescope::tensor {

namespace {

bool isClosed(const c10::IValue &value)
{
    return value.isFuture() || isClassObject(value);
}

class Opener
{
public:
    c10::IValue open(const c10::IValue &value)
    {
        if (m_depth >= TreeDepthLimit)
            return value;
        ++m_depth;
        c10::IValue result = value;
        if (value.isFuture())
            result = ofFuture(value);
        else if (isClassObject(value))
            result = ofObject(value);
        else if (isTree(value) && holdsClosed(value, 0))
            result = mapLeaves(value, [this](const c10::IValue &leaf) { return isClosed(leaf) ? open(leaf) : leaf; });
        --m_depth;
        return result;
    }

private:
    c10::IValue ofFuture(const c10::IValue &value)
    {
        const auto future = value.toFuture();
        future->wait();
        return open(future->value());
    }

    c10::IValue ofObject(const c10::IValue &value)
    {
        const c10::ivalue::Object &object = value.toObjectRef();
        if (std::find(m_open.begin(), m_open.end(), &object) != m_open.end())
            return value;
        m_open.push_back(&object);
        c10::impl::GenericDict fields(c10::StringType::get(), c10::AnyType::get());
        const auto type = object.type();
        for (std::size_t i = 0; i < type->numAttributes(); ++i)
            fields.insert(type->getAttributeName(i), open(object.getSlot(i)));
        m_open.pop_back();
        return fields;
    }

    // Most trees hold tensors only, and need not be built anew.
    static bool holdsClosed(const c10::IValue &value, int depth)
    {
        if (!isTree(value) || depth >= TreeDepthLimit)
            return isClosed(value);
        const auto holds = [depth](const c10::IValue &item) { return holdsClosed(item, depth + 1); };
        if (value.isTuple()) {
            const auto &items = value.toTupleRef().elements();
            return std::any_of(items.begin(), items.end(), holds);
        }
        if (value.isList()) {
            const auto items = value.toListRef();
            return std::any_of(items.begin(), items.end(), holds);
        }
        const c10::impl::GenericDict dict = value.toGenericDict();
        return std::any_of(dict.begin(), dict.end(), [&](const auto &entry) { return holds(entry.value()); });
    }

    int m_depth = 0;
    std::vector<const c10::ivalue::Object *> m_open; // from the outermost in
};

} // namespace

bool isClassObject(const c10::IValue &value)
{
    return value.isObject() && !value.isModule() && !value.isCustomClass();
}

c10::IValue opened(const c10::IValue &value)
{
    return Opener().open(value);
}

} // namespace pipescope::tensor
