// What the document keeps beside the tags: the devices that the model is cut for, and the history of runs.
#include "document/document_compute.h"
#include "document/session_commands.h"

#include "analysis/device_ids.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr std::size_t kMostRuns = 100;
/// Runs are whole programs; beyond this many nodes of them the oldest go (about 1 KB a node).
constexpr std::size_t kMostNodes = 4'000'000;

} // namespace

// Devices -----------------------------------------------------------------------------------------

void Document::setDevices(std::vector<Device> devices, const QString& undoText)
{
    makeIdsUnique(devices);
    if (devices != m_devices)
        m_undoStack.push(new DevicesCommand(*this, std::move(devices), undoText));
}

void Document::swapDevices(std::vector<Device>& devices)
{
    std::swap(m_devices, devices);
    const bool wasCurrent = m_splitCurrent;
    noteCurrent();
    emit changed(wasCurrent == m_splitCurrent ? Changes(Change::devices) : Change::devices | Change::outcome);
}

void Document::restoreDevices(std::vector<Device> devices)
{
    makeIdsUnique(devices);
    swapDevices(devices);
}

// Runs --------------------------------------------------------------------------------------------

const Run* Document::run(int number) const
{
    const auto at = std::find_if(m_runs.begin(), m_runs.end(), [number](const Run& run) { return run.number == number; });
    if (at != m_runs.end())
        return &*at;
    return m_preview && m_preview->number == number ? &*m_preview : nullptr;
}

int Document::setPreview(RunResult result)
{
    clearPreview();
    m_preview = Run{.number = --m_lastPreview, .result = std::move(result)};
    return m_lastPreview;
}

void Document::clearPreview()
{
    if (!m_preview)
        return;
    auto gone = std::make_shared<const Run>(std::move(*m_preview));
    m_preview.reset();
    if (m_selection.run == gone->number)
        select(m_selection.source, m_selection.what);
    letGo(gone);
}

int Document::addRun(RunResult result)
{
    const int number = m_nextRun++;
    m_runs.push_back({.number = number, .result = std::move(result)});
    forgetOldRuns(number);
    emit changed(Change::runs);
    showRun(number);
    return number;
}

void Document::replaceRun(int number, RunResult result)
{
    const auto run = std::find_if(m_runs.begin(), m_runs.end(), [number](const Run& one) { return one.number == number; });
    if (run == m_runs.end())
        return;
    auto gone = std::exchange(run->result, std::move(result));
    const bool shown = isShown(*run);
    if (shown)
        noteCurrent();
    emit changed(shown ? Change::runs | Change::outcome : Changes(Change::runs));
    letGo(gone);
}

void Document::forgetOldRuns(int newest)
{
    const auto nodes = [this] {
        std::size_t sum = 0;
        for (const Run& run : m_runs)
            sum += nodesOf(run);
        return sum;
    };
    while (m_runs.size() > 1 && (m_runs.size() > kMostRuns || nodes() > kMostNodes)) {
        // One that has a name of its own is wanted longer than one that has none.
        const auto isOld = [newest](const Run& run) { return run.number != newest; };
        auto oldest = std::find_if(m_runs.begin(), m_runs.end(),
                                   [&](const Run& run) { return isOld(run) && run.name.isEmpty(); });
        if (oldest == m_runs.end())
            oldest = std::find_if(m_runs.begin(), m_runs.end(), isOld);
        auto gone = std::make_shared<const Run>(std::move(*oldest));
        m_runs.erase(oldest);
        letGo(gone);
    }
}

std::vector<const Run*> Document::shownRuns() const
{
    std::vector<const Run*> shown;
    for (const Run& run : m_runs)
        if (isShown(run))
            shown.push_back(&run);
    return shown;
}

void Document::showRun(int number)
{
    if (const Run* run = this->run(number))
        setShownRun(run->kind(), number);
}

void Document::hideRun(ResultKind kind)
{
    setShownRun(kind, 0);
}

void Document::setShownRun(ResultKind kind, int number)
{
    m_shownRuns[kind] = number;
    if (m_selection.run > 0 && (this->run(m_selection.run) == nullptr || !isShown(*this->run(m_selection.run))))
        select(m_selection.source, m_selection.what); // what was picked there is out of sight
    Changes what = Change::outcome | Change::runs;
    if (kind == SplitOutcome::kKind) { // it may be what problems are about
        check();
        what |= Change::check;
    }
    emit changed(what);
}

void Document::renameRun(int number, const QString& name)
{
    const Run* run = this->run(number);
    const QString wanted = name.trimmed();
    if (run == nullptr || wanted == nameOf(*run))
        return;
    m_undoStack.push(new RenameRunCommand(*this, number, wanted, tr("Rename run %1").arg(number)));
}

void Document::discardRun(int number)
{
    if (const Run* run = this->run(number))
        m_undoStack.push(new DiscardRunCommand(*this, *run, tr("Discard run %1").arg(number)));
}

void Document::swapRunName(int number, QString& name)
{
    for (Run& run : m_runs)
        if (run.number == number)
            std::swap(run.name, name);
    emit changed(Change::runs);
}

void Document::insertRun(Run run)
{
    const auto place = std::upper_bound(m_runs.begin(), m_runs.end(), run.number,
                                        [](int number, const Run& other) { return number < other.number; });
    m_runs.insert(place, std::move(run));
    emit changed(Change::runs);
}

void Document::removeRun(int number)
{
    std::erase_if(m_runs, [number](const Run& run) { return run.number == number; });
    emit changed(Change::runs);
    const std::map<ResultKind, int> shown = m_shownRuns;
    for (const auto& [kind, run] : shown)
        if (run == number)
            hideRun(kind);
}

} // namespace sunder
