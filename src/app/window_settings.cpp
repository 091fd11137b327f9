#include "app/window_settings.h"

#include "app/work_area.h"
#include "io/side_files/devices_file.h"

#include <QMainWindow>
#include <QScreen>
#include <QSettings>

#include <algorithm>

namespace sunder {
namespace {
const QString kLastDevicesKey = QStringLiteral("devices");
} // namespace

void resetWindow(QMainWindow& window, WorkArea& work, const Actions& actions)
{
    work.reset(window.size());
    actions.showSide->setChecked(true);
    actions.showBottom->setChecked(true);
}

void saveWindow(const QMainWindow& window, const WorkArea& work, const Actions& actions, const Document& document)
{
    QSettings settings;
    const std::vector<Device>& devices = document.devices().list().empty() ? document.devices().last()
                                                                           : document.devices().list();
    settings.setValue(kLastDevicesKey, QString::fromStdString(devicesFileText(devices)));
    settings.setValue(QStringLiteral("window/geometry"), window.saveGeometry());
    work.saveSizes(settings);
    settings.setValue(QStringLiteral("window/showSide"), actions.showSide->isChecked());
    settings.setValue(QStringLiteral("window/showBottom"), actions.showBottom->isChecked());
}

void restoreWindow(QMainWindow& window, WorkArea& work, const Actions& actions, Document& document)
{
    const QSettings settings;
    if (auto devices = parseDevicesFile(settings.value(kLastDevicesKey).toString().toStdString(), "settings"))
        document.devices().setLast(std::move(*devices));
    if (!window.restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray())) {
        const QRect room = window.screen()->availableGeometry();
        window.resize(std::min(1440, room.width() * 9 / 10), std::min(900, room.height() * 9 / 10));
    }
    resetWindow(window, work, actions);
    if (!work.restoreSizes(settings))
        return;
    actions.showSide->setChecked(settings.value(QStringLiteral("window/showSide"), true).toBool());
    actions.showBottom->setChecked(settings.value(QStringLiteral("window/showBottom"), true).toBool());
}

} // namespace sunder
