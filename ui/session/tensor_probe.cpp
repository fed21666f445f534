#include "session/tensor_probe.h"

#include "protocol/calls.h"

#include <cstdint>
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
    m_asking = m_engine.askFor<protocol::StatisticsCall>(
        *this, tr("looking into a tensor"), request,
        [this](std::int64_t number, const Result<report::StatisticsReport> &answer) {
            if (m_asking != number)
                return;
            m_asking.reset();
            m_answer = answer;
            Q_EMIT answered();
        });
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
