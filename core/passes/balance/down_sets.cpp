#include "passes/balance/down_sets.h"

#include <algorithm>
#include <bit>

namespace sunder {
namespace {

std::uint64_t hashOfUnit(std::uint32_t unit)
{
    std::uint64_t mixed = (unit + 1) * 0x9E3779B97F4A7C15ULL;
    mixed = (mixed ^ mixed >> 30U) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ mixed >> 27U) * 0x94D049BB133111EBULL;
    return mixed ^ mixed >> 31U;
}

std::size_t wordsOf(const BalanceGraph& graph)
{
    return std::max<std::size_t>(1, (graph.units + 63) / 64);
}

} // namespace

DownSets::DownSets(const BalanceGraph& graph) : m_graph(graph), m_words(wordsOf(graph)) {}

std::size_t DownSets::storedBytes() const
{
    return m_bits.size() * 8 + m_capacity * (24 + m_graph.classes.size() * 24) + m_crossing.size() * 4;
}

void DownSets::grow()
{
    const std::size_t capacity = std::max<std::size_t>(256, m_capacity * 2);
    for (std::vector<double>* table : {&m_seconds, &m_left, &m_right}) {
        std::vector<double> larger(capacity * m_graph.classes.size());
        for (std::size_t at = 0; at < m_graph.classes.size() && m_capacity > 0; ++at)
            std::copy_n(table->begin() + static_cast<std::ptrdiff_t>(at * m_capacity), m_capacity,
                        larger.begin() + static_cast<std::ptrdiff_t>(at * capacity));
        *table = std::move(larger);
    }
    m_capacity = capacity;
}

void DownSets::add(std::span<const std::uint64_t> bits, std::span<const std::uint32_t> crossing, double work, double bytes,
                   std::span<const double> seconds)
{
    if (size() == m_capacity)
        grow();
    const std::uint32_t set = size();
    std::uint32_t firstOpen = 0;
    while (firstOpen < m_words && bits[firstOpen] == ~std::uint64_t{0})
        ++firstOpen;
    auto end = static_cast<std::uint32_t>(m_words);
    while (end > 0 && bits[end - 1] == 0)
        --end;
    m_bits.insert(m_bits.end(), bits.begin(), bits.end());
    m_firstOpen.push_back(firstOpen);
    m_end.push_back(end);
    m_work.push_back(work);
    m_bytes.push_back(bytes);
    m_crossing.insert(m_crossing.end(), crossing.begin(), crossing.end());
    m_crossingBegin.push_back(static_cast<std::uint32_t>(m_crossing.size()));
    for (std::size_t at = 0; at < m_graph.classes.size(); ++at) {
        const BalanceGraph::Class& made = m_graph.classes[at];
        double left = 0;
        double right = 0;
        for (const std::uint32_t net : crossing) {
            left += made.left[net];
            right += made.right[net];
        }
        m_seconds[at * m_capacity + set] = seconds[at];
        m_left[at * m_capacity + set] = left;
        m_right[at * m_capacity + set] = right;
    }
}

bool DownSets::hasBetween(const std::vector<std::uint32_t>& pins, std::uint32_t inner, std::uint32_t outer) const
{
    const std::uint64_t* in = &m_bits[inner * m_words];
    const std::uint64_t* out = &m_bits[outer * m_words];
    const std::uint32_t first = m_firstOpen[inner] * 64;
    const std::uint32_t end = m_end[outer] * 64;
    auto pin = first == 0 ? pins.begin() : std::ranges::lower_bound(pins, first);
    for (; pin != pins.end() && *pin < end; ++pin)
        if (((out[*pin / 64] & ~in[*pin / 64]) >> (*pin % 64) & 1U) != 0)
            return true;
    return false;
}

double DownSets::load(std::uint32_t inner, std::uint32_t outer, std::uint32_t deviceClass, double limit) const
{
    const BalanceGraph::Class& made = m_graph.classes[deviceClass];
    const std::size_t at = std::size_t{deviceClass} * m_capacity;
    const double seconds = m_seconds[at + outer] - m_seconds[at + inner];
    if (seconds >= limit)
        return seconds;
    double transfer = m_left[at + inner] + m_right[at + outer];
    // Values that cross both boundaries pay once if a unit between them holds a pin, otherwise not at all.
    const std::uint32_t* a = m_crossing.data() + m_crossingBegin[inner];
    const std::uint32_t* aEnd = m_crossing.data() + m_crossingBegin[inner + 1];
    const std::uint32_t* b = m_crossing.data() + m_crossingBegin[outer];
    const std::uint32_t* bEnd = m_crossing.data() + m_crossingBegin[outer + 1];
    while (a != aEnd && b != bEnd) {
        if (*a < *b)
            ++a;
        else if (*b < *a)
            ++b;
        else {
            const std::uint32_t net = *a++;
            ++b;
            transfer -= made.left[net] + made.right[net];
            if (hasBetween(m_graph.nets[net].pins, inner, outer))
                transfer += std::min(made.left[net], made.right[net]);
        }
    }
    return m_graph.overlap ? std::max(seconds, transfer) : seconds + transfer;
}

double DownSets::bytesBetween(std::uint32_t inner, std::uint32_t outer) const
{
    double bytes = m_bytes[outer] - m_bytes[inner];
    for (const BalanceGraph::Net& memory : m_graph.memories)
        if (hasBetween(memory.pins, inner, outer))
            bytes += memory.bytes;
    return bytes;
}

