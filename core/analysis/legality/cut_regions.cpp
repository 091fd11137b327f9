#include "analysis/legality/cut_regions.h"

#include <algorithm>
#include <map>

namespace sunder {
namespace {

class RegionCutter {
public:
    RegionCutter(const StatefulCalls& calls, std::span<const std::int32_t> partOf) : m_calls(calls), m_partOf(partOf) {}

    std::vector<RegionCut> run()
    {
        followWhole();
        std::uint32_t setter = 0;
        for (std::uint32_t call = 0; call < m_partOf.size(); ++call) {
            const bool sets = setter < m_calls.setterCalls.size() && m_calls.setterCalls[setter] == call;
            if (m_partOf[call] >= 0) {
                ActiveSetters& part = m_parts.try_emplace(m_partOf[call], m_calls.setters).first->second;
                if (sets)
                    part.run(setter);
                else if (m_calls.noticesState[call] != 0)
                    compare(m_whole[m_calls.settersBefore[call]], part.now(), call);
            }
            setter += sets ? 1 : 0;
        }
        if (m_parts.size() > 1)
            lookAtEnds();
        std::vector<RegionCut> found;
        for (auto& [at, cut] : m_found) {
            cut.canRepeat = !m_isTooDeep && cut.canRepeat;
            found.push_back(cut);
        }
        return found;
    }

private:
    void followWhole()
    {
        ActiveSetters whole(m_calls.setters);
        m_whole.push_back(whole.now());
        for (std::uint32_t setter = 0; setter < m_calls.setters.size(); ++setter) {
            whole.run(setter);
            m_whole.push_back(whole.now());
        }
        m_isTooDeep = whole.isTooDeep();
    }

    void compare(const std::vector<std::uint32_t>& whole, const std::vector<std::uint32_t>& part, std::uint32_t call)
    {
        if (whole == part)
            return;
        for (const std::uint32_t setter : whole)
            if (std::ranges::find(part, setter) == part.end())
                add({.setter = setter, .call = call, .part = m_partOf[call], .isMissing = true});
        for (const std::uint32_t setter : part)
            if (std::ranges::find(whole, setter) == whole.end())
                add({.setter = setter, .call = call, .part = m_partOf[call]});
    }

    /// Adds state that a part or the whole does not reset before it ends. The latter matters when the whole is called again.
    void lookAtEnds()
    {
        for (const std::uint32_t setter : m_whole.back())
            if (!isUsual(setter))
                add({.setter = setter}, false);
        for (const auto& [number, part] : m_parts)
            for (const std::uint32_t setter : part.now())
                if (!isUsual(setter))
                    add({.setter = setter});
        if (m_isTooDeep && !m_calls.setters.empty())
            add({.setter = 0}, false);
    }

    [[nodiscard]] bool isUsual(std::uint32_t setter) const
    {
        return m_calls.setters[setter].kind == GlobalSetter::Kind::grad && m_calls.setters[setter].isOn;
    }

    void add(RegionCut cut, bool canRepeat = true)
    {
        cut.canRepeat = true;
        RegionCut& known = m_found.try_emplace(cut.setter, cut).first->second;
        known.canRepeat = known.canRepeat && canRepeat && m_calls.setters[cut.setter].canRepeat;
    }

    const StatefulCalls& m_calls;
    std::span<const std::int32_t> m_partOf;
    std::vector<std::vector<std::uint32_t>> m_whole; ///< per number of setters that ran: the active ones
    std::map<std::int32_t, ActiveSetters> m_parts;
    std::map<std::uint32_t, RegionCut> m_found; ///< by setter
    bool m_isTooDeep = false;
};

} // namespace

std::vector<RegionCut> regionCuts(const StatefulCalls& calls, std::span<const std::int32_t> partOf)
{
    if (calls.setters.empty())
        return {};
    return RegionCutter(calls, partOf).run();
}

} // namespace sunder
