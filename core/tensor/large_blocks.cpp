#include "tensor/large_blocks.h"

#include <algorithm>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <cstdint>
#include <iterator>
#include <list>
#include <mutex>
#include <sys/mman.h>
#include <unordered_map>

namespace pipescope::tensor {

namespace {

constexpr std::size_t Granule = 64 << 10;

/// Mappings, and those of them that are free. Thread-safe.
class BlockPool
{
public:
    /// At least so many bytes; nullptr where the system gives no more.
    void *take(std::size_t bytes)
    {
        const std::size_t size = (bytes + Granule - 1) / Granule * Granule;
        const std::lock_guard lock(m_mutex);
        // The one freed last is the warmest; one that is a little longer will do.
        const auto fits = std::find_if(m_free.rbegin(), m_free.rend(), [size](const Block &block) {
            return block.size >= size && block.size - size <= size / 8;
        });
        Block block{nullptr, size};
        if (fits != m_free.rend()) {
            block = *fits;
            m_kept -= block.size;
            m_free.erase(std::next(fits).base());
        } else {
            block.memory = map(size);
            if (block.memory == nullptr && !m_free.empty()) {
                keepAtMost(0);
                block.memory = map(size);
            }
        }
        if (block.memory != nullptr)
            m_inUse.emplace(block.memory, block.size);
        return block.memory;
    }

    /// One that was taken here.
    void giveBack(void *memory)
    {
        const std::lock_guard lock(m_mutex);
        const auto found = m_inUse.find(memory);
        const Block block{memory, found->second};
        m_inUse.erase(found);
        if (block.size > LargestKeptBlock) {
            ::munmap(block.memory, block.size);
            return;
        }
        m_free.push_back(block);
        m_kept += block.size;
        keepAtMost(MostKeptBytes);
    }

    bool isOurs(void *memory)
    {
        const std::lock_guard lock(m_mutex);
        return m_inUse.contains(memory);
    }

    void giveBackKept()
    {
        const std::lock_guard lock(m_mutex);
        keepAtMost(0);
    }

    std::size_t kept()
    {
        const std::lock_guard lock(m_mutex);
        return m_kept;
    }

private:
    struct Block
    {
        void *memory = nullptr;
        std::size_t size = 0;
    };

    static void *map(std::size_t size)
    {
        void *const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return memory == MAP_FAILED ? nullptr : memory;
    }

    void keepAtMost(std::size_t bytes)
    {
        while (m_kept > bytes) {
            const Block oldest = m_free.front();
            m_free.pop_front();
            m_kept -= oldest.size;
            ::munmap(oldest.memory, oldest.size);
        }
    }

    std::mutex m_mutex;
    std::unordered_map<void *, std::size_t> m_inUse;
    std::list<Block> m_free; ///< in the order in which they became so
    std::size_t m_kept = 0;  ///< bytes of m_free
};

/// Never destroyed: tensors that live as long as the program are freed after everything else.
BlockPool &pool()
{
    static auto *const made = new BlockPool;
    return *made;
}

void release(void *memory)
{
    if (memory == nullptr)
        return;
    // Before the block can be another's.
    c10::profiledCPUMemoryReporter().Delete(memory);
    pool().giveBack(memory);
}

class LargeBlockAllocator final : public c10::Allocator
{
public:
    explicit LargeBlockAllocator(c10::Allocator &small)
        : m_small(small)
    {
        smallDeleter = small.raw_deleter();
    }

    c10::DataPtr allocate(std::size_t bytes) override
    {
        if (bytes < SmallestLargeBlock)
            return m_small.allocate(bytes);
        void *const memory = pool().take(bytes);
        if (memory == nullptr)
            return m_small.allocate(bytes); // whose error says how much was asked for
        c10::profiledCPUMemoryReporter().New(memory, bytes);
        return {memory, memory, &release, c10::Device(c10::DeviceType::CPU)};
    }

    /// Of any block of this allocator, small ones too.
    [[nodiscard]] c10::DeleterFnPtr raw_deleter() const override { return &releaseAny; }

    void copy_data(void *to, const void *from, std::size_t bytes) const override { default_copy_data(to, from, bytes); }

private:
    static void releaseAny(void *memory)
    {
        if (pool().isOurs(memory))
            release(memory);
        else if (smallDeleter != nullptr)
            smallDeleter(memory);
    }

    inline static c10::DeleterFnPtr smallDeleter = nullptr;
    c10::Allocator &m_small;
};

} // namespace

void mapLargeBlocks()
{
    static std::once_flag once;
    std::call_once(once, [] {
        constexpr std::uint8_t overTheDefault = 1;
        c10::SetCPUAllocator(new LargeBlockAllocator(*c10::GetDefaultCPUAllocator()), overTheDefault);
    });
}

std::size_t keptBytes()
{
    return pool().kept();
}

void giveBackKeptBytes()
{
    pool().giveBackKept();
}

} // namespace pipescope::tensor
