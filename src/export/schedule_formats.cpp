#include "export/checked_file.h"
#include "export/export_format.h"
#include "io/side_files/schedule_files.h"
#include "text/amounts.h"

namespace sunder {
namespace {

QString refusalOfSchedule(const ExportRequest& request)
{
    return request.schedule ? QString() : tr("The timeline shows no schedule. Close this dialog and open the timeline first.");
}

Result<ExportedFiles> writeScheduleCsv(const ExportRequest& request, ProgressMonitor&)
{
    SUNDER_PROPAGATE(writeTextChecked(request.path, scheduleCsv(request.schedule->order)));
    return oneFile(request,
                   tr("File read back and checked: %1 on %2.")
                       .arg(countText(request.schedule->order.actionCount(), "action"),
                            countText(request.schedule->order.ranks.size(), "rank")));
}

Result<ExportedFiles> writeScheduleTrace(const ExportRequest& request, ProgressMonitor&)
{
    const PlannedSchedule& plan = *request.schedule;
    SUNDER_PROPAGATE(writeJsonChecked(request.path, scheduleTrace(plan.order, plan.times, plan.deviceNames())));
    return oneFile(request,
                   tr("File read back and checked: %1 and %2.")
                       .arg(countText(plan.order.actionCount(), "action"), countText(plan.times.transfers.size(), "transfer")));
}

} // namespace

ExportFormat scheduleCsvFormat()
{
    return {.id = QStringLiteral("scheduleCsv"),
            .icon = QStringLiteral("file"),
            .title = tr("Schedule for PyTorch"),
            .what = tr("The actions of each rank as CSV, for _PipelineScheduleRuntime of torch.distributed.pipelining."),
            .ending = QStringLiteral(".schedule.csv"),
            .filter = tr("Schedules (*.csv)"),
            .isOfSchedule = true,
            .refusal = refusalOfSchedule,
            .write = writeScheduleCsv};
}

ExportFormat scheduleTraceFormat()
{
    return {.id = QStringLiteral("scheduleTrace"),
            .icon = QStringLiteral("history"),
            .title = tr("Trace for Perfetto"),
            .what = tr("The timetable as a Chrome trace, with a process for each device, its transfers, and its memory. "
                       "To export the drawing, choose Picture."),
            .ending = QStringLiteral(".trace.json"),
            .filter = tr("Traces (*.json)"),
            .isOfSchedule = true,
            .refusal = refusalOfSchedule,
            .write = writeScheduleTrace};
}

} // namespace sunder
