#include "engine/microbatch_order.h"

#include "exec/model_state.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>

namespace pipescope::engine {

namespace {

constexpr std::size_t MostShown = 8;

std::string orderText(const std::vector<MicrobatchId> &order)
{
    std::vector<int> numbers;
    for (std::size_t i = 0; i < std::min(order.size(), MostShown); ++i)
        numbers.push_back(order[i].value);
    return fmt::format("{}{}", fmt::join(numbers, ", "), order.size() > MostShown ? ", ..." : "");
}

} // namespace

std::vector<MicrobatchId> microbatchOrder(const schedule::Schedule &schedule, StageId stage)
{
    std::vector<MicrobatchId> order;
    for (const schedule::Row &row : schedule.ranks)
        for (const schedule::Cell &cell : row) {
            if (!cell)
                continue;
            for (const schedule::Action &action : schedule::partsOf(*cell))
                if (action.kind == schedule::ActionKind::Forward && action.stage == stage)
                    order.push_back(action.microbatch);
        }
    return order;
}

Status checkMicrobatchOrder(const schedule::Schedule &schedule, const import::ImportedModel &model)
{
    const std::vector<MicrobatchId> first = microbatchOrder(schedule, StageId{0});
    for (int stage = 1; stage < schedule.stages; ++stage) {
        const std::vector<MicrobatchId> own = microbatchOrder(schedule, StageId{stage});
        if (own == first || !exec::keepsState(model))
            continue;
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("stage 0 takes the microbatches in the order {}, and stage {} in the order {}; the "
                                 "model keeps state from call to call, so that no order of the unsplit model gives "
                                 "the same. Let all stages take them in one order",
                                 orderText(first), stage, orderText(own)),
                     "schedule",
                     {}};
    }
    return Success{};
}

} // namespace pipescope::engine
