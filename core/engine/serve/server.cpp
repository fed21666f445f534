#include "engine/serve/server.h"

#include "base/available_memory.h"
#include "base/commit.h"
#include "base/resident_memory.h"
#include "comm/job_queue.h"
#include "engine/kept_model.h"
#include "engine/serve/call_table.h"
#include "engine/serve/stream.h"
#include "protocol/bodies.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <thread>
#include <torch/version.h>
#include <unistd.h>
#include <variant>

namespace pipescope::engine {

namespace {

using namespace std::chrono_literals;
using protocol::Message;
using protocol::Notification;
using protocol::Request;
using protocol::Response;

// A window draws no faster.
constexpr auto progressInterval = 33ms;
constexpr auto memoryInterval = 250ms;

/// What a run may take: what is left, and what it would be given back.
protocol::MemoryLeft memoryLeft(std::int64_t givenBack = 0)
{
    const auto available = availableMemory();
    return available ? protocol::MemoryLeft{available->bytes + givenBack, available->source} : protocol::MemoryLeft();
}

std::string hostName()
{
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

/// Tells the window how one job goes. The callbacks of a job come one at a time.
class JobTeller
{
public:
    JobTeller(std::int64_t id, MessageSink &sink, std::uint32_t maxFrameBytes)
        : m_id(id)
        , m_sink(sink)
        , m_maxFrameBytes(maxFrameBytes)
    {
    }

    JobContext context(std::stop_token stop)
    {
        JobContext context;
        context.stop = std::move(stop);
        context.progress = [this](std::string_view step, double fraction) { tellProgress(step, fraction); };
        context.warn = [this](const std::string &text) { tell(protocol::WarningEvent, protocol::TextNote{text}); };
        context.stalled = [this](const std::string &text) { tell(protocol::StalledEvent, protocol::TextNote{text}); };
        context.traced = [this](const trace::TracePart &part) { tell(protocol::TraceEvent, part); };
        context.partBytes = std::min<std::size_t>(context.partBytes, m_maxFrameBytes / 2);
        return context;
    }

    /// What the process holds now. `givenBack`: of that, what a run does not begin with.
    void tellMemory(std::int64_t givenBack = 0)
    {
        m_toldMemory = std::chrono::steady_clock::now();
        tell(protocol::MemoryEvent, protocol::MemoryNote{residentMemory(), memoryLeft(givenBack)});
    }

private:
    template <class Note>
    void tell(std::string_view event, const Note &note)
    {
        m_sink.send(Notification{m_id, std::string(event), protocol::toBody(note)});
    }

    /// A new step is told at once, how far it is only now and then.
    void tellProgress(std::string_view step, double fraction)
    {
        const auto now = std::chrono::steady_clock::now();
        if (now - m_toldMemory >= memoryInterval)
            tellMemory();
        if (step == m_step && now - m_told < progressInterval)
            return;
        m_step = step;
        m_told = now;
        tell(protocol::ProgressEvent, protocol::ProgressNote{std::string(step), fraction});
    }

    const std::int64_t m_id;
    MessageSink &m_sink;
    const std::uint32_t m_maxFrameBytes;
    std::string m_step;
    std::chrono::steady_clock::time_point m_told;
    std::chrono::steady_clock::time_point m_toldMemory;
};

Error cancelledBeforeItBegan()
{
    return {ErrorCode::Cancelled, "the request was cancelled before it began", {}, {}};
}

class Server
{
public:
    explicit Server(const ServeOptions &options)
        : m_options(options)
        , m_source(options.input)
        , m_sink(options.output, options.maxFrameBytes)
    {
    }

    Status run(const std::stop_token &stop)
    {
        while (true) {
            const Result<std::optional<Message>> message = m_source.next(stop);
            if (!message) {
                m_sink.send(Response{0, message.error()});
                return message.error();
            }
            if (!*message)
                return Success{};
            const auto *request = std::get_if<Request>(&**message);
            const bool heard = request == nullptr ? m_sink.send(Response{0, notARequest()}) : serve(*request);
            if (!heard)
                return Success{};
        }
    }

private:
    static Error notARequest() { return {ErrorCode::InvalidArgument, "an engine is sent requests only", {}, {}}; }

    /// False when nobody hears the answer any more.
    bool serve(const Request &request)
    {
        if (request.method == protocol::HelloCall::method)
            return respond(request.id, welcome(request.body));
        if (!m_greeted)
            return respond(request.id, refused("the first request must be 'hello', which names the version"));
        if (request.method == protocol::CancelCall::method)
            return respond(request.id, cancel(request.body));
        const Call *call = findCall(request.method);
        if (call == nullptr)
            return respond(request.id, refused(fmt::format("there is no method '{}'", request.method)));
        if (m_jobs.has(request.id))
            return respond(request.id, refused(fmt::format("there already is a request {}", request.id)));
        m_jobs.add(request.id, [this, request, call](const std::stop_token &stop) {
            if (stop.stop_requested()) {
                respond(request.id, cancelledBeforeItBegan());
                return;
            }
            JobTeller teller(request.id, m_sink, m_options.maxFrameBytes);
            JobContext context = teller.context(stop);
            context.kept = &m_kept;
            Result<std::string> answer = call->answer(request.body, context);
            teller.tellMemory(m_kept.bytes()); // before the answer: nothing is told of a request afterwards
            respond(request.id, std::move(answer));
        });
        return true;
    }

    bool respond(std::int64_t id, Result<std::string> answer)
    {
        if (!answer)
            return m_sink.send(Response{id, answer.error()});
        return m_sink.send(Response{id, *std::move(answer)});
    }

    static Error refused(std::string message) { return {ErrorCode::InvalidArgument, std::move(message), {}, {}}; }

    Result<std::string> welcome(std::string_view body)
    {
        const auto hello = protocol::fromBody<protocol::Hello>(body);
        if (!hello)
            return hello.error();
        if (hello->version != protocol::Version)
            return Error{ErrorCode::Unsupported,
                         fmt::format("this engine ({}) speaks version {} of the protocol, and {} version {}; use both "
                                     "of one release",
                                     m_options.engine, protocol::Version, hello->client, hello->version),
                         {},
                         {}};
        m_greeted = true;
        protocol::Welcome welcome;
        welcome.engine = m_options.engine;
        welcome.torch = TORCH_VERSION;
        welcome.host = hostName();
        welcome.cores = static_cast<int>(std::thread::hardware_concurrency());
        welcome.processId = ::getpid();
        welcome.residentBytes = residentMemory();
        welcome.left = memoryLeft();
        return protocol::toBody(welcome);
    }

    Result<std::string> cancel(std::string_view body)
    {
        const auto request = protocol::fromBody<protocol::CancelRequest>(body);
        if (!request)
            return request.error();
        return protocol::toBody(protocol::CancelAnswer{m_jobs.cancel(request->id)});
    }

    const ServeOptions &m_options;
    MessageSource m_source;
    MessageSink m_sink;
    bool m_greeted = false;
    KeptModel m_kept;      ///< of the jobs, which run one at a time
    comm::JobQueue m_jobs; ///< last: its jobs still answer while it ends
};

/// Gives up on jobs that do not end. One that gives files their places does.
class LastResort
{
public:
    explicit LastResort(const ServeOptions &options)
        : m_options(options)
    {
    }
    ~LastResort()
    {
        if (!m_thread.joinable())
            return;
        m_thread.request_stop();
        m_thread.join();
    }
    LastResort(const LastResort &) = delete;
    LastResort &operator=(const LastResort &) = delete;

    void arm()
    {
        if (m_options.giveUp)
            m_thread = std::jthread([this](const std::stop_token &ended) {
                std::mutex mutex;
                std::unique_lock lock(mutex);
                std::condition_variable_any never;
                do {
                    never.wait_for(lock, ended, m_options.patience, [] { return false; });
                } while (!ended.stop_requested() && !unlessCommitting(m_options.patience, m_options.giveUp));
            });
    }

private:
    const ServeOptions &m_options;
    std::jthread m_thread;
};

} // namespace

Status serve(const ServeOptions &options, const std::stop_token &stop)
{
    LastResort lastResort(options);
    Server server(options);
    Status served = server.run(stop);
    lastResort.arm();
    return served;
}

} // namespace pipescope::engine
