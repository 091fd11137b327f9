#pragma once

class QString;
class QWidget;

namespace sunder {

class DevicesPanel;
class Document;

/// Reports why a device file was rejected and offers to choose another file or clear the table.
void offerOtherDevices(const QString& why, DevicesPanel& panel, Document& document, QWidget& window);

} // namespace sunder
