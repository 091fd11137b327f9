#include "support/interned_string.h"

#include <array>
#include <atomic>
#include <bit>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace sunder {
namespace {

constexpr unsigned kFirstChunkBits = 12;
constexpr unsigned kChunkCount = 32 - kFirstChunkBits + 1;

/// Chunk c holds 2^(kFirstChunkBits + c) entries and never moves, so that readers need no lock.
struct Place {
    unsigned chunk;
    std::uint32_t offset;
};

Place placeOf(std::uint32_t id)
{
    const std::uint64_t shifted = std::uint64_t{id} + (1U << kFirstChunkBits);
    const auto high = static_cast<unsigned>(std::bit_width(shifted) - 1);
    return {high - kFirstChunkBits, static_cast<std::uint32_t>(shifted - (std::uint64_t{1} << high))};
}

/// Text storage of one shard: large blocks, never freed.
class Arena {
public:
    std::string_view keep(std::string_view text)
    {
        if (text.size() > kBlock / 4)
            return m_large.emplace_back(text);
        if (m_left < text.size()) {
            m_blocks.push_back(std::make_unique<char[]>(kBlock));
            m_at = m_blocks.back().get();
            m_left = kBlock;
        }
        char* start = m_at;
        text.copy(start, text.size());
        m_at += text.size();
        m_left -= text.size();
        return {start, text.size()};
    }

private:
    static constexpr std::size_t kBlock = 1 << 16;
    std::vector<std::unique_ptr<char[]>> m_blocks;
    std::deque<std::string> m_large;
    char* m_at = nullptr;
    std::size_t m_left = 0;
};

class Table {
public:
    Table() { append({}); }

    std::uint32_t find(std::string_view text)
    {
        if (text.empty())
            return 0;
        const std::uint64_t hash = std::hash<std::string_view>{}(text);
        Shard& shard = m_shards[hash >> 60U];
        const std::lock_guard lock(shard.mutex);
        Slot* slot = slotOf(shard, hash, text);
        if (slot->id != 0)
            return slot->id;
        if (2 * ++shard.count > shard.slots.size()) {
            grow(shard);
            slot = slotOf(shard, hash, text);
        }
        *slot = {tagOf(hash), append(shard.arena.keep(text)), hash};
        return slot->id;
    }

    [[nodiscard]] std::string_view text(std::uint32_t id) const
    {
        const Place place = placeOf(id);
        return m_chunks[place.chunk].load(std::memory_order_acquire)[place.offset];
    }

private:
    struct Slot {
        std::uint32_t tag = 0; ///< a part of the hash, so that few texts need to be looked at
        std::uint32_t id = 0;  ///< 0: free
        std::uint64_t hash = 0;
    };

    /// Open addressing: one look into memory finds most texts, where chains would need three.
    struct Shard {
        std::mutex mutex;
        std::vector<Slot> slots{256};
        std::size_t count = 0;
        Arena arena;
    };

    static std::uint32_t tagOf(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 28U); }

    /// The slot that holds the text, or the free one where it belongs.
    Slot* slotOf(Shard& shard, std::uint64_t hash, std::string_view wanted)
    {
        const std::size_t mask = shard.slots.size() - 1;
        for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
            Slot& slot = shard.slots[at];
            if (slot.id == 0 || (slot.tag == tagOf(hash) && text(slot.id) == wanted))
                return &slot;
        }
    }

    static void grow(Shard& shard)
    {
        std::vector<Slot> larger(2 * shard.slots.size());
        const std::size_t mask = larger.size() - 1;
        for (const Slot& slot : shard.slots) {
            if (slot.id == 0)
                continue;
            std::size_t at = slot.hash & mask;
            while (larger[at].id != 0)
                at = (at + 1) & mask;
            larger[at] = slot;
        }
        shard.slots = std::move(larger);
    }

    std::uint32_t append(std::string_view kept)
    {
        const std::uint32_t id = m_next.fetch_add(1);
        const Place place = placeOf(id);
        std::string_view* chunk = m_chunks[place.chunk].load(std::memory_order_acquire);
        if (chunk == nullptr) {
            const std::lock_guard lock(m_growing);
            chunk = m_chunks[place.chunk].load(std::memory_order_acquire);
            if (chunk == nullptr) {
                m_owned.push_back(std::make_unique<std::string_view[]>(std::size_t{1} << (kFirstChunkBits + place.chunk)));
                chunk = m_owned.back().get();
                m_chunks[place.chunk].store(chunk, std::memory_order_release);
            }
        }
        chunk[place.offset] = kept;
        return id;
    }

    std::array<Shard, 16> m_shards;
    std::array<std::atomic<std::string_view*>, kChunkCount> m_chunks{};
    std::vector<std::unique_ptr<std::string_view[]>> m_owned;
    std::mutex m_growing;
    std::atomic<std::uint32_t> m_next{0};
};

Table& table()
{
    static auto* instance = new Table; // lives until the process ends: views into it may outlive any static
    return *instance;
}

} // namespace

InternedString InternedString::of(std::string_view text)
{
    return InternedString(table().find(text));
}

std::string_view InternedString::view() const
{
    return m_id == 0 ? std::string_view{} : table().text(m_id);
}

} // namespace sunder
