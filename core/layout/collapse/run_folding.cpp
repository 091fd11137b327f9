#include "layout/collapse/run_folding.h"

#include "layout/collapse/list_place.h"
#include "support/text.h"

#include <algorithm>
#include <optional>

namespace sunder::collapse {
namespace {

/// Lengths of the constant text around the counting number in the paths of a run.
struct NumberedPath {
    std::size_t prefix = 0;
    std::size_t suffix = 0;
};

std::optional<NumberedPath> countsUp(std::string_view a, std::string_view b)
{
    const auto [endA, endB] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    std::size_t prefix = static_cast<std::size_t>(endA - a.begin());
    while (prefix > 0 && isAsciiDigit(a[prefix - 1]))
        --prefix;
    const auto numberAt = [prefix](std::string_view text) {
        std::size_t end = prefix;
        while (end < text.size() && isAsciiDigit(text[end]))
            ++end;
        return text.substr(prefix, end - prefix);
    };
    const std::string_view first = numberAt(a);
    const std::string_view second = numberAt(b);
    if (first.empty() || second.empty() || !isSmallerNumber(first, second))
        return std::nullopt;
    if (a.substr(prefix + first.size()) != b.substr(prefix + second.size()))
        return std::nullopt;
    return NumberedPath{prefix, a.size() - prefix - first.size()};
}

class RunFinder {
public:
    RunFinder(const std::vector<Sibling>& siblings, const std::function<std::uint64_t(Index)>& structureOf)
        : m_siblings(siblings), m_structureOf(structureOf)
    {
    }

    std::vector<Run> find()
    {
        for (Index i = 0; i < m_siblings.size(); ++i) {
            if (m_siblings[i].breaksRuns)
                finish();
            if (m_siblings[i].scope == kNone)
                continue;
            if (!continues(i))
                start(i);
        }
        finish();
        return std::move(m_runs);
    }

private:
    void start(Index i)
    {
        finish();
        m_structure.reset();
        m_numbered.reset();
        m_run.push_back(i);
    }

    void finish()
    {
        if (m_run.size() >= kMinRun)
            m_runs.push_back(m_run);
        m_run.clear();
    }

    bool continues(Index i)
    {
        const Sibling& next = m_siblings[i];
        if (m_run.empty() || next.cls != m_siblings[m_run.back()].cls)
            return false;
        const Sibling& last = m_siblings[m_run.back()];
        const bool isRepeatedCall = next.path == last.path && next.call > last.call;
        const std::optional<NumberedPath> numbered = isRepeatedCall ? std::nullopt : countsUp(last.path, next.path);
        if (!isRepeatedCall && !numbered)
            return false;
        if (m_run.size() > 1) {
            if (numbered.has_value() != m_numbered.has_value())
                return false;
            if (numbered && (numbered->prefix != m_numbered->prefix || numbered->suffix != m_numbered->suffix))
                return false;
        }
        if (!m_structure)
            m_structure = m_structureOf(m_run.back());
        const std::uint64_t structure = m_structureOf(i);
        if (structure != *m_structure)
            return false;
        m_numbered = numbered;
        m_run.push_back(i);
        return true;
    }

    const std::vector<Sibling>& m_siblings;
    const std::function<std::uint64_t(Index)>& m_structureOf;
    std::vector<Run> m_runs;
    Run m_run;
    std::optional<std::uint64_t> m_structure; ///< of the members
    std::optional<NumberedPath> m_numbered;
};

} // namespace

std::vector<Run> findRuns(const std::vector<Sibling>& siblings, const std::function<std::uint64_t(Index)>& structureOf)
{
    return RunFinder(siblings, structureOf).find();
}

} // namespace sunder::collapse
