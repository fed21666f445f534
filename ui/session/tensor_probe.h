// The numbers inside the tensor that is looked at, asked of the engine one at a time: the latest question wins.
#pragma once

#include "report/tensor_statistics.h"
#include "session/engine_client.h"

#include <QObject>
#include <cstdint>
#include <optional>

namespace pipescope::session {

class TensorProbe : public QObject
{
    Q_OBJECT

public:
    /// The engine's client must outlive this.
    explicit TensorProbe(EngineClient &engine, QObject *parent = nullptr);

    /// answered() follows, unless another question comes first; the earlier one is cancelled then.
    void ask(const report::StatisticsRequest &request);
    /// Gives up the question under way, and forgets the last answer.
    void clear();

    [[nodiscard]] bool isAsking() const { return m_asking.has_value(); }
    /// What the answer, or the question under way, is about.
    [[nodiscard]] const std::optional<report::StatisticsRequest> &question() const { return m_question; }
    /// Of the question; nullopt until it is answered.
    [[nodiscard]] const std::optional<Result<report::StatisticsReport>> &answer() const { return m_answer; }

Q_SIGNALS:
    void asked();
    void answered();

private:
    EngineClient &m_engine;
    std::optional<std::int64_t> m_asking;
    std::optional<report::StatisticsRequest> m_question;
    std::optional<Result<report::StatisticsReport>> m_answer;
};

} // namespace pipescope::session
