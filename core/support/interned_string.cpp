#include "support/interned_string.h"

#include <array>
#include <atomic>
#include <bit>
#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>
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
        Shard& shard = m_shards[std::hash<std::string_view>{}(text) >> 60U];
        const std::lock_guard lock(shard.mutex);
        if (const auto found = shard.ids.find(text); found != shard.ids.end())
            return found->second;
        const std::string_view kept = shard.arena.keep(text);
        const std::uint32_t id = append(kept);
        shard.ids.emplace(kept, id);
        return id;
    }

    [[nodiscard]] std::string_view text(std::uint32_t id) const
    {
        const Place place = placeOf(id);
        return m_chunks[place.chunk].load(std::memory_order_acquire)[place.offset];
    }

private:
    struct Shard {
        std::mutex mutex;
        std::unordered_map<std::string_view, std::uint32_t> ids;
        Arena arena;
    };

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
