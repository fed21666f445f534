// What a name of the code stands for while it is read.
#pragma once

#include "archive/code_index.h"
#include "base/ids.h"

#include <memory>
#include <vector>

namespace pipescope::outline {

struct Held
{
    enum class Kind {
        Unknown,  ///< a constant, a type, or what cannot be told
        Data,     ///< value
        Tuple,    ///< items
        Object,   ///< index in Objects
        Function, ///< one of the archive's
    };
    struct Items
    {
        std::vector<Held> held;
        int depth = 1;
        bool hasData = false;
    };

    Kind kind = Kind::Unknown;
    ValueId value;
    int object = -1;
    const archive::CodeFunction *function = nullptr;
    std::shared_ptr<const Items> items; ///< shared: tuples of tuples of ... would be copied over and over

    [[nodiscard]] bool hasData() const { return kind == Kind::Data || (kind == Kind::Tuple && items->hasData); }
    friend bool operator==(const Held &, const Held &) = default;

    static Held ofValue(ValueId id) { return id.valid() ? Held{Kind::Data, id, -1, nullptr, {}} : Held{}; }
    static Held ofObject(int index) { return {Kind::Object, {}, index, nullptr, {}}; }
    static Held ofFunction(const archive::CodeFunction *found)
    {
        return found != nullptr ? Held{Kind::Function, {}, -1, found, {}} : Held{};
    }
};

} // namespace pipescope::outline
