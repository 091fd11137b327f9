#include "document/devices.h"

#include "document/document.h"
#include "document/session_commands.h"

namespace sunder {

void Devices::set(std::vector<Device> devices, const QString& undoText)
{
    makeIdsUnique(devices);
    if (devices != m_list)
        push(new SwapInSession(undoText, [this, devices = std::move(devices)]() mutable { swap(devices); }));
}

void Devices::useLast()
{
    if (document().isOpen())
        set(m_last, QObject::tr("Use the devices of the last model"));
}

void Devices::reset(std::vector<Device> devices)
{
    if (!m_list.empty())
        m_last = std::move(m_list);
    m_list = std::move(devices);
    makeIdsUnique(m_list);
}

void Devices::swap(std::vector<Device>& devices)
{
    std::swap(m_list, devices);
    const bool wasCurrent = document().runs().isSplitCurrent();
    recheck();
    const Changes what = Change::devices | Change::check;
    announce(wasCurrent == document().runs().isSplitCurrent() ? what : what | Change::outcome);
}

} // namespace sunder
