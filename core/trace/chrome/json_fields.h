// Members of a JSON object from a file, with type and range checked. Private to trace/.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace pipescope::trace {

/// InvalidFile: "not a trace Pipescope wrote: {where}: {what}".
[[nodiscard]] Error notOurTrace(const std::string &where, const std::string &what);

/// Reads one object. The first fault is kept, and reading goes on with values that are in range: ask error() at the
/// end.
class JsonFields
{
public:
    /// `object` is an object and must outlive this; `where` names it in errors.
    JsonFields(const nlohmann::json &object, std::string where);

    std::int64_t integer(const char *key, std::int64_t low, std::int64_t high);
    /// As integer, for ids and counts.
    int number(const char *key, int low, int high);
    /// What older files do not have: `low` where it is missing.
    int numberIfThere(const char *key, int low, int high);
    std::string text(const char *key);
    /// Of older files, which lack it: `otherwise`.
    std::string textIfThere(const char *key, std::string_view otherwise);
    void fail(const char *key, const std::string &what);

    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }

private:
    const nlohmann::json &m_object;
    std::string m_where;
    std::optional<Error> m_error;
};

} // namespace pipescope::trace
