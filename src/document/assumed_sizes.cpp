#include "document/assumed_sizes.h"

#include "document/runs/result_kinds.h"
#include "document/text.h"

#include <algorithm>
#include <array>

namespace sunder {
namespace {

using Results = std::vector<std::pair<int, RunResult>>;

/// The same model, and results of its runs, with other sizes.
struct Resized {
    SnapshotPtr snapshot;
    Results results;
};

Result<Resized> resized(const Snapshot& from, const Results& results, const std::vector<AssumedSize>& sizes)
{
    Program program = from.program;
    if (const Result<void> assumed = assumeSizes(program, sizes); !assumed)
        return forward(assumed);
    auto snapshot = std::make_shared<Snapshot>(std::move(program));
    snapshot->model = from.model;
    Resized made{.snapshot = std::move(snapshot)};
    for (const auto& [number, result] : results)
        if (const ResultDescription& kind = descriptionOf(result->kind); kind.copyWith != nullptr)
            made.results.emplace_back(number, kind.copyWith(*result, [&sizes](Program& of) {
                for (const AssumedSize& size : sizes)
                    (void)assumeSizes(of, std::array{size}); // it may not have all symbols
            }));
    return made;
}

} // namespace

AssumedSizes::AssumedSizes(Document& document, Jobs& jobs, QObject* parent) : QObject(parent), m_document(document), m_jobs(jobs)
{
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what & (Change::program | Change::sizes))
            look(what.testFlag(Change::program));
    });
}

std::optional<std::int64_t> AssumedSizes::fromFile(InternedString symbol) const
{
    const auto found = std::ranges::find(m_file, symbol, &SizeAssumption::symbol);
    return found == m_file.end() ? std::nullopt : found->value;
}

void AssumedSizes::look(bool isNewModel)
{
    if (isNewModel) {
        m_wanted.clear();
        m_file.clear();
        m_now.clear();
        emit changed();
    }
    if (!m_document.isOpen())
        return;
    using Found = std::vector<SizeAssumption>;
    m_jobs.start<Found>(
        {.key = QStringLiteral("assumed sizes"), .title = tr("Look at symbols of sizes"), .quiet = true},
        [snapshot = m_document.snapshot()](ProgressMonitor&) -> Result<Found> { return sizeAssumptions(snapshot->program); },
        this,
        [this, snapshot = m_document.snapshot(), isNewModel](Result<Found> found) {
            if (!found || m_document.snapshot() == nullptr || !m_document.isOf(snapshot))
                return;
            if (isNewModel)
                m_file = *found;
            m_now = std::move(*found);
            emit changed();
        });
}

void AssumedSizes::assume(InternedString symbol, std::int64_t value)
{
    if (!m_document.isOpen())
        return;
    std::erase_if(m_wanted, [symbol](const AssumedSize& size) { return size.first == symbol; });
    m_wanted.emplace_back(symbol, value);
    apply();
}

void AssumedSizes::apply()
{
    Results results;
    for (const Run& run : m_document.runs())
        results.emplace_back(run.number, run.result);
    const SnapshotPtr before = m_document.snapshot();
    m_jobs.start<Resized>(
        {.key = QStringLiteral("assume sizes"), .title = tr("Work out sizes")},
        [before, results, sizes = m_wanted](ProgressMonitor&) { return resized(*before, results, sizes); }, this,
        [this, before, results, sizes = m_wanted](Result<Resized> made) {
            if (!m_document.isOf(before) || sizes != m_wanted)
                return;
            if (m_document.snapshot() != before) { // other schemas meanwhile
                apply();
                return;
            }
            m_wanted.clear();
            if (!made) {
                emit changed(); // fields go back
                if (made.error().code != ErrorCode::cancelled)
                    emit failed(tr("The size was not taken"), sentence(made.error().message));
                return;
            }
            // Results that have changed meanwhile, by a verification, stay as they are then.
            std::erase_if(made->results, [&](const auto& one) {
                const Run* run = m_document.run(one.first);
                const auto was = std::ranges::find(results, one.first, &std::pair<int, RunResult>::first);
                return run == nullptr || was == results.end() || run->result != was->second;
            });
            m_document.setSizes(std::move(made->snapshot), std::move(made->results));
            QStringList said;
            for (const AssumedSize& size : sizes)
                said << QStringLiteral("%1 = %2").arg(text(size.first)).arg(size.second);
            emit message(tr("All sizes are for %1 now.").arg(said.join(QStringLiteral(", "))));
        });
}

} // namespace sunder
