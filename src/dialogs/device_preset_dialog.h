#pragma once

#include <QDialog>

#include <memory>

namespace sunder {

namespace Ui {
class DevicePresetDialog;
}

struct DevicePreset;

/// Selects a well-known accelerator and a count. Finds accelerators by letters of their name and shows their figures with
/// sources.
class DevicePresetDialog final : public QDialog {
    Q_OBJECT

public:
    explicit DevicePresetDialog(QWidget* parent = nullptr);
    ~DevicePresetDialog() override;
    /// Returns null if nothing is selected.
    [[nodiscard]] const DevicePreset* preset() const;
    [[nodiscard]] int count() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& typed);
    void showFacts();

    std::unique_ptr<Ui::DevicePresetDialog> m_ui;
};

} // namespace sunder
