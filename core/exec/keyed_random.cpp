#include "exec/keyed_random.h"

#include <ATen/CPUGeneratorImpl.h>

namespace pipescope::exec {

namespace {

std::mutex &generatorInUse()
{
    static std::mutex mutex;
    return mutex;
}

// The finaliser of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). The generator
// takes only the low 32 bits of a seed, so every bit has to count.
std::uint64_t mixed(std::uint64_t bits)
{
    bits += 0x9e3779b97f4a7c15ULL;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ULL;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebULL;
    return bits ^ (bits >> 31);
}

} // namespace

std::uint64_t randomKey(std::uint64_t seed, std::string_view node, MicrobatchId microbatch)
{
    std::uint64_t name = 0xcbf29ce484222325ULL; // FNV-1a
    for (const char c : node)
        name = (name ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return mixed(mixed(mixed(seed) ^ name) ^ static_cast<std::uint64_t>(microbatch.value));
}

void KeyedRandom::begin(std::uint64_t key)
{
    end();
    m_lock = std::unique_lock(generatorInUse());
    at::Generator generator = at::detail::getDefaultCPUGenerator();
    const std::lock_guard own(generator.mutex());
    m_before = generator.get_state();
    generator.set_current_seed(key);
}

void KeyedRandom::end() noexcept
{
    if (!m_lock.owns_lock())
        return;
    if (m_before.defined()) {
        at::Generator generator = at::detail::getDefaultCPUGenerator();
        const std::lock_guard own(generator.mutex());
        generator.set_state(m_before);
        m_before.reset();
    }
    m_lock.unlock();
}

} // namespace pipescope::exec
