#include "canvas/timeline_content.h"

#include "text/amounts.h"
#include "text/shown_text.h"

#include <algorithm>
#include <utility>

namespace sunder {
namespace {

/// A limit is drawn if the curve reaches at least this share of it.
constexpr double kShownLimit = 0.4;

QString percentText(double share)
{
    return tr("%1%").arg(QString::number(100 * share, 'f', share > 0 && share < 0.1 ? 1 : 0));
}

TimelineLane laneOf(const PlannedSchedule& plan, std::uint32_t rank)
{
    const RankTimes& times = plan.times.ranks[rank];
    TimelineLane lane{.device = deviceName(plan, rank),
                      .use = tr("busy %1").arg(percentText(plan.times.step > 0 ? times.busy / plan.times.step : 0)),
                      .available = plan.availableOf(rank)};
    if (!plan.model)
        return lane;
    const double peak = static_cast<double>(times.peakBytes);
    lane.memoryTop = std::max(1.0, peak * 1.1);
    lane.peak = bytesText(times.peakBytes);
    if (lane.available) {
        lane.isOver = peak > *lane.available;
        const QString limit = bytesText(static_cast<std::uint64_t>(*lane.available));
        lane.limit = lane.isOver ? tr("exceeds %1").arg(limit) : tr("of %1").arg(limit);
        if (peak >= kShownLimit * *lane.available)
            lane.memoryTop = std::max(lane.memoryTop, *lane.available * 1.1);
    }
    return lane;
}

/// Returns the index of the transfer behind a place.
std::uint32_t transferIndex(const TimelineContent& content, TimelinePlace place)
{
    const TimelineLane& lane = (*content.lanes)[place.rank];
    return (place.row == TimelineRow::send ? lane.sends : lane.receives)[static_cast<std::size_t>(place.index)];
}

const TimedTransfer& transferOf(const TimelineContent& content, TimelinePlace place)
{
    return content.plan->times.transfers[transferIndex(content, place)];
}

const TimedAction& actionOf(const TimelineContent& content, TimelinePlace place)
{
    return content.plan->times.actions[place.rank][static_cast<std::size_t>(place.index)];
}

QString kindText(ActionKind kind)
{
    switch (kind) {
    case ActionKind::forward: return tr("Forward pass");
    case ActionKind::backward: return tr("Backward pass");
    case ActionKind::inputGradient: return tr("Gradients of inputs");
    case ActionKind::weightGradient: break;
    }
    return tr("Gradients of weights");
}

QString stageName(const TimelineContent& content, std::uint32_t stage)
{
    return stage < content.stages.size() ? brief(content.stages[stage].name, 40) : tr("stage %1").arg(stage);
}

} // namespace

QString deviceName(const PlannedSchedule& plan, std::uint32_t rank)
{
    if (!plan.model || !plan.model->hasDevices)
        return tr("rank %1").arg(rank);
    const Device& device = plan.model->deviceOf(rank);
    return device.name.empty() ? tr("device %1").arg(device.logicalId) : brief(text(device.name), 40);
}

TimelineContent timelineContent(PlannedSchedule plan)
{
    std::vector<TimelineLane> lanes;
    for (std::uint32_t rank = 0; rank < plan.times.ranks.size(); ++rank)
        lanes.push_back(laneOf(plan, rank));
    TimelineContent content;
    for (std::uint32_t at = 0; at < plan.times.transfers.size(); ++at) {
        const TimedTransfer& transfer = plan.times.transfers[at];
        lanes[plan.order.rankOf[transfer.from]].sends.push_back(at);
        lanes[plan.order.rankOf[transfer.to]].receives.push_back(at);
        content.hasTransfers = content.hasTransfers || transfer.end > transfer.start;
    }
    content.plan = std::make_shared<const PlannedSchedule>(std::move(plan));
    content.lanes = std::make_shared<const std::vector<TimelineLane>>(std::move(lanes));
    return content;
}

std::vector<TagLook> stageLooks(const PlannedSchedule& plan, const Theme& theme)
{
    std::vector<TagLook> looks;
    QStringList names;
    for (std::uint32_t stage = 0; stage < plan.order.sizes.stages; ++stage)
        names << (plan.model ? text(plan.model->stages[stage].name) : tr("stage %1").arg(stage));
    const QStringList codes = tagCodes(names);
    for (std::uint32_t stage = 0; stage < plan.order.sizes.stages; ++stage)
        looks.push_back({names[stage], codes[stage], tagStyle(theme, stage)});
    return looks;
}

std::size_t countIn(const TimelineContent& content, std::uint32_t rank, TimelineRow row)
{
    const TimelineLane& lane = (*content.lanes)[rank];
    switch (row) {
    case TimelineRow::compute: return content.plan->times.actions[rank].size();
    case TimelineRow::send: return content.hasTransfers ? lane.sends.size() : 0;
    case TimelineRow::receive: break;
    }
    return content.hasTransfers ? lane.receives.size() : 0;
}

TimeSpan spanOf(const TimelineContent& content, TimelinePlace place)
{
    if (place.row == TimelineRow::compute) {
        const TimedAction& action = actionOf(content, place);
        return {action.start, action.end};
    }
    const TimedTransfer& transfer = transferOf(content, place);
    return {transfer.start, transfer.end};
}

std::uint32_t stageOf(const TimelineContent& content, TimelinePlace place)
{
    return place.row == TimelineRow::compute ? actionOf(content, place).action.stage : transferOf(content, place).from;
}

std::uint32_t microBatchOf(const TimelineContent& content, TimelinePlace place)
{
    return place.row == TimelineRow::compute ? actionOf(content, place).action.microBatch : transferOf(content, place).microBatch;
}

TimelinePlace placeAt(const TimelineContent& content, std::uint32_t rank, TimelineRow row, double time, double reach)
{
    const auto count = static_cast<std::int64_t>(countIn(content, rank, row));
    std::int64_t first = 0; // the first one that ends later
    for (std::int64_t size = count; size > 0;) {
        const std::int64_t half = size / 2;
        if (spanOf(content, {rank, row, first + half}).end <= time) {
            first += half + 1;
            size -= half + 1;
        } else
            size = half;
    }
    TimelinePlace best;
    double nearest = reach;
    for (const std::int64_t index : {first, first - 1}) {
        if (index < 0 || index >= count)
            continue;
        const TimeSpan span = spanOf(content, {rank, row, index});
        const double distance = std::max({0.0, span.start - time, time - span.end});
        if (distance < nearest || (distance == 0 && !best.isValid())) {
            best = {rank, row, index};
            nearest = distance;
        }
    }
    return best;
}

QString letterOf(ActionKind kind)
{
    switch (kind) {
    case ActionKind::forward: return QStringLiteral("F");
    case ActionKind::backward: return QStringLiteral("B");
    case ActionKind::inputGradient: return QStringLiteral("I");
    case ActionKind::weightGradient: break;
    }
    return QStringLiteral("W");
}

QString describe(const TimelineContent& content, TimelinePlace place)
{
    if (!place.isValid())
        return {};
    const TimeSpan span = spanOf(content, place);
    const auto timeOf = [&](double time) { return text(content.plan->timeText(time)); };
    const QString when = tr("starts at %1, takes %2").arg(timeOf(span.start), timeOf(span.end - span.start));
    const QString device = deviceName(*content.plan, place.rank);
    if (place.row == TimelineRow::compute) {
        const PipelineAction& action = actionOf(content, place).action;
        QString what = tr("%1 of micro-batch %2 in %3 on %4 (%5): %6")
                           .arg(kindText(action.kind), QString::number(action.microBatch), stageName(content, action.stage),
                                device, text(sunder::describe(action)), when);
        if (action.overlapsNext)
            what += tr(", overlaps the next action");
        return what;
    }
    const TimedTransfer& transfer = transferOf(content, place);
    return tr("%1 of micro-batch %2 from %3 to %4, %5 by %6: %7")
        .arg(transfer.isGradient() ? tr("Gradients") : tr("Values"), QString::number(transfer.microBatch),
             stageName(content, transfer.from), stageName(content, transfer.to),
             place.row == TimelineRow::send ? tr("sent") : tr("received"), device, when);
}

QString describeMemory(const TimelineContent& content, std::uint32_t rank, double time)
{
    const std::vector<MemoryAt>& points = content.plan->times.memory[rank];
    const auto after = std::ranges::upper_bound(points, time, {}, &MemoryAt::time);
    if (!content.plan->model || after == points.begin())
        return {};
    const TimelineLane& lane = (*content.lanes)[rank];
    QString said =
        tr("%1 in use at %2 on %3").arg(bytesText(std::prev(after)->bytes), text(content.plan->timeText(time)), lane.device);
    return said + tr("\nPeak %1 %2").arg(lane.peak, lane.limit);
}

QString titleOf(const PlannedSchedule& plan)
{
    const PipelineSizes& sizes = plan.order.sizes;
    const bool isInference = plan.order.schedule == PipelineSchedule::inference;
    return tr("%1 · %2 on %3 · %4")
        .arg(isInference ? tr("Inference") : text(name(plan.order.schedule)), countText(sizes.stages, "stage"),
             countText(sizes.ranks, plan.model && plan.model->hasDevices ? "device" : "rank"),
             sizes.microBatches == 1 ? tr("1 micro-batch") : tr("%1 micro-batches").arg(text(formatCount(sizes.microBatches))));
}

QString figuresOf(const PlannedSchedule& plan)
{
    QStringList figures{tr("step %1%2").arg(text(plan.timeText(plan.times.step)), plan.model ? QString() : tr(" at unit times"))};
    if (plan.order.schedule == PipelineSchedule::inference) {
        const InferenceFigures steady = inferenceFigures(plan.order, plan.costs);
        figures << tr("%1 micro-batches per %2 in the steady state")
                       .arg(QString::number(steady.throughput(), 'g', 4), plan.model ? tr("second") : tr("unit of time"))
                << tr("latency %1").arg(text(plan.timeText(steady.latency)))
                << (steady.isTransfer ? tr("limited by the transfers of %1") : tr("limited by the compute of %1"))
                       .arg(deviceName(plan, steady.slowest));
    } else {
        figures << tr("bubble %1").arg(percentText(plan.times.bubble));
    }
    std::uint32_t fullest = 0;
    std::uint32_t busiest = 0;
    const auto shareOf = [&](std::uint32_t rank) {
        const double bytes = static_cast<double>(plan.times.ranks[rank].peakBytes);
        const std::optional<double> available = plan.availableOf(rank);
        return available && *available > 0 ? bytes / *available : bytes;
    };
    for (std::uint32_t rank = 0; rank < plan.times.ranks.size(); ++rank) {
        fullest = shareOf(rank) > shareOf(fullest) ? rank : fullest;
        busiest = plan.times.ranks[rank].busy > plan.times.ranks[busiest].busy ? rank : busiest;
    }
    const std::optional<double> available = plan.availableOf(fullest);
    const RankTimes& full = plan.times.ranks[fullest];
    const bool isFull = full.binding(available) == RankBinding::memory;
    if (plan.model) {
        const QString peak = bytesText(full.peakBytes);
        figures << (available ? tr("peak %1 of %2 on %3")
                                    .arg(peak, bytesText(static_cast<std::uint64_t>(*available)), deviceName(plan, fullest))
                              : tr("peak %1 on %2").arg(peak, deviceName(plan, fullest)));
    }
    if (available && static_cast<double>(full.peakBytes) > *available)
        figures << tr("does not fit");
    else if (plan.order.schedule != PipelineSchedule::inference)
        figures << tr("limited by %1").arg(text(name(isFull ? RankBinding::memory : plan.times.ranks[busiest].binding())));
    return figures.join(QStringLiteral(" · "));
}

QString timelineLegend(const PlannedSchedule& plan)
{
    QStringList words{tr("F forward")};
    const auto has = [&](ActionKind kind) {
        return std::ranges::any_of(plan.order.ranks, [&](const std::vector<PipelineAction>& actions) {
            return std::ranges::find(actions, kind, &PipelineAction::kind) != actions.end();
        });
    };
    if (has(ActionKind::backward))
        words << tr("B backward");
    if (has(ActionKind::inputGradient))
        words << tr("I gradients of inputs");
    if (has(ActionKind::weightGradient))
        words << tr("W gradients of weights");
    words << tr("hatched: idle");
    if (plan.model)
        words << tr("gray base: weights and optimizer");
    for (std::uint32_t rank = 0; rank < plan.times.ranks.size(); ++rank)
        if (const TimelineLane lane = laneOf(plan, rank); lane.available && *lane.available <= lane.memoryTop) {
            words << tr("dashed red: memory of the device");
            break;
        }
    return words.join(QStringLiteral(" · "));
}

} // namespace sunder
