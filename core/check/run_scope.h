// The modes a checking run sets on its thread, and puts back.
#pragma once

#include "check/equivalence.h"

#include <memory>

namespace pipescope::check {

/// Intra-op threads and grad mode as the options say; optimisation of TorchScript off. Puts all of it back.
class RunScope
{
public:
    explicit RunScope(const CheckOptions &options);
    ~RunScope();
    RunScope(const RunScope &) = delete;
    RunScope &operator=(const RunScope &) = delete;

private:
    struct Modes;
    std::unique_ptr<Modes> m_modes;
};

} // namespace pipescope::check
