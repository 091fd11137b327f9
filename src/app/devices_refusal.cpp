#include "app/devices_refusal.h"

#include "document/text.h"

#include "dialogs/message_dialog.h"
#include "document/document.h"
#include "panels/devices_panel.h"

namespace sunder {

void offerOtherDevices(const QString& why, DevicesPanel& panel, Document& document, QWidget& window)
{
    const QString title = QObject::tr("The devices were not imported");
    const QString said = QObject::tr("%1\n\nThe table of devices is as it was.").arg(withShortWords(visible(why)));
    auto* box = new MessageDialog(title, title, said, &window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->offer(QObject::tr("Choose another file…"), [&panel] { panel.chooseImport(); });
    if (!document.devices().empty())
        box->offerLoss(
            QObject::tr("Empty the table"), [&document] { document.setDevices({}, QObject::tr("Empty the table of devices")); },
            QObject::tr("Start with no devices; undo brings them back"));
    box->open(); // open() instead of exec(): jobs continue
}

} // namespace sunder
