#pragma once

class QString;
class QWidget;

namespace sunder {

class DevicesPanel;
class Document;

/// Says why a file of devices was not taken, and offers another one, or an empty table.
void offerOtherDevices(const QString& why, DevicesPanel& panel, Document& document, QWidget& window);

} // namespace sunder
