// The rows of loads and of the step in the comparison of two cuts.
#include "panes/compare/comparison_model.h"

#include "document/text.h"
#include "panes/compare/comparison_summary.h"
#include "panes/compare/cut_times.h"
#include "support/format.h"
#include "text/amounts.h"

#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

QString secondsText(double seconds)
{
    return text(formatSeconds(seconds));
}

/// Returns e.g. "+0.2 ms (+16.7 %)", "no change".
QString timeChange(double before, double after)
{
    if (before == after)
        return QObject::tr("no change");
    const QString sign = after > before ? QStringLiteral("+") : QStringLiteral("−");
    const QString by = sign + secondsText(std::abs(after - before));
    return before > 0 ? QObject::tr("%1 (%2%3 %)").arg(by, sign, QString::number(100 * std::abs(after / before - 1), 'f', 1))
                      : by;
}

int directionOfTime(double before, double after)
{
    return after > before ? 1 : after < before ? -1 : 0;
}

QString assumptionsOf(const CutTimesFigures& times)
{
    QStringList sentences;
    for (const auto& cut : {times.before, times.after})
        for (const std::string& assumption : cut->assumptions)
            if (const QString one = sentence(assumption); !sentences.contains(one))
                sentences << one;
    return sentences.join(QLatin1Char('\n'));
}

QString reasonOrDash(const std::string& why)
{
    return why.empty() ? QStringLiteral("–") : text(why);
}

QString boundText(const CutFigures& cut, const std::optional<LoadBound>& bound, const QString& why)
{
    if (bound)
        return secondsText(bound->bound);
    return cut.stages.empty() ? QStringLiteral("–") : why.isEmpty() ? QObject::tr("searching…") : why;
}

/// Returns "optimal", "at most 1.8 %", or that the load is below the bound.
QString gapText(const CutFigures& cut, const std::optional<LoadBound>& bound)
{
    if (!bound)
        return QStringLiteral("–");
    const double load = cut.loads->result.load;
    const double gap = gapOf(load, *bound);
    if (isOptimal(load, *bound))
        return QObject::tr("optimal");
    if (gap < -1e-9)
        return QObject::tr("below: illegal or over memory");
    return std::isfinite(gap) ? QObject::tr("at most %1 %").arg(QString::number(100 * gap, 'g', gap < 0.0995 ? 2 : 3))
                              : QObject::tr("no bound");
}

QString deviceOfRank(const PlannedSchedule& plan, std::uint32_t rank)
{
    return plan.model->hasDevices ? text(plan.model->deviceOf(rank).name) : QObject::tr("device %1").arg(rank);
}

QString peakText(const PlannedSchedule& plan, std::uint32_t rank)
{
    if (rank >= plan.times.ranks.size())
        return QObject::tr("absent");
    const QString peak = bytesText(plan.times.ranks[rank].peakBytes);
    const std::optional<double> available = plan.availableOf(rank);
    return available ? QObject::tr("%1 of %2").arg(peak, bytesText(static_cast<std::uint64_t>(*available))) : peak;
}

} // namespace

void ComparisonModel::setTimes(const CutTimesFigures& times)
{
    if (m_loads < 0)
        return;
    const bool isKnown = times.before && times.after;
    const QString step = text(name(times.step.schedule));
    m_rows[static_cast<std::size_t>(m_step)].what = tr("Step, %1 × %2").arg(step, text(formatCount(times.step.microBatches)));
    for (const std::int32_t heading : {m_loads, m_step})
        m_rows[static_cast<std::size_t>(heading)].tip = isKnown ? assumptionsOf(times) : QString();
    const Row computing{.what = tr("Computing…")};
    replaceChildren(m_loads, isKnown ? loadRows(times) : std::vector{computing});
    replaceChildren(m_step, isKnown ? stepRows(times) : std::vector{computing});
}

/// Replaces the rows below a heading. Rows that stay keep their place, so that the selection and the scroll position stay.
void ComparisonModel::replaceChildren(std::int32_t heading, std::vector<Row> rows)
{
    const auto at = [this, heading]() -> Row& { return m_rows[static_cast<std::size_t>(heading)]; };
    const QModelIndex parent = createIndex(at().place, 0, static_cast<quintptr>(heading));
    const auto had = static_cast<int>(at().children.size());
    const auto has = static_cast<int>(rows.size());
    if (has < had) {
        beginRemoveRows(parent, has, had - 1);
        at().children.resize(rows.size());
        endRemoveRows();
    }
    const int common = std::min(had, has);
    for (int i = 0; i < common; ++i) {
        Row& row = m_rows[static_cast<std::size_t>(at().children[static_cast<std::size_t>(i)])];
        rows[static_cast<std::size_t>(i)].parent = heading;
        rows[static_cast<std::size_t>(i)].place = i;
        row = std::move(rows[static_cast<std::size_t>(i)]);
    }
    if (has > had) {
        beginInsertRows(parent, had, has - 1);
        for (int i = had; i < has; ++i)
            add(heading, std::move(rows[static_cast<std::size_t>(i)]));
        endInsertRows();
    }
    emit dataChanged(parent, parent.siblingAtColumn(ColumnCount - 1));
    if (common > 0)
        emit dataChanged(index(0, 0, parent), index(common - 1, ColumnCount - 1, parent));
}

