// What can be asked of the engine and what it tells meanwhile: one row for each method and each event, with the structs
// that go with it. To add one: a row here, its struct's fields in fields/, a line in bodies.cpp and docs/protocol.md.
#pragma once

#include "protocol/message.h"
#include "report/inspection.h"
#include "report/run_report.h"
#include "report/split_report.h"
#include "report/tensor_statistics.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace pipescope::protocol {

/// The first request of every conversation.
struct Hello
{
    int version = Version;
    std::string client; ///< "pipescope 0.1.0"

    friend bool operator==(const Hello &, const Hello &) = default;
};

/// What an engine's machine has left for a run (base/available_memory.h).
struct MemoryLeft
{
    std::int64_t bytes = 0; ///< 0: not known
    std::string source;

    friend bool operator==(const MemoryLeft &, const MemoryLeft &) = default;
};

struct Welcome
{
    int version = Version;
    std::string engine; ///< "pipescope-cli 0.1.0"
    std::string torch;  ///< LibTorch's version, "2.11.0"
    std::string host;
    int cores = 0;
    std::int64_t processId = 0;
    std::int64_t residentBytes = 0; ///< of its process, at this moment
    MemoryLeft left;

    friend bool operator==(const Welcome &, const Welcome &) = default;
};

struct SplitRequest
{
    report::RunRequest run;
    std::string folder;
    bool keepUnused = false; ///< the tensors that no stage uses are saved too

    friend bool operator==(const SplitRequest &, const SplitRequest &) = default;
};

struct CancelRequest
{
    std::int64_t id = 0; ///< of the request to stop

    friend bool operator==(const CancelRequest &, const CancelRequest &) = default;
};

struct CancelAnswer
{
    bool wasRunning = false; ///< or waiting; false where it had been answered, or was never made

    friend bool operator==(const CancelAnswer &, const CancelAnswer &) = default;
};

struct ProgressNote
{
    std::string step;
    double fraction = -1; ///< negative: unknown

    friend bool operator==(const ProgressNote &, const ProgressNote &) = default;
};

/// Of an event that is a text.
struct TextNote
{
    std::string text;

    friend bool operator==(const TextNote &, const TextNote &) = default;
};

/// What the engine's process holds, and what its machine has left.
struct MemoryNote
{
    std::int64_t residentBytes = 0;
    MemoryLeft left;

    friend bool operator==(const MemoryNote &, const MemoryNote &) = default;
};

// The methods.
struct HelloCall
{
    static constexpr std::string_view method = "hello";
    using Request = Hello;
    using Answer = Welcome;
};
struct LoadCall ///< with inputs, the model is profiled on them
{
    static constexpr std::string_view method = "load";
    using Request = report::InspectRequest;
    using Answer = report::Inspection;
};
struct ProfileCall ///< as load, with inputs needed
{
    static constexpr std::string_view method = "profile";
    using Request = report::InspectRequest;
    using Answer = report::Inspection;
};
struct CheckCall ///< as run, for the comparison only: one run without warm-up
{
    static constexpr std::string_view method = "check";
    using Request = report::RunRequest;
    using Answer = report::RunReport;
};
struct StatisticsCall
{
    static constexpr std::string_view method = "statistics";
    using Request = report::StatisticsRequest;
    using Answer = report::StatisticsReport;
};
struct RunCall
{
    static constexpr std::string_view method = "run";
    using Request = report::RunRequest;
    using Answer = report::RunReport;
};
struct SplitCall
{
    static constexpr std::string_view method = "split";
    using Request = SplitRequest;
    using Answer = report::SplitReport;
};
struct CancelCall
{
    static constexpr std::string_view method = "cancel";
    using Request = CancelRequest;
    using Answer = CancelAnswer;
};

// The events.
inline constexpr std::string_view ProgressEvent = "progress"; ///< ProgressNote
inline constexpr std::string_view WarningEvent = "warning";   ///< TextNote; results carry the same texts
inline constexpr std::string_view StalledEvent = "stalled";   ///< TextNote: who waits for what in a run
inline constexpr std::string_view TraceEvent = "trace";       ///< trace::TracePart; the report holds no events
inline constexpr std::string_view MemoryEvent = "memory";     ///< MemoryNote, a few a second and at the end of a job

} // namespace pipescope::protocol
