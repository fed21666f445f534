// Counts floating-point operations per node while a thread runs: the operators LibTorch reports (RecordFunction) by the
// rules of ops/flops.h, each for the node that runs at that moment.
#pragma once

#include "exec/stage_program.h"
#include "ops/flops.h"

#include <ATen/record_function.h>
#include <optional>
#include <string>
#include <vector>

namespace pipescope::exec {

/// Counts on the thread that made it, for as long as it lives; one at a time per thread. Hand it to a run as its
/// observer.
class FlopCounter final : public NodeObserver
{
public:
    explicit FlopCounter(const graph::ModelGraph &graph);
    ~FlopCounter() override;
    FlopCounter(const FlopCounter &) = delete;
    FlopCounter &operator=(const FlopCounter &) = delete;

    void nodeBegins(NodeId node) override { m_current = node; }

    /// By NodeId, nodes inside an if or loop counted in what holds them as often as they ran; nullopt where an operator
    /// without a rule ran. An operator without a rule counts as what it calls, when that is known and not nothing.
    [[nodiscard]] std::vector<std::optional<double>> flops() const;

private:
    struct Call
    {
        std::string op;
        std::vector<ops::Operand> inputs;
        double inner = 0;
        bool known = true; // of inner
        bool hasRule = false;
    };

    static std::unique_ptr<at::ObserverContext> start(const at::RecordFunction &function);
    static void end(const at::RecordFunction &function, at::ObserverContext *);
    void begins(const at::RecordFunction &function);
    void ends(const at::RecordFunction &function);
    void add(std::optional<double> flops);

    const graph::ModelGraph &m_graph;
    at::CallbackHandle m_handle;
    NodeId m_current;
    int m_covered = 0; // calls inside one that a rule covers
    std::vector<Call> m_open;
    std::vector<double> m_counts;
    std::vector<bool> m_unknown;
};

} // namespace pipescope::exec
