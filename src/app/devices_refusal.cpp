#include "app/devices_refusal.h"

#include "document/text.h"

#include "dialogs/message_dialog.h"
#include "document/document.h"
#include "panels/devices_panel.h"

namespace sunder {

void offerOtherDevices(const QString& why, DevicesPanel& panel, Document& document, QWidget& window)
{
    const QString title = QObject::tr("The devices were not imported");
    const QString said = QObject::tr("%1\n\nThe device table is unchanged.").arg(withShortWords(visible(why)));
    auto* box = new MessageDialog(title, title, said, &window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->offer(QObject::tr("Choose another file…"), [&panel] { panel.chooseImport(); });
    if (!document.devices().empty())
        box->offerLoss(
            QObject::tr("Clear the table"), [&document] { document.setDevices({}, QObject::tr("Clear the device table")); },
            QObject::tr("Remove all devices; undo restores them"));
    box->open(); // open() instead of exec(): jobs continue
}

} // namespace sunder
