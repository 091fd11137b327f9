#include "document/runs/run_history.h"

#include <algorithm>
#include <utility>

namespace sunder {
namespace {

constexpr std::size_t kMaxRuns = 100;
/// Runs hold whole programs. Beyond this total number of nodes (about 1 KB each), the oldest runs are dropped.
constexpr std::size_t kMaxNodes = 4'000'000;

} // namespace

const Run* RunHistory::find(int number) const
{
    const auto at = std::ranges::find(m_runs, number, &Run::number);
    if (at != m_runs.end())
        return &*at;
    return m_preview && m_preview->number == number ? &*m_preview : nullptr;
}

int RunHistory::shown(ResultKind kind) const
{
    const auto at = m_shown.find(kind);
    return at == m_shown.end() ? 0 : at->second;
}

std::vector<const Run*> RunHistory::allShown() const
{
    std::vector<const Run*> shown;
    for (const Run& run : m_runs)
        if (isShown(run))
            shown.push_back(&run);
    return shown;
}

int RunHistory::add(RunResult result, Gone& gone)
{
    const int number = m_next++;
    m_runs.push_back({.number = number, .result = std::move(result)});
    forgetOld(number, gone);
    return number;
}

RunResult RunHistory::replace(int number, RunResult result)
{
    const auto run = std::ranges::find(m_runs, number, &Run::number);
    return run == m_runs.end() ? nullptr : std::exchange(run->result, std::move(result));
}

void RunHistory::swapName(int number, QString& name)
{
    if (const auto run = std::ranges::find(m_runs, number, &Run::number); run != m_runs.end())
        std::swap(run->name, name);
}

void RunHistory::insert(Run run)
{
    const auto place = std::ranges::upper_bound(m_runs, run.number, {}, &Run::number);
    m_runs.insert(place, std::move(run));
}

void RunHistory::restore(Run run)
{
    m_next = std::max(m_next, run.number + 1);
    if (find(run.number) == nullptr)
        insert(std::move(run));
}

void RunHistory::remove(int number)
{
    std::erase_if(m_runs, [number](const Run& run) { return run.number == number; });
}

int RunHistory::setPreview(RunResult result)
{
    m_preview = Run{.number = --m_lastPreview, .result = std::move(result)};
    return m_lastPreview;
}

std::optional<Run> RunHistory::takePreview()
{
    return std::exchange(m_preview, std::nullopt);
}

void RunHistory::clear(Gone& gone)
{
    gone = std::exchange(m_runs, {});
    if (m_preview)
        gone.push_back(std::move(*m_preview));
    m_preview.reset();
    m_shown.clear();
    m_next = 1;
}

void RunHistory::forgetOld(int newest, Gone& gone)
{
    const auto nodes = [this] {
        std::size_t sum = 0;
        for (const Run& run : m_runs)
            sum += nodesOf(run);
        return sum;
    };
    while (m_runs.size() > 1 && (m_runs.size() > kMaxRuns || nodes() > kMaxNodes)) {
        // Drop runs without a user-given name first.
        const auto isOld = [newest](const Run& run) { return run.number != newest; };
        auto oldest = std::ranges::find_if(m_runs, [&](const Run& run) { return isOld(run) && run.name.isEmpty(); });
        if (oldest == m_runs.end())
            oldest = std::ranges::find_if(m_runs, isOld);
        gone.push_back(std::move(*oldest));
        m_runs.erase(oldest);
    }
}

} // namespace sunder
