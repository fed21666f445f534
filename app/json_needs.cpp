#include "json_output.h"

namespace pipescope::app {

namespace {

template <class T>
nlohmann::json nullWhereUnknown(const std::optional<T> &known)
{
    return known ? nlohmann::json(*known) : nlohmann::json(nullptr);
}

} // namespace

nlohmann::json toJson(const report::RunNeeds &needs)
{
    const auto &memory = needs.machine.memory;
    const auto known = [](int count) { return count > 0 ? nlohmann::json(count) : nlohmann::json(nullptr); };
    return {{"weight_bytes", needs.weights},
            {"stage_weight_bytes", needs.stageWeights},
            {"activation_bytes", nullWhereUnknown(needs.activations)},
            {"comparison_bytes", nullWhereUnknown(needs.comparison)},
            {"available_bytes", memory ? nlohmann::json(memory->bytes) : nlohmann::json(nullptr)},
            {"available_source", memory ? textOrNull(memory->source) : nlohmann::json(nullptr)},
            {"fits", nullWhereUnknown(needs.fits())},
            {"in_flight", known(needs.inFlight)},
            {"threads", known(needs.threads())},
            {"cores", known(needs.machine.cores)}};
}

} // namespace pipescope::app
