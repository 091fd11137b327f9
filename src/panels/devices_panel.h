#pragma once

#include "analysis/device.h"
#include "analysis/device_rows.h"
#include "document/document.h"

#include <QWidget>

#include <memory>

namespace sunder {

namespace Ui {
class DevicesPanel;
}

class DeviceModel;
class DeviceTable;

/// The devices that the model is cut for: a table to edit, reorder, paste into, import, and export.
class DevicesPanel final : public QWidget {
    Q_OBJECT

public:
    explicit DevicesPanel(Document& document, QWidget* parent = nullptr);
    ~DevicesPanel() override;
    [[nodiscard]] DeviceTable& view();
    [[nodiscard]] DeviceModel& model() { return *m_model; }

    /// Adds devices from rows in spreadsheet format. Reports rows that cannot be read, and asks for the unit of figures that have
    /// none, unless `units` supplies it.
    void pasteRows(const QString& rows, const DeviceUnits& units = {});
    /// Appends `count` devices of a well-known accelerator.
    void addPreset(const DevicePreset& preset, int count);
    /// Replaces the devices by those of a DEVICES.json; undoable.
    void importFile(const QString& path);
    /// Asks for such a file and imports it.
    void chooseImport();
    void exportFile(const QString& path);

signals:
    /// Emitted with the answer when the user asks for the load of a device.
    void answered(const QString& question, const QString& answer);
    /// Emitted with a temporary text for the status line.
    void message(const QString& text);
    /// Emitted with an error for a dialog.
    void failed(const QString& title, const QString& why);
    /// Requests the choice of a well-known accelerator, for addPreset().
    void presetsWanted();
    /// Requests the dialog of the links between devices.
    void linksWanted();
    /// Emitted with rows whose figures have no unit; call pasteRows() with the same text and the units.
    void unitsWanted(const QString& rows);
    /// Emitted when a file of devices could not be read: the file, the position, and the expected content.
    void importFailed(const QString& why);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void addActions();
    void showState();
    void showColumns();
    [[nodiscard]] bool offersLast() const;
    void showOffer();
    void leaveRoomForNames();
    void showMenu(const QPoint& globalPosition);
    void askForUnit(const QPersistentModelIndex& at, const QString& typed);
    void explainStage(int row);
    void add();
    void removeCurrent();
    void moveCurrent(int by);
    void copyRows();
    void chooseColor(int row);

    Document& m_document;
    DeviceModel* m_model;
    std::unique_ptr<Ui::DevicesPanel> m_ui;
};

} // namespace sunder
