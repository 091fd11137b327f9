#include "document/assumed_sizes.h"

#include "document/runs/result_kinds.h"
#include "document/session_commands.h"
#include "document/text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sunder {
namespace {

using Results = std::vector<std::pair<int, RunResult>>;

/// A model and the results of its runs, recomputed for other sizes.
struct Resized {
    SnapshotPtr snapshot;
    Results results;
};

/// Resets the program to the sizes of the file, then applies `sizes`.
void takeSizes(Program& program, const std::vector<AssumedSize>& sizes)
{
    takeFileSizes(program);
    for (const AssumedSize& size : sizes)
        (void)assumeSizes(program, std::array{size}); // the program of a run may lack some symbols
}

Result<Resized> resized(const Snapshot& from, const Results& results, const std::vector<AssumedSize>& sizes,
                        ProgressMonitor& monitor)
{
    Program program = from.program;
    takeFileSizes(program);
    SUNDER_PROPAGATE(assumeSizes(program, sizes));
    SUNDER_TRY(Snapshot snapshot, Snapshot::build(std::move(program), monitor));
    snapshot.model = from.model;
    Resized made{.snapshot = std::make_shared<const Snapshot>(std::move(snapshot))};
    for (const auto& [number, result] : results) {
        const ResultDescription& kind = descriptionOf(result->kind);
        if (kind.copyWith == nullptr)
            continue;
        const std::shared_ptr<Outcome> copy = kind.copyWith(*result, [&sizes](Program& of) { takeSizes(of, sizes); });
        if (kind.recompute != nullptr)
            SUNDER_PROPAGATE(kind.recompute(*copy, *made.snapshot, monitor));
        SUNDER_PROPAGATE(monitor.check());
        made.results.emplace_back(number, copy);
    }
    return made;
}

QString assumptionText(const std::vector<AssumedSize>& sizes)
{
    return text(describe(sizes));
}

} // namespace

/// Changes the assumed size of a symbol. Undo and redo recompute sizes in a background job.
class AssumeCommand final : public SessionCommand {
public:
    AssumeCommand(AssumedSizes& sizes, AssumedSize wanted, std::optional<std::int64_t> before)
        : SessionCommand(QObject::tr("Assume %1").arg(assumptionText({wanted}))), m_sizes(sizes), m_wanted(wanted),
          m_before(before)
    {
    }
    void undo() override { m_sizes.want(m_wanted.first, m_before); }
    void redo() override { m_sizes.want(m_wanted.first, m_wanted.second); }

private:
    AssumedSizes& m_sizes;
    AssumedSize m_wanted;
    std::optional<std::int64_t> m_before; ///< nothing: the size of the file
};

AssumedSizes::AssumedSizes(Document& document, Jobs& jobs, QObject* parent) : QObject(parent), m_document(document), m_jobs(jobs)
{
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what & (Change::program | Change::sizes))
            look(what);
    });
}

std::optional<std::int64_t> AssumedSizes::fromFile(InternedString symbol) const
{
    const auto found = std::ranges::find(m_file, symbol, &SizeAssumption::symbol);
    return found == m_file.end() ? std::nullopt : found->value;
}

void AssumedSizes::look(Changes what)
{
    if (what.testFlag(Change::program)) {
        m_mayDiffer = !what.testFlag(Change::opened);
        m_resumed.clear();
        if (m_mayDiffer) { // reloaded file: keep the assumed sizes if the file still allows them
            m_resumed = m_wanted;
            m_resumed.insert(m_resumed.end(), m_absent.begin(), m_absent.end());
        }
        m_absent.clear();
        m_wanted.clear();
        m_taken.clear();
        m_isKnown = false;
        if (!m_mayDiffer)
            m_early.clear();
        m_model = m_document.isOpen() ? m_document.snapshot()->model : 0;
        m_file.clear();
        m_now.clear();
        emit changed();
    }
    if (!m_document.isOpen())
        return;
    struct Found {
        std::vector<SizeAssumption> symbols;
        std::vector<SizeAssumption> ofFile; ///< sizes of the file; filled by the first analysis of a model
        bool hasRecordedSizes;
    };
    m_jobs.start<Found>(
        {.key = QStringLiteral("assumed sizes"), .title = tr("Find symbolic dimensions"), .quiet = true},
        [snapshot = m_document.snapshot(), isNew = !m_isKnown, mayDiffer = m_mayDiffer](ProgressMonitor&) -> Result<Found> {
            Found found{.symbols = sizeAssumptions(snapshot->program),
                        .ofFile = {},
                        .hasRecordedSizes = hasRecordedSizes(snapshot->program)};
            if (isNew)
                found.ofFile = found.symbols;
            if (isNew && mayDiffer && !found.symbols.empty()) {
                Program asFile = snapshot->program;
                takeFileSizes(asFile);
                found.ofFile = sizeAssumptions(asFile);
            }
            return found;
        },
        this,
        [this, snapshot = m_document.snapshot()](Result<Found> found) {
            if (!found || m_document.snapshot() == nullptr || !m_document.isOf(snapshot))
                return;
            m_now = std::move(found->symbols);
            m_partitionsFollow = !found->hasRecordedSizes;
            const bool isNew = !std::exchange(m_isKnown, true);
            if (isNew) {
                m_file = std::move(found->ofFile);
                for (const SizeAssumption& now : m_now)
                    if (now.value && now.value != fromFile(now.symbol))
                        m_taken.emplace_back(now.symbol, *now.value);
                if (!m_taken.empty()) { // undo or redo restored a model with assumed sizes
                    m_resumed.clear();
                    m_wanted = m_taken;
                }
            }
            emit changed();
            takeResumed();
            for (const auto& [symbol, value] : std::exchange(m_early, {}))
                want(symbol, value);
        });
}

