#include "check/run_scope.h"

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

namespace pipescope::check {

struct RunScope::Modes
{
    explicit Modes(const CheckOptions &options)
        : threads(at::get_num_threads())
        , grad(options.grad)
        , optimise(false)
    {
        at::set_num_threads(options.threads);
    }
    ~Modes() { at::set_num_threads(threads); }
    Modes(const Modes &) = delete;
    Modes &operator=(const Modes &) = delete;

    int threads;
    c10::AutoGradMode grad;
    torch::jit::GraphOptimizerEnabledGuard optimise;
};

RunScope::RunScope(const CheckOptions &options)
    : m_modes(std::make_unique<Modes>(options))
{
}

RunScope::~RunScope() = default;

} // namespace pipescope::check
