#include "protocol/bodies.h"

#include "protocol/fields/call_fields.h"
#include "report/check_report.h"
#include "trace/check_trace.h"

namespace pipescope::protocol {

namespace {

/// What the fields by themselves cannot tell.
template <class T>
Status checkWhole(const T &)
{
    return Success{};
}

template <>
Status checkWhole(const report::Inspection &inspection)
{
    return report::checkReport(inspection);
}

template <>
Status checkWhole(const report::RunReport &run)
{
    return report::checkReport(run);
}

template <>
Status checkWhole(const trace::TracePart &part)
{
    return trace::checkTrace(part.trace);
}

template <>
Status checkWhole(const report::StatisticsReport &statistics)
{
    return report::checkReport(statistics);
}

} // namespace

template <class T>
std::string toBody(const T &value)
{
    return writeCbor(Encoder::encode(value));
}

template <class T>
Result<T> fromBody(std::string_view body)
{
    const Result<Json> json = readCbor(body);
    if (!json)
        return json.error();
    Result<T> value = Decoder::decode<T>(*json, "body");
    if (!value)
        return value;
    if (const Status whole = checkWhole(*value); !whole)
        return whole.error();
    return value;
}

#define PIPESCOPE_BODY(T)                                                                                              \
    template std::string toBody(const T &);                                                                            \
    template Result<T> fromBody(std::string_view);

PIPESCOPE_BODY(Hello)
PIPESCOPE_BODY(Welcome)
PIPESCOPE_BODY(report::InspectRequest)
PIPESCOPE_BODY(report::Inspection)
PIPESCOPE_BODY(report::RunRequest)
PIPESCOPE_BODY(report::RunReport)
PIPESCOPE_BODY(SplitRequest)
PIPESCOPE_BODY(report::SplitReport)
PIPESCOPE_BODY(CancelRequest)
PIPESCOPE_BODY(CancelAnswer)
PIPESCOPE_BODY(ProgressNote)
PIPESCOPE_BODY(TextNote)
PIPESCOPE_BODY(trace::TracePart)
PIPESCOPE_BODY(MemoryNote)
PIPESCOPE_BODY(report::StatisticsRequest)
PIPESCOPE_BODY(report::StatisticsReport)

#undef PIPESCOPE_BODY

} // namespace pipescope::protocol
