#include "verify/name_index.h"

#include <algorithm>

namespace sunder {

std::string NameIndex::flat(std::string_view name)
{
    std::string text(name);
    std::ranges::replace(text, '.', '_');
    return text;
}

void NameIndex::add(InternedString name, std::uint32_t value)
{
    m_names.emplace(name.view(), value);
    const auto [place, isNew] = m_flatNames.emplace(flat(name.view()), value);
    if (!isNew && place->second != value)
        place->second = kSeveral;
}

std::optional<std::uint32_t> NameIndex::find(std::string_view name) const
{
    constexpr int kMaxParts = 64;
    std::string flatName = flat(name);
    std::string_view rest = name;
    for (int part = 0; part < kMaxParts; ++part) {
        if (const auto found = m_names.find(rest); found != m_names.end())
            return found->second;
        if (const auto found = m_flatNames.find(flatName); found != m_flatNames.end())
            return found->second == kSeveral ? std::nullopt : std::optional(found->second);
        const std::size_t dot = rest.find('.');
        if (dot == std::string_view::npos)
            return std::nullopt;
        rest.remove_prefix(dot + 1);
        flatName.erase(0, dot + 1);
    }
    return std::nullopt;
}

} // namespace sunder
