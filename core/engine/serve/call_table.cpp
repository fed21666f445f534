#include "engine/serve/call_table.h"

#include "engine/inspect_job.h"
#include "engine/run_job.h"
#include "engine/split_job.h"
#include "engine/statistics_job.h"
#include "protocol/bodies.h"

#include <algorithm>
#include <iterator>

namespace pipescope::engine {

namespace {

Result<report::SplitReport> splitInto(const protocol::SplitRequest &request, const JobContext &context)
{
    return split(request.run, request.folder, context,
                 request.keepUnused ? report::Unused::Kept : report::Unused::LeftOut);
}

Result<report::Inspection> profileOn(const report::InspectRequest &request, const JobContext &context)
{
    if (request.inputs.empty())
        return Error{ErrorCode::InvalidArgument,
                     "a profile is taken on inputs, and none are given; give the method's inputs, or load the model "
                     "without a profile",
                     "inputs",
                     {}};
    return inspect(request, context);
}

template <class Call, auto job>
Result<std::string> answer(std::string_view body, const JobContext &context)
{
    const auto request = protocol::fromBody<typename Call::Request>(body);
    if (!request)
        return request.error();
    const auto result = job(*request, context);
    if (!result)
        return result.error();
    return protocol::toBody(*result);
}

template <class Named, auto job>
constexpr Call row()
{
    return {Named::method, &answer<Named, job>};
}

constexpr Call Calls[] = {
    row<protocol::LoadCall, inspect>(),
    row<protocol::ProfileCall, profileOn>(),
    row<protocol::RunCall, run>(),
    row<protocol::CheckCall, check>(),
    row<protocol::StatisticsCall, statistics>(),
    row<protocol::SplitCall, splitInto>(),
};

} // namespace

const Call *findCall(std::string_view method)
{
    const auto *const found =
        std::find_if(std::begin(Calls), std::end(Calls), [&](const Call &call) { return call.method == method; });
    return found == std::end(Calls) ? nullptr : found;
}

} // namespace pipescope::engine
