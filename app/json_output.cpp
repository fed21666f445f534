#include "json_output.h"

#include <cmath>

namespace pipescope::app {

nlohmann::json errorJson(const Error &error, const std::vector<std::string> &warnings)
{
    return {{"error",
             {{"code", codeName(error.code)},
              {"message", error.message},
              {"where", error.where},
              {"details", textOrNull(error.details)}}},
            {"warnings", warnings}};
}

std::string toText(const nlohmann::json &object)
{
    return object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

nlohmann::json number(double value)
{
    return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

nlohmann::json textsJson(const std::vector<plan::InputSpec> &inputs)
{
    nlohmann::json texts = nlohmann::json::array();
    for (const plan::InputSpec &input : inputs)
        texts.push_back(plan::toText(input));
    return texts;
}

nlohmann::json textOrNull(const std::string &text)
{
    return text.empty() ? nlohmann::json(nullptr) : nlohmann::json(text);
}

} // namespace pipescope::app
