#pragma once

#include "analysis/device_presets.h"
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

/// The devices that the model is cut for: a table to edit, reorder, paste into, import and export.
class DevicesPanel final : public QWidget {
    Q_OBJECT

public:
    explicit DevicesPanel(Document& document, QWidget* parent = nullptr);
    ~DevicesPanel() override;
    [[nodiscard]] DeviceTable& view();
    [[nodiscard]] DeviceModel& model() { return *m_model; }

    /// Adds devices from rows as a spreadsheet copies them. Says what is wrong when they cannot be read, and asks where a figure
    /// says no unit and `units` does not either.
    void pasteRows(const QString& rows, const DeviceUnits& units = {});
    /// Adds so many of a well-known accelerator behind the others.
    void addPreset(const DevicePreset& preset, int count);
    /// Takes the devices of a DEVICES.json in place of these; undoable.
    void importFile(const QString& path);
    /// Asks for such a file first.
    void chooseImport();
    void exportFile(const QString& path);

signals:
    /// Somebody asked why a device holds what it holds.
    void answered(const QString& question, const QString& answer);
    /// Something to say for a moment in the status line.
    void message(const QString& text);
    /// Something that did not work, worth a dialog.
    void failed(const QString& title, const QString& why);
    /// A well-known accelerator is to be chosen, for addPreset().
    void presetsWanted();
    /// Figures of these rows, in exactly this text, have no unit: pasteRows() is to be told.
    void unitsWanted(const QString& rows);
    /// A file of devices could not be read: which, where in it, and what it should be.
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
