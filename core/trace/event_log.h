// A growing list that one thread appends to while another reads it: neither waits for the other, and nothing that is in
// it moves. Private to trace/.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace pipescope::trace {

template <class Item>
class EventLog
{
    struct Chunk
    {
        // Made now, so that the system hands over the memory here and not while items are added.
        explicit Chunk(std::size_t size)
            : items(size)
        {
        }
        std::vector<Item> items;
        std::atomic<std::size_t> count = 0; ///< those that may be read
        std::atomic<Chunk *> next = nullptr;
    };

public:
    /// Room for `capacity` items is made ahead; beyond that, as much again each time.
    explicit EventLog(std::size_t capacity) { begin(capacity); }

    /// From one thread at a time.
    void add(Item item)
    {
        if (m_used == m_last->items.size()) {
            m_chunks.push_back(std::make_unique<Chunk>(std::max(m_used, SmallestGrowth)));
            m_last->next.store(m_chunks.back().get(), std::memory_order_release);
            m_last = m_chunks.back().get();
            m_used = 0;
        }
        m_last->items[m_used] = std::move(item);
        m_last->count.store(++m_used, std::memory_order_release);
    }

    /// Where a reader has come to.
    class Position
    {
        friend class EventLog;
        const Chunk *m_chunk = nullptr;
        std::size_t m_index = 0;
    };

    /// How many were added; from the thread that adds, or once it has stopped.
    [[nodiscard]] std::size_t size() const
    {
        std::size_t size = 0;
        for (const std::unique_ptr<Chunk> &chunk : m_chunks)
            size += chunk->count.load(std::memory_order_relaxed);
        return size;
    }

    /// Appends copies of what was added since `position`, and moves it on. From one thread at a time, which may be
    /// another than the one that adds.
    void readFrom(Position &position, std::vector<Item> &items) const
    {
        if (position.m_chunk == nullptr)
            position.m_chunk = m_first;
        while (true) {
            const std::size_t count = position.m_chunk->count.load(std::memory_order_acquire);
            const auto begin = position.m_chunk->items.begin();
            items.insert(items.end(), begin + static_cast<std::ptrdiff_t>(position.m_index),
                         begin + static_cast<std::ptrdiff_t>(count));
            position.m_index = count;
            if (count < position.m_chunk->items.size())
                return;
            const Chunk *const next = position.m_chunk->next.load(std::memory_order_acquire);
            if (next == nullptr)
                return;
            position.m_chunk = next;
            position.m_index = 0;
        }
    }

    /// Moves everything out; positions become invalid. Nobody else may add or read meanwhile.
    void takeInto(std::vector<Item> &items)
    {
        for (std::unique_ptr<Chunk> &chunk : m_chunks) {
            const auto count = static_cast<std::ptrdiff_t>(chunk->count.load(std::memory_order_relaxed));
            for (auto item = chunk->items.begin(); item != chunk->items.begin() + count; ++item)
                items.push_back(std::move(*item));
            chunk.reset(); // or all of it would be there twice
        }
        m_chunks.clear();
        begin(0);
    }

private:
    static constexpr std::size_t SmallestGrowth = 64;

    void begin(std::size_t capacity)
    {
        m_chunks.push_back(std::make_unique<Chunk>(capacity));
        m_first = m_last = m_chunks.back().get();
        m_used = 0;
    }

    std::vector<std::unique_ptr<Chunk>> m_chunks; ///< of who adds; readers go from one to the next
    const Chunk *m_first = nullptr;
    Chunk *m_last = nullptr;
    std::size_t m_used = 0; ///< of the last
};

} // namespace pipescope::trace
