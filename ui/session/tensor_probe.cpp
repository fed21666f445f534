#include "session/tensor_probe.h"

#include "protocol/calls.h"

#include <QPointer>
#include <cstdint>
#include <memory>
#include <utility>

namespace pipescope::session {

TensorProbe::TensorProbe(EngineClient &engine, QObject *parent)
    : QObject(parent)
    , m_engine(engine)
{
}

void TensorProbe::ask(const report::StatisticsRequest &request)
{
    clear();
    m_question = request;
    // The number of the request is known only after asking; answers come later, from the event loop.
    const auto number = std::make_shared<std::int64_t>(0);
    *number = m_engine.ask<protocol::StatisticsCall>(
        tr("looking into a tensor"), request,
        [self = QPointer(this), number](const Result<report::StatisticsReport> &answer) {
            if (!self || self->m_asking != *number)
                return;
            self->m_asking.reset();
            self->m_answer = answer;
            Q_EMIT self->answered();
        });
    m_asking = *number;
    Q_EMIT asked();
}

void TensorProbe::clear()
{
    if (const auto asking = std::exchange(m_asking, std::nullopt))
        m_engine.cancel(*asking);
    m_question.reset();
    m_answer.reset();
}

} // namespace pipescope::session