std::vector<ComparisonModel::Row> ComparisonModel::loadRows(const CutTimesFigures& times) const
{
    const CutFigures& before = *times.before;
    const CutFigures& after = *times.after;
    if (!before.loads || !after.loads)
        return {{.what = tr("Not known"), .before = reasonOrDash(before.whyNoLoads), .after = reasonOrDash(after.whyNoLoads)}};
    const auto row = [](const QString& what, double first, double second) {
        return Row{.what = what,
                   .before = secondsText(first),
                   .after = secondsText(second),
                   .change = timeChange(first, second),
                   .worse = directionOfTime(first, second)};
    };
    std::vector<Row> rows{
        row(tr("Largest load"), before.loads->result.load, after.loads->result.load),
        {.what = tr("Lower bound"),
         .before = boundText(before, times.boundBefore, times.whyNoBound),
         .after = boundText(after, times.boundAfter, times.whyNoBound)},
        {.what = tr("Above the bound"), .before = gapText(before, times.boundBefore), .after = gapText(after, times.boundAfter)}};
    const auto styleIn = [](const TagAssignment& tags, const std::vector<TagLook>& looks, const std::string& tag) {
        const auto at = std::ranges::find(tags.order, std::string_view(tag), [](InternedString one) { return one.view(); });
        return styleOf(looks, at == tags.order.end() ? -1 : static_cast<std::int32_t>(at - tags.order.begin()));
    };
    for (std::size_t stage = 0; stage < std::max(before.stages.size(), after.stages.size()); ++stage) {
        const bool isBefore = stage < before.stages.size();
        const bool isAfter = stage < after.stages.size();
        const QString first = isBefore ? text(before.stages[stage]) : QString();
        const QString second = isAfter ? text(after.stages[stage]) : QString();
        const QString tags = !isAfter || first == second ? first : !isBefore ? second : tr("%1 → %2").arg(first, second);
        const double secondsBefore = isBefore ? before.loads->result.loads[stage].load : 0;
        const double secondsAfter = isAfter ? after.loads->result.loads[stage].load : 0;
        Row one = row(tags, secondsBefore, secondsAfter);
        if (!isBefore)
            one.before = tr("absent");
        if (!isAfter)
            one.after = tr("absent");
        if (isBefore)
            one.swatches[1] = styleIn(m_comparison->before(), m_before, before.stages[stage]);
        if (isAfter)
            one.swatches[2] = styleIn(m_comparison->after(), m_after, after.stages[stage]);
        rows.push_back(std::move(one));
    }
    return rows;
}

std::vector<ComparisonModel::Row> ComparisonModel::stepRows(const CutTimesFigures& times) const
{
    if (!times.before->step || !times.after->step)
        return {{.what = tr("Not known"),
                 .before = reasonOrDash(times.before->whyNoStep),
                 .after = reasonOrDash(times.after->whyNoStep)}};
    const PlannedSchedule& before = *times.before->step;
    const PlannedSchedule& after = *times.after->step;
    const double points = 100 * (after.times.bubble - before.times.bubble);
    const QString sign = points > 0 ? QStringLiteral("+") : QStringLiteral("−");
    std::vector<Row> rows{{.what = tr("Time of a step"),
                           .before = secondsText(before.times.step),
                           .after = secondsText(after.times.step),
                           .change = timeChange(before.times.step, after.times.step),
                           .worse = directionOfTime(before.times.step, after.times.step)},
                          {.what = tr("Bubble"),
                           .before = text(before.bubbleText()),
                           .after = text(after.bubbleText()),
                           .change = std::abs(points) < 0.05
                               ? tr("no change")
                               : tr("%1%2 points").arg(sign, QString::number(std::abs(points), 'f', 1)),
                           .worse = std::abs(points) < 0.05 ? 0 : directionOfTime(before.times.bubble, after.times.bubble)}};
    const std::size_t ranks = std::max(before.times.ranks.size(), after.times.ranks.size());
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        const auto peak = [rank](const PlannedSchedule& plan) {
            return rank < plan.times.ranks.size() ? static_cast<std::int64_t>(plan.times.ranks[rank].peakBytes) : 0;
        };
        const std::int64_t change = peak(after) - peak(before);
        const PlannedSchedule& named = rank < after.times.ranks.size() ? after : before;
        rows.push_back({.what = tr("Peak, %1").arg(deviceOfRank(named, rank)),
                        .before = peakText(before, rank),
                        .after = peakText(after, rank),
                        .change = changeText(change),
                        .worse = change > 0 ? 1
                            : change < 0    ? -1
                                            : 0});
    }
    return rows;
}

} // namespace sunder