std::vector<std::uint32_t> DownSets::nodesBetween(std::uint32_t inner, std::uint32_t outer) const
{
    std::vector<std::uint32_t> nodes;
    for (std::size_t word = 0; word < m_words; ++word) {
        std::uint64_t left = m_bits[outer * m_words + word] & ~m_bits[inner * m_words + word];
        for (; left != 0; left &= left - 1) {
            const auto& members = m_graph.members[word * 64 + static_cast<std::size_t>(std::countr_zero(left))];
            nodes.insert(nodes.end(), members.begin(), members.end());
        }
    }
    std::ranges::sort(nodes);
    return nodes;
}

DownSetCursor::DownSetCursor(const BalanceGraph& graph) : m_graph(graph)
{
    clear();
}

void DownSetCursor::clear()
{
    m_bits.assign(wordsOf(m_graph), 0);
    m_addable = m_bits;
    m_removable = m_bits;
    m_missing.assign(m_graph.units, 0);
    m_usersInside.assign(m_graph.units, 0);
    m_pinsInside.assign(m_graph.nets.size(), 0);
    m_placeOfNet.assign(m_graph.nets.size(), 0);
    m_crossing.clear();
    m_hash = 0;
    m_size = 0;
    for (std::uint32_t unit = 0; unit < m_graph.units; ++unit) {
        m_missing[unit] = static_cast<std::uint32_t>(m_graph.before[unit].size());
        if (m_missing[unit] == 0)
            m_addable[unit / 64] |= std::uint64_t{1} << (unit % 64);
    }
}

void DownSetCursor::touch(std::uint32_t unit, bool isAdded)
{
    m_hash ^= hashOfUnit(unit);
    for (const std::uint32_t net : m_graph.netsOf[unit]) {
        const auto pins = static_cast<std::uint32_t>(m_graph.nets[net].pins.size());
        const std::uint32_t old = m_pinsInside[net];
        const std::uint32_t now = isAdded ? old + 1 : old - 1;
        m_pinsInside[net] = now;
        const bool crossed = old > 0 && old < pins;
        const bool crosses = now > 0 && now < pins;
        if (crosses && !crossed) {
            m_placeOfNet[net] = static_cast<std::uint32_t>(m_crossing.size());
            m_crossing.push_back(net);
        } else if (crossed && !crosses) {
            const std::uint32_t last = m_crossing.back();
            m_crossing[m_placeOfNet[net]] = last;
            m_placeOfNet[last] = m_placeOfNet[net];
            m_crossing.pop_back();
        }
    }
}

void DownSetCursor::add(std::uint32_t unit)
{
    const std::uint64_t bit = std::uint64_t{1} << (unit % 64);
    m_bits[unit / 64] |= bit;
    m_addable[unit / 64] &= ~bit;
    m_removable[unit / 64] |= bit;
    ++m_size;
    for (const std::uint32_t next : m_graph.after[unit])
        if (--m_missing[next] == 0)
            m_addable[next / 64] |= std::uint64_t{1} << (next % 64);
    for (const std::uint32_t previous : m_graph.before[unit])
        if (m_usersInside[previous]++ == 0)
            m_removable[previous / 64] &= ~(std::uint64_t{1} << (previous % 64));
    touch(unit, true);
}

void DownSetCursor::remove(std::uint32_t unit)
{
    const std::uint64_t bit = std::uint64_t{1} << (unit % 64);
    m_bits[unit / 64] &= ~bit;
    m_addable[unit / 64] |= bit;
    m_removable[unit / 64] &= ~bit;
    --m_size;
    for (const std::uint32_t next : m_graph.after[unit])
        if (m_missing[next]++ == 0)
            m_addable[next / 64] &= ~(std::uint64_t{1} << (next % 64));
    for (const std::uint32_t previous : m_graph.before[unit])
        if (--m_usersInside[previous] == 0)
            m_removable[previous / 64] |= std::uint64_t{1} << (previous % 64);
    touch(unit, false);
}

std::uint32_t DownSetCursor::nextAddable(std::uint32_t from) const
{
    if (from >= m_graph.units)
        return m_graph.units;
    std::size_t word = from / 64;
    std::uint64_t left = m_addable[word] & (~std::uint64_t{0} << (from % 64));
    while (left == 0)
        if (++word == m_addable.size())
            return m_graph.units;
        else
            left = m_addable[word];
    return static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(left));
}

std::uint32_t DownSetCursor::previousRemovable(std::uint32_t below) const
{
    if (below == 0)
        return m_graph.units;
    std::size_t word = (below - 1) / 64;
    std::uint64_t left = m_removable[word] & (~std::uint64_t{0} >> (63 - (below - 1) % 64));
    while (left == 0)
        if (word-- == 0)
            return m_graph.units;
        else
            left = m_removable[word];
    return static_cast<std::uint32_t>(word * 64) + 63 - static_cast<std::uint32_t>(std::countl_zero(left));
}

double DownSetCursor::crossing() const
{
    double seconds = 0;
    for (const std::uint32_t net : m_crossing)
        seconds += m_graph.least[net];
    return seconds;
}

void DownSetCursor::addTo(DownSets& sets, double work, double bytes, std::span<const double> seconds) const
{
    std::vector<std::uint32_t> crossing = m_crossing;
    std::ranges::sort(crossing);
    sets.add(m_bits, crossing, work, bytes, seconds);
}

} // namespace sunder
