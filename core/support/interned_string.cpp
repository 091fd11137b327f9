#include "support/interned_string.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
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

/// Text storage of one shard: large blocks, never freed. Each text has its length in front.
class Arena {
public:
    const char* keep(std::string_view text)
    {
        const std::size_t size = (sizeof(std::uint32_t) + text.size() + 3) & ~std::size_t{3};
        if (m_left < size)
            open(std::max(kBlock, size));
        char* start = m_at;
        const auto length = static_cast<std::uint32_t>(text.size());
        std::memcpy(start, &length, sizeof length);
        std::memcpy(start + sizeof length, text.data(), text.size());
        m_at += size;
        m_left -= size;
        return start;
    }

private:
    static constexpr std::size_t kBlock = 1 << 16;

    void open(std::size_t size)
    {
        m_blocks.push_back(std::make_unique_for_overwrite<char[]>(size));
        m_at = m_blocks.back().get();
        m_left = size;
    }

    std::vector<std::unique_ptr<char[]>> m_blocks;
    char* m_at = nullptr;
    std::size_t m_left = 0;
};

std::string_view textAt(const char* kept)
{
    std::uint32_t length = 0;
    std::memcpy(&length, kept, sizeof length);
    return {kept + sizeof length, length};
}

/// Enough for the few bytes of a name; texts are compared in any case.
std::uint64_t hashOf(std::string_view text)
{
    constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15ULL;
    std::uint64_t hash = text.size() * kMix;
    const auto add = [&hash](std::uint64_t word) {
        hash = (hash ^ word) * kMix;
        hash ^= hash >> 32U;
    };
    const char* at = text.data();
    std::size_t left = text.size();
    for (std::uint64_t word = 0; left >= sizeof word; at += sizeof word, left -= sizeof word) {
        std::memcpy(&word, at, sizeof word);
        add(word);
    }
    std::uint64_t rest = 0;
    if (left > 0)
        std::memcpy(&rest, at, left);
    add(rest);
    hash *= kMix;
    return hash ^ hash >> 29U;
}

class Table {
public:
    Table() { append({}); }

    std::uint32_t find(std::string_view text)
    {
        if (text.empty())
            return 0;
        const std::uint64_t hash = hashOf(text);
        Shard& shard = m_shards[hash >> 60U];
        const auto tag = static_cast<std::uint32_t>(hash);
        const std::lock_guard lock(shard.mutex);
        Slot* slot = slotOf(shard, tag, text);
        if (slot->id != 0)
            return slot->id;
        if (2 * ++shard.count > shard.slots.size()) {
            grow(shard);
            slot = slotOf(shard, tag, text);
        }
        const char* kept = shard.arena.keep(text);
        *slot = {tag, append(textAt(kept)), kept};
        return slot->id;
    }

    [[nodiscard]] std::string_view text(std::uint32_t id) const
    {
        const Place place = placeOf(id);
        return m_chunks[place.chunk].load(std::memory_order_acquire)[place.offset];
    }

private:
    struct Slot {
        std::uint32_t tag = 0; ///< of the hash what finds the slot and tells most other texts apart
        std::uint32_t id = 0;  ///< 0: free
        const char* kept = nullptr;
    };

    /// Open addressing: two looks into memory find most texts, where chains would need four.
    struct Shard {
        std::mutex mutex;
        std::vector<Slot> slots{256};
        std::size_t count = 0;
        Arena arena;
    };

    /// The slot that holds the text, or the free one where it belongs.
    static Slot* slotOf(Shard& shard, std::uint32_t tag, std::string_view wanted)
    {
        const std::size_t mask = shard.slots.size() - 1;
        for (std::size_t at = tag & mask;; at = (at + 1) & mask) {
            Slot& slot = shard.slots[at];
            if (slot.id == 0 || (slot.tag == tag && textAt(slot.kept) == wanted))
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
            std::size_t at = slot.tag & mask;
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