void AssumedSizes::assume(InternedString symbol, std::int64_t value)
{
    const auto there = std::ranges::find(m_file, symbol, &SizeAssumption::symbol);
    if (!m_document.isOpen() || there == m_file.end())
        return;
    if (const std::int64_t nearest = nearestAllowed(*there, value); nearest != value) {
        emit changed(); // lets input fields restore their values
        emit refused(symbol,
                     tr("%1 is outside the range that the file allows: %2 to %3.")
                         .arg(assumptionText({{symbol, value}}))
                         .arg(std::max<std::int64_t>(there->min.value_or(0), 0))
                         .arg(there->max ? QString::number(*there->max) : tr("any")),
                     nearest);
        return;
    }
    const auto before = std::ranges::find(m_wanted, symbol, &AssumedSize::first);
    const std::optional<std::int64_t> was = before == m_wanted.end() ? std::nullopt : std::optional(before->second);
    if (value != (was ? was : there->value))
        m_document.m_undoStack.push(new AssumeCommand(*this, {symbol, value}, was));
}

void AssumedSizes::want(InternedString symbol, std::optional<std::int64_t> value)
{
    if (!m_isKnown || m_document.snapshot()->model != m_model) { // undo or redo is passing over a reload
        m_early.emplace_back(symbol, value);
        return;
    }
    std::erase_if(m_wanted, [symbol](const AssumedSize& size) { return size.first == symbol; });
    if (value && value != fromFile(symbol))
        m_wanted.emplace_back(symbol, *value);
    apply();
}

void AssumedSizes::resume(std::vector<AssumedSize> sizes)
{
    m_resumed = std::move(sizes);
    takeResumed();
}

void AssumedSizes::takeResumed()
{
    if (m_resumed.empty() || !m_isKnown)
        return;
    QStringList messages;
    for (const AssumedSize& size : std::exchange(m_resumed, {})) {
        const auto there = std::ranges::find(m_file, size.first, &SizeAssumption::symbol);
        if (there == m_file.end()) {
            messages << tr("%1 is dropped: no size of this model depends on it.").arg(assumptionText({size}));
            m_absent.push_back(size);
            continue;
        }
        const std::int64_t allowed = nearestAllowed(*there, size.second);
        if (allowed != size.second)
            messages << tr("%1 is outside the range that the file allows now; %2 is used instead.")
                            .arg(assumptionText({size}))
                            .arg(allowed);
        std::erase_if(m_wanted, [&size](const AssumedSize& wanted) { return wanted.first == size.first; });
        if (allowed != there->value)
            m_wanted.emplace_back(size.first, allowed);
    }
    if (!messages.isEmpty())
        emit message(messages.join(QLatin1Char(' ')));
    if (m_wanted != m_taken)
        apply();
}

void AssumedSizes::apply()
{
    Results results;
    for (const Run& run : m_document.runs().list())
        results.emplace_back(run.number, run.result);
    const SnapshotPtr before = m_document.snapshot();
    m_jobs.start<Resized>(
        {.key = QStringLiteral("assume sizes"), .title = tr("Compute sizes")},
        [before, results, sizes = m_wanted](ProgressMonitor& monitor) { return resized(*before, results, sizes, monitor); }, this,
        [this, before, results, sizes = m_wanted](Result<Resized> made) {
            if (!m_document.isOf(before) || sizes != m_wanted)
                return;
            if (m_document.snapshot() != before) { // operator schemas changed meanwhile
                apply();
                return;
            }
            if (!made) {
                m_wanted = m_taken;
                emit changed(); // lets input fields restore their values
                if (isFault(made.error()))
                    emit failed(tr("The size was not applied"), sentence(made.error().message));
                return;
            }
            take(std::move(made->snapshot), std::move(made->results), results);
        });
}

void AssumedSizes::take(SnapshotPtr snapshot, Results made, const Results& before)
{
    // Results that changed or arrived meanwhile need another pass.
    const bool isMore = std::ranges::any_of(m_document.runs().list(), [&before](const Run& run) {
        return std::ranges::find(before, std::pair(run.number, run.result)) == before.end();
    });
    std::erase_if(made, [&](const auto& one) {
        const Run* run = m_document.runs().find(one.first);
        const auto was = std::ranges::find(before, one.first, &std::pair<int, RunResult>::first);
        return run == nullptr || was == before.end() || run->result != was->second;
    });
    m_taken = m_wanted;
    m_document.setSizes(std::move(snapshot), std::move(made));
    if (isMore)
        apply();
    emit message(m_taken.empty() ? tr("All sizes are those of the export again.")
                                 : tr("All sizes now assume %1.").arg(assumptionText(m_taken)));
}

} // namespace sunder

#include "moc_assumed_sizes.cpp"
