// The warnings of one job: told once as they arise, and kept for the result. Private to engine/.
#pragma once

#include "engine/job_context.h"

#include <string>
#include <vector>

namespace pipescope::engine {

class Warnings
{
public:
    explicit Warnings(const JobContext &context)
        : m_context(context)
    {
    }

    /// A warning that was already given is not repeated.
    void add(const std::string &text);
    [[nodiscard]] const std::vector<std::string> &all() const { return m_all; }

private:
    const JobContext &m_context;
    std::vector<std::string> m_all;
};

} // namespace pipescope::engine
