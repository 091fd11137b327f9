#include "app/crash_offer.h"

#include "diagnostics/crash_log.h"
#include "dialogs/crash_dialog.h"
#include "panels/crash_bar.h"

namespace sunder {

CrashOffer::CrashOffer(CrashBar& bar, QObject* parent) : QObject(parent), m_bar(bar)
{
    connect(&bar, &CrashBar::showRequested, this, &CrashOffer::show);
    connect(&bar, &CrashBar::dismissRequested, this, &CrashOffer::dismiss);
}

void CrashOffer::look(const QString& path)
{
    m_path = path;
    if (const std::optional<CrashReports> reports = unseenCrashes(path))
        m_bar.offer(*reports);
}

void CrashOffer::show()
{
    if (const std::optional<CrashReports> reports = unseenCrashes(m_path))
        CrashDialog(reports->text, m_bar.window()).exec();
    dismiss(); // another window may have added or shown reports meanwhile
}

void CrashOffer::dismiss()
{
    m_bar.hide();
    if (unseenCrashes(m_path) && !markCrashesSeen(m_path))
        emit failed(tr("The crash log was not put away"),
                    tr("%1 cannot be renamed. Delete it to stop this message.").arg(m_path));
}

} // namespace sunder

#include "moc_crash_offer.cpp"
