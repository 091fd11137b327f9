#include "document/custom_operators.h"

#include "document/runs/make_runs.h"
#include "document/text.h"
#include "io/side_files/operators_file.h"
#include "operators/operator_catalogue.h"
#include "text/amounts.h"

#include <QFileInfo>

#include <algorithm>
#include <unordered_set>

namespace sunder {
namespace {

const QString kReadKey = QStringLiteral("operators");
const QString kModelKey = QStringLiteral("operators of the model");
const QString kVerifyKey = QStringLiteral("verify again");

/// Returns whether a run was verified with other schemas than the model has now.
bool isStale(const Run& run, const Snapshot& source)
{
    const Program* program = programOf(run);
    return program != nullptr && program->operators != source.program.operators;
}

} // namespace

CustomOperators::CustomOperators(Document& document, Jobs& jobs, QObject* parent)
    : QObject(parent), m_document(document), m_jobs(jobs)
{
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what & (Change::program | Change::operators))
            putOnModel();
        if (what & (Change::program | Change::operators | Change::runs))
            reverify();
    });
}

void CustomOperators::take(const QString& path)
{
    if (path.isEmpty())
        set({}, nullptr);
    else
        read(path, false);
}

void CustomOperators::restore(const QString& path)
{
    if (path.isEmpty())
        return;
    m_path = path;
    read(path, true);
}

void CustomOperators::read(const QString& path, bool keepsPath)
{
    using Library = std::shared_ptr<const OperatorLibrary>;
    const QString file = brief(visible(QFileInfo(path).fileName()));
    m_jobs.start<Library>(
        {.key = kReadKey, .title = tr("Read %1").arg(file)},
        [path](ProgressMonitor&) { return readOperators(path.toStdString()); }, this,
        [this, path, file, keepsPath](Result<Library> library) {
            if (library) {
                emit message(tr("Loaded %1 of custom operators from %2.").arg(countText((*library)->size(), "schema"), file));
                set(path, *std::move(library));
                return;
            }
            if (!isFault(library.error()))
                return;
            if (keepsPath) {
                m_fault = sentence(describe(library.error()));
                emit changed();
            }
            emit failed(
                tr("The schemas of custom operators were not read"),
                tr("%1 %2").arg(
                    sentence(describe(library.error())),
                    keepsPath || m_library == nullptr
                        ? tr("Without schemas, custom operators are assumed to have arbitrary side effects. Passes › Custom operators… loads another file.")
                        : tr("The schemas that were loaded before stay in use.")));
        });
}

void CustomOperators::set(const QString& path, std::shared_ptr<const OperatorLibrary> library)
{
    m_path = path;
    m_library = std::move(library);
    m_fault.clear();
    emit changed();
    putOnModel();
}

void CustomOperators::putOnModel()
{
    const SnapshotPtr open = m_document.snapshot();
    if (open == nullptr || open->program.operators == m_library)
        return;
    m_jobs.start<SnapshotPtr>(
        {.key = kModelKey, .title = tr("Apply operator schemas"), .quiet = true},
        [open, library = m_library](ProgressMonitor&) -> Result<SnapshotPtr> { return withOperators(*open, library); }, this,
        [this, open](Result<SnapshotPtr> same) {
            if (same && m_document.snapshot() == open)
                m_document.setOperators(std::move(*same)); // emits changed(), which checks again whether the library has changed
        });
}

void CustomOperators::reverify()
{
    const SnapshotPtr source = m_document.snapshot();
    if (source == nullptr || source->program.operators != m_library || m_jobs.isRunning(kVerifyKey))
        return;
    const auto run = std::ranges::find_if(m_document.runs().list(), [&](const Run& one) { return isStale(one, *source); });
    if (run == m_document.runs().list().end())
        return;
    m_jobs.start<RunResult>(
        {.key = kVerifyKey, .title = tr("Verify run %1 again").arg(run->number)},
        [source, result = run->result](ProgressMonitor& monitor) { return verifiedAgain(source, result, monitor); }, this,
        [this, source, number = run->number, before = run->result](Result<RunResult> verified) {
            const Run* now = m_document.runs().find(number);
            if (!m_document.isOf(source) || now == nullptr || now->result != before) {
                reverify();
                return;
            }
            if (!verified)
                return;
            m_document.runs().replace(number, std::move(*verified)); // emits changed(), which verifies the next run
            now = m_document.runs().find(number);
            emit message(
                tr("Verified run %1 again with the new schemas: %2.").arg(number).arg(textOf(now->result->report.verdict)));
        });
}

QStringList unknownOperators(const Program& program)
{
    OperatorCatalog catalogue(program);
    std::unordered_set<InternedString> seen;
    QStringList names;
    for (const Graph& graph : program.graphs)
        for (const NodeId id : graph.nodes()) {
            const Node& node = graph[id];
            const InternedString called = calledOperator(node);
            const InternedString name = called.empty() ? node.target : called;
            if (node.op != Op::callFunction || !name.view().starts_with("torch.ops.") || !seen.insert(name).second)
                continue;
            if (!catalogue.of(node).known)
                names << text(name);
        }
    return names;
}

} // namespace sunder

#include "moc_custom_operators.cpp"
