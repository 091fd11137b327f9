#include "support/interned_string.h"

#include "support/text.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

namespace sunder {
namespace {

constexpr unsigned kFirstChunkBits = 12;
constexpr unsigned kChunkCount = 32 - kFirstChunkBits + 1;

/// Location of an entry. Chunk c holds 2^(kFirstChunkBits + c) entries and never moves, so that readers need no lock.
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

/// A text and its note.
struct Entry {
    const char* text = nullptr;
    std::uint32_t length = 0;
    std::uint32_t note = 0; ///< accessed through std::atomic_ref only
    [[nodiscard]] std::string_view view() const { return {text, length}; }
};

/// Items by id. The system provides the memory of chunks zeroed, and only when accessed. Chunks are never freed.
template <typename Item>
class Chunks {
public:
    /// Returns the item of an id. Its chunk must exist.
    [[nodiscard]] Item& operator[](std::uint32_t id) const
    {
        const Place place = placeOf(id);
        return m_chunks[place.chunk].load(std::memory_order_acquire)[place.offset];
    }

    [[nodiscard]] bool holds(std::uint32_t id) const
    {
        return m_chunks[placeOf(id).chunk].load(std::memory_order_acquire) != nullptr;
    }

    /// Allocates the chunk of an id.
    void open(std::uint32_t id)
    {
        const unsigned index = placeOf(id).chunk;
        auto* made = static_cast<Item*>(std::calloc(std::size_t{1} << (kFirstChunkBits + index), sizeof(Item))); // NOLINT
        if (made == nullptr)
            throw std::bad_alloc();
        Item* none = nullptr;
        if (!m_chunks[index].compare_exchange_strong(none, made, std::memory_order_acq_rel))
            std::free(made); // NOLINT: another thread was first
    }

private:
    std::array<std::atomic<Item*>, kChunkCount> m_chunks{};
};

// Outside Table, so that view() needs only two loads.
constinit Chunks<Entry> theEntries;
constinit Chunks<std::uint32_t> theNexts; ///< accessed through std::atomic_ref only

/// Text storage of one shard: large blocks that are never freed.
class Arena {
public:
    std::string_view keep(std::string_view text)
    {
        if (m_left < text.size())
            open(std::max(kBlock, text.size()));
        char* start = m_at;
        std::memcpy(start, text.data(), text.size());
        m_at += text.size();
        m_left -= text.size();
        return {start, text.size()};
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

/// Slots form lines of eight, the size of a CPU cache line.
constexpr std::uint32_t kLine = 8;

/// Reads a text word by word with the low three bits of its last digit cleared.
class WithoutDigit {
public:
    explicit WithoutDigit(std::string_view text) : m_text(text), m_digit(text.size())
    {
        const std::size_t least = text.size() - std::min(text.size(), kFarthest);
        for (std::size_t at = text.size(); at > least && m_digit == text.size(); --at)
            if (isAsciiDigit(text[at - 1]))
                m_digit = at - 1;
    }

    /// The cleared bits; 0 if there is no digit.
    [[nodiscard]] std::uint32_t bits() const
    {
        return m_digit < m_text.size() ? static_cast<std::uint32_t>(m_text[m_digit]) % kLine : 0;
    }

    template <typename Word>
    [[nodiscard]] std::uint64_t word(std::size_t at) const
    {
        Word word = 0;
        std::memcpy(&word, m_text.data() + at, sizeof word);
        const std::size_t digit = m_digit - at; // very large if the digit is before the word
        return digit < sizeof word ? word & ~(std::uint64_t{kLine - 1} << 8 * digit) : word;
    }

private:
    static constexpr std::size_t kFarthest = 24;
    std::string_view m_text;
    std::size_t m_digit;
};

struct TextHash {
    std::uint32_t shard;
    std::uint32_t tag; ///< the low three bits are the position in a line, the others select the line
};

/// Texts that differ only in the last digit, such as names of adjacent nodes, share a line. A loop over a graph then finds most
/// slots in the CPU cache, regardless of the table size. Texts are always compared.
TextHash hashOf(std::string_view text)
{
    constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15ULL;
    const WithoutDigit reader(text);
    std::uint64_t hash = text.size() * kMix;
    const auto add = [&hash](std::uint64_t word) {
        hash = (hash ^ word) * kMix;
        hash ^= hash >> 32U;
    };
    const std::size_t size = text.size();
    if (size >= 8) {
        for (std::size_t at = 0; at + 8 < size; at += 8)
            add(reader.word<std::uint64_t>(at));
        add(reader.word<std::uint64_t>(size - 8));
    } else if (size >= 4) {
        add(reader.word<std::uint32_t>(0) << 32U | reader.word<std::uint32_t>(size - 4));
    } else {
        for (std::size_t at = 0; at < size; ++at)
            add(reader.word<std::uint8_t>(at));
    }
    hash *= kMix;
    hash ^= hash >> 29U;
    const auto place = static_cast<std::uint32_t>(hash >> 32U) + reader.bits();
    return {static_cast<std::uint32_t>(hash >> 60U), (static_cast<std::uint32_t>(hash) & ~(kLine - 1)) | (place & (kLine - 1))};
}

/// Like operator== of std::string_view, but inlined, since most texts are short.
bool isSame(std::string_view a, std::string_view b)
{
    const std::size_t size = a.size();
    if (size != b.size())
        return false;
    if (size < 8 || size > 64)
        return std::memcmp(a.data(), b.data(), size) == 0;
    const auto differ = [&](std::size_t at) {
        std::uint64_t left = 0;
        std::uint64_t right = 0;
        std::memcpy(&left, a.data() + at, sizeof left);
        std::memcpy(&right, b.data() + at, sizeof right);
        return left ^ right;
    };
    std::uint64_t difference = differ(size - 8);
    for (std::size_t at = 0; at + 8 < size; at += 8)
        difference |= differ(at);
    return difference == 0;
}

class Table {
public:
    Table() { append({}); }

    std::uint32_t find(std::string_view text)
    {
        if (text.empty())
            return 0;
        const TextHash hash = hashOf(text);
        Shard& shard = m_shards[hash.shard];
        const std::lock_guard lock(shard.mutex);
        Slot* slot = slotOf(shard, hash.tag, text);
        if (slot->id != 0)
            return slot->id;
        if (2 * ++shard.count > shard.slots.size()) {
            grow(shard);
            slot = slotOf(shard, hash.tag, text);
        }
        *slot = {hash.tag, append(shard.arena.keep(text))};
        return slot->id;
    }

private:
    struct Slot {
        std::uint32_t tag = 0; ///< hash bits that select the slot and rule out most other texts
        std::uint32_t id = 0;  ///< 0: free
    };

    /// Open addressing. Only the access to the slot is not in the order of ids.
    struct Shard {
        std::mutex mutex;
        std::vector<Slot> slots{256};
        std::size_t count = 0;
        Arena arena;
    };

    /// Returns the next slot to probe: the same position in the next line, so that texts of one line stay together; after the
    /// last line, the next position of the first line.
    static std::size_t following(std::size_t at, std::size_t size) { return at + kLine < size ? at + kLine : (at + 1) % kLine; }

    /// Returns the slot that holds the text, or the free slot for it.
    static Slot* slotOf(Shard& shard, std::uint32_t tag, std::string_view wanted)
    {
        for (std::size_t at = tag & (shard.slots.size() - 1);; at = following(at, shard.slots.size())) {
            Slot& slot = shard.slots[at];
            if (slot.id == 0 || (slot.tag == tag && isSame(theEntries[slot.id].view(), wanted)))
                return &slot;
        }
    }

    static void grow(Shard& shard)
    {
        std::vector<Slot> larger(2 * shard.slots.size());
        for (const Slot& slot : shard.slots) {
            if (slot.id == 0)
                continue;
            std::size_t at = slot.tag & (larger.size() - 1);
            while (larger[at].id != 0)
                at = following(at, larger.size());
            larger[at] = slot;
        }
        shard.slots = std::move(larger);
    }

    std::uint32_t append(std::string_view kept)
    {
        const std::uint32_t id = m_next.fetch_add(1);
        if (!theEntries.holds(id))
            theEntries.open(id);
        theEntries[id] = {kept.data(), static_cast<std::uint32_t>(kept.size())};
        return id;
    }

    std::array<Shard, 16> m_shards;
    std::atomic<std::uint32_t> m_next{0};
};

Table& table()
{
    static auto* instance = new Table; // never destroyed, since views into it may outlive any static object
    return *instance;
}

} // namespace

InternedString InternedString::of(std::string_view text)
{
    return InternedString(table().find(text));
}

std::string_view InternedString::view() const
{
    return m_id == 0 ? std::string_view{} : theEntries[m_id].view();
}

std::uint32_t InternedString::note() const
{
    return m_id == 0 ? 0 : std::atomic_ref(theEntries[m_id].note).load(std::memory_order_acquire);
}

void InternedString::keepNote(std::uint32_t note) const
{
    if (m_id != 0)
        std::atomic_ref(theEntries[m_id].note).store(note, std::memory_order_release);
}

InternedString InternedString::next() const
{
    return theNexts.holds(m_id) ? ofId(std::atomic_ref(theNexts[m_id]).load(std::memory_order_acquire)) : InternedString();
}

void InternedString::keepNext(InternedString next) const
{
    if (!theNexts.holds(m_id))
        theNexts.open(m_id);
    std::atomic_ref(theNexts[m_id]).store(next.id(), std::memory_order_release);
}

} // namespace sunder
