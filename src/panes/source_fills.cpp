#include "panes/source_fills.h"

#include "document/text.h"
#include "models/tag_style_of.h"
#include "passes/regions/find_regions.h"
#include "passes/regions/occurrences.h"
#include "text/amounts.h"

#include <algorithm>
#include <utility>

namespace sunder {
namespace {

/// Maximum number of nodes for an immediate search; more would slow down mouse moves.
constexpr std::size_t kFilledAtOnce = 30'000;

std::size_t placeOfScope(FillScope scope)
{
    return static_cast<std::size_t>(std::ranges::find(kFillScopes, scope, &FillScopeWords::scope) - kFillScopes.begin());
}

} // namespace

SourceFills::SourceFills(Document& document, Jobs& jobs, CanvasWidget& canvas, QObject* parent)
    : QObject(parent), m_document(document), m_jobs(jobs), m_canvas(canvas)
{
    connect(&canvas, &CanvasWidget::fillPointed, this, &SourceFills::point);
    connect(&canvas, &CanvasWidget::fillTaken, this, &SourceFills::take);
    connect(&canvas, &CanvasWidget::fillCancelled, this, &SourceFills::cancel);
    connect(&canvas, &CanvasWidget::fillScopeStepped, this, &SourceFills::stepScope);
    connect(&canvas, &CanvasWidget::fillWidthStepped, this, &SourceFills::stepWidth);
    connect(&canvas, &CanvasWidget::toolChanged, this, &SourceFills::changed);
    connect(&document, &Document::changed, this, &SourceFills::documentChanged);
}

FillScope SourceFills::scope() const
{
    return m_canvas.tool() == ToolKind::wand ? FillScope::alike : m_scope;
}

std::size_t& SourceFills::width()
{
    return m_width[m_canvas.tool() == ToolKind::wand ? 1 : 0];
}

void SourceFills::setScope(FillScope scope)
{
    if (scope == m_scope)
        return;
    m_scope = scope;
    m_width[0] = 0;
    m_first = {};
    updateFill();
    emit changed();
}

void SourceFills::stepScope(int by)
{
    if (m_canvas.tool() != ToolKind::fill)
        return;
    constexpr auto kCount = static_cast<int>(kFillScopes.size()) - 1; // the last scope belongs to the wand
    const int next = (static_cast<int>(placeOfScope(m_scope)) + by + kCount) % kCount;
    setScope(kFillScopes[static_cast<std::size_t>(next)].scope);
    emit message(tr("Fill: %1").arg(text(kFillScopes[placeOfScope(m_scope)].tip)));
}

bool SourceFills::canWiden() const
{
    return m_plan && m_plan->fill.width + 1 < m_plan->fill.widths;
}

bool SourceFills::canNarrow() const
{
    return m_plan && m_plan->fill.width > 0;
}

void SourceFills::stepWidth(int by)
{
    if (by > 0 ? !canWiden() : !canNarrow())
        return;
    width() = by > 0 ? m_plan->fill.width + 1 : m_plan->fill.width - 1;
    updateFill();
}

void SourceFills::point(const std::vector<NodeId>& nodes, const QString& module)
{
    m_pick = {nodes, module.toStdString()};
    m_takes = false;
    updateFill();
}

void SourceFills::take(const std::vector<NodeId>& nodes, const QString& module)
{
    if (nodes != m_pick.nodes || !m_plan)
        point(nodes, module);
    if (scope() == FillScope::between && m_first.nodes.empty()) {
        m_first = m_pick;
        emit message(tr("Between two: click the other end, or press Esc."));
        updateFill();
        return;
    }
    m_takes = true;
    done();
}

void SourceFills::cancel()
{
    m_pick = {};
    m_first = {};
    m_takes = false;
    updateFill();
}

void SourceFills::updateFill()
{
    m_plan.reset();
    if (!m_document.isOpen() || m_pick.nodes.empty()) {
        m_canvas.setFillPreview({});
        emit changed();
        return;
    }
    if (scope() == FillScope::occurrences && !m_occurrences)
        return findRegions();
    if (scope() == FillScope::between && m_first.nodes.empty())
        return showWaiting(tr("Click to start here, then click the other end"));
    if (m_document.graph().size() > kFilledAtOnce)
        return fillInJob();
    show(planFill(*m_document.snapshot(), m_document.tagState(),
                  {.scope = scope(),
                   .pick = m_pick.nodes,
                   .module = m_pick.module,
                   .other = m_first.nodes,
                   .otherModule = m_first.module,
                   .width = width(),
                   .occurrences = m_occurrences.get()}));
}

void SourceFills::fillInJob()
{
    showWaiting(tr("Computing the fill…"));
    m_jobs.start<FillPlan>(
        {.key = QStringLiteral("fill-preview"), .title = tr("Preview a fill"), .quiet = true},
        [snapshot = m_document.snapshot(), state = m_document.tagState(), pick = m_pick, first = m_first, scope = scope(),
         width = width(), occurrences = m_occurrences](ProgressMonitor&) {
            return planFill(*snapshot, state,
                            {.scope = scope,
                             .pick = pick.nodes,
                             .module = pick.module,
                             .other = first.nodes,
                             .otherModule = first.module,
                             .width = width,
                             .occurrences = occurrences.get()});
        },
        this,
        [this, snapshot = m_document.snapshot(), nodes = m_pick.nodes, scope = scope()](const Found& found) {
            if (m_document.isOf(snapshot) && nodes == m_pick.nodes && scope == this->scope())
                show(found);
        });
}

void SourceFills::findRegions()
{
    showWaiting(tr("Finding repeated regions…"));
    if (m_jobs.isRunning(QStringLiteral("fill-regions")))
        return;
    using Table = std::shared_ptr<const OccurrenceTable>;
    m_jobs.start<Table>(
        {.key = QStringLiteral("fill-regions"), .title = tr("Find repeated regions"), .quiet = true},
        [snapshot = m_document.snapshot()](ProgressMonitor& monitor) -> Result<Table> {
            SUNDER_TRY(const RegionResult regions, sunder::findRegions(snapshot->program, {}, monitor));
            return std::make_shared<const OccurrenceTable>(occurrencesOf(regions, snapshot->graph().idBound()));
        },
        this,
        [this, snapshot = m_document.snapshot()](const Result<Table>& found) {
            if (!m_document.isOf(snapshot))
                return;
            if (!found) {
                m_takes = false;
                return show(forward(found));
            }
            m_occurrences = *found;
            updateFill();
        });
}

void SourceFills::showWaiting(const QString& what)
{
    m_canvas.setFillPreview({.nodes = {}, .color = {}, .title = what, .amount = {}, .legality = {}, .isWorse = false});
    emit changed();
}

/// Returns the number of ops that change, and of those that do not.
QString SourceFills::amountOf(const FillPlan& plan)
{
    const std::size_t same = plan.fill.nodes.size() - plan.changes.size();
    QString stays = plan.kept;
    if (stays.isEmpty() && same > 0)
        stays = tr("%1 unchanged").arg(countText(same, "op"));
    if (plan.changes.empty())
        return tr("nothing to change: %1").arg(stays);
    const QString amount = exact(describeAmount(plan.effect));
    return stays.isEmpty() ? amount : tr("%1; %2").arg(amount, stays);
}

void SourceFills::show(const Found& found)
{
    if (!found) {
        m_takes = false;
        showWaiting(exact(found.error().message));
        return;
    }
    m_plan = *found;
    FillPreview preview{.nodes = m_plan->changes,
                        .color = {},
                        .title = exact(m_plan->fill.what),
                        .amount = {},
                        .legality = {},
                        .isWorse = m_plan->effect.backwardAdded > m_plan->effect.backwardMended};
    if (m_plan->tag < 0) {
        preview.amount = tr("No tag to fill with: add a tag");
    } else {
        const std::vector<TagLook> looks = tagLooksOf(m_document, currentTheme());
        preview.color = looks[static_cast<std::size_t>(m_plan->tag)].style.color;
        preview.target = QStringLiteral("→ ") + m_document.tagName(m_plan->tag);
        preview.amount = amountOf(*m_plan);
        preview.legality = m_plan->changes.empty() ? QString() : exact(describeLegality(m_plan->effect));
    }
    m_canvas.setFillPreview(std::move(preview));
    emit changed();
    done();
}

void SourceFills::done()
{
    if (!m_takes || !m_plan)
        return;
    m_takes = false;
    const FillPlan plan = *m_plan;
    m_first = {};
    if (plan.tag < 0)
        return emit message(tr("No tag to fill with: add a tag."));
    if (m_document.painting().fill(plan) == 0)
        return emit message(plan.kept.isEmpty() ? tr("Fill: nothing to change.")
                                                : tr("Fill: nothing changed, %1.").arg(plan.kept));
    emit message(tr("Filled %1 with %2: %3; %4.")
                     .arg(exact(plan.fill.what), m_document.tagName(plan.tag), exact(describeAmount(plan.effect)),
                          exact(describeLegality(plan.effect))));
}

void SourceFills::documentChanged(Changes what)
{
    if (what & (Change::program | Change::operators | Change::sizes))
        forgetModel();
    else if ((what & (Change::tags | Change::tagList | Change::activeTag)) && !m_pick.nodes.empty())
        updateFill();
}

void SourceFills::forgetModel()
{
    m_occurrences.reset();
    cancel();
}

} // namespace sunder

#include "moc_source_fills.cpp"
