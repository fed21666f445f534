// Layouts of groups that were laid out before, found by their structure: identical layers, and everything that did not
// change when a module was opened, are not laid out again.
#pragma once

#include "graphview/layered_layout.h"

#include <cstddef>
#include <memory>
#include <unordered_map>

namespace pipescope::graphview {

/// Used by one thread at a time.
class LayoutCache
{
public:
    /// Null when stopped.
    [[nodiscard]] std::shared_ptr<const LayeredOutput> layOut(const LayeredInput &input, const std::stop_token &stop);

    /// Forgets what has not been asked for since the last call of this.
    void forgetUnused();

    /// How many layouts were really computed since the cache was made.
    [[nodiscard]] int computed() const { return m_computed; }

private:
    struct Entry
    {
        LayeredInput input;
        std::shared_ptr<const LayeredOutput> output;
        bool used = true;
    };

    std::unordered_multimap<std::size_t, Entry> m_entries; // by hash of the input
    int m_computed = 0;
};

} // namespace pipescope::graphview
