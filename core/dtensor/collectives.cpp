#include "dtensor/collectives.h"

#include "tensor/torch_guard.h"

#include <ATen/core/Tensor.h>

namespace pipescope::dtensor {

namespace {

std::int64_t bytesOf(const at::Tensor &tensor)
{
    return tensor.defined() ? static_cast<std::int64_t>(tensor.nbytes()) : 0;
}

CollectiveEvent eventOf(const comm::Attendance<CollectiveCall, CollectivePart> &attendance)
{
    const CollectiveCall &call = attendance.call;
    CollectiveEvent event;
    event.kind = call.kind;
    event.op = call.op;
    event.line = attendance.line;
    event.meshDims = attendance.part.meshDims;
    event.rank = attendance.rank;
    event.number = attendance.number;
    event.bytesIn = call.root.valid() && call.root != attendance.rank ? 0 : bytesOf(attendance.part.input);
    event.bytesOut = bytesOf(attendance.part.output);
    event.last = attendance.last;
    event.begin = attendance.begin;
    event.end = attendance.end;
    return event;
}

} // namespace

Result<at::Tensor> PendingTensor::wait()
{
    if (!m_ticket)
        return Error{
            ErrorCode::InvalidArgument, "the result of this collective was awaited before; keep what it gave", {}, {}};
    Result<CollectivePart> part = m_collectives->m_rendezvous.wait(std::move(m_ticket));
    if (!part)
        return part.error();
    return std::move(part->output);
}

Collectives::Collectives(int ranks, CollectiveOptions options)
    : m_waits(
          ranks,
          [this](const std::vector<comm::Waiting<comm::AtCall>> &) { m_rendezvous.close(m_rendezvous.stallError()); })
    , m_rendezvous(m_waits, hooks(std::move(options)))
{
}

Collectives::Meet::Hooks Collectives::hooks(CollectiveOptions options)
{
    Meet::Hooks hooks;
    hooks.text = [](const CollectiveCall &call) { return text(call); };
    hooks.work = doShare;
    if (options.listener) {
        hooks.attended = [listener = std::move(options.listener)](
                             const comm::Attendance<CollectiveCall, CollectivePart> &attendance) {
            listener(eventOf(attendance));
        };
    }
    hooks.failed = [this](const Error &) { m_stop.request_stop(); };
    hooks.clock = std::move(options.clock);
    return hooks;
}

Result<PendingTensor> Collectives::begin(RankId self, const comm::Line &line, const CollectiveRequest &request)
{
    if (auto ok = comm::checkLine(line, self, ranks()); !ok)
        return ok.error();
    auto call = checkRequest(request, line);
    if (!call)
        return call.error();
    auto part = tensor::guardTorch(ErrorCode::ModelFailed, {}, [&] { return makePart(*call, request); });
    if (!part)
        return part.error();
    auto ticket = m_rendezvous.join(self, line, *std::move(call), *std::move(part));
    if (!ticket)
        return ticket.error();
    return PendingTensor(*this, *std::move(ticket));
}

Result<at::Tensor> Collectives::run(RankId self, const comm::Line &line, const CollectiveRequest &request)
{
    auto pending = begin(self, line, request);
    if (!pending)
        return pending.error();
    return pending->wait();
}

} // namespace pipescope::dtensor
