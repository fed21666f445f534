// Random numbers that do not depend on when a node runs: around a node that draws some, the default generator is seeded
// from (seed, node, microbatch) and put back afterwards. The generator is the process's, so one node draws at a time.
#pragma once

#include "base/ids.h"

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <mutex>
#include <string_view>

namespace pipescope::exec {

/// The same on every machine and in every version; all bits depend on all of the input.
[[nodiscard]] std::uint64_t randomKey(std::uint64_t seed, std::string_view node, MicrobatchId microbatch);

/// Holds the process's random numbers between begin() and end(). Not to be shared between threads.
class KeyedRandom
{
public:
    KeyedRandom() = default;
    ~KeyedRandom() { end(); }
    KeyedRandom(const KeyedRandom &) = delete;
    KeyedRandom &operator=(const KeyedRandom &) = delete;

    /// Waits for whoever else draws, then seeds the default CPU generator.
    void begin(std::uint64_t key);
    /// Puts the generator back as begin() found it. Harmless without a begin().
    void end() noexcept;

private:
    std::unique_lock<std::mutex> m_lock;
    at::Tensor m_before;
};

} // namespace pipescope::exec
