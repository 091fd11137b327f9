#pragma once

#include <QDialog>

#include <memory>

namespace sunder {

namespace Ui {
class DevicePresetDialog;
}

struct DevicePreset;

/// Which well-known accelerator, and how many: found by letters of its name, with its figures and where they are from.
class DevicePresetDialog final : public QDialog {
    Q_OBJECT

public:
    explicit DevicePresetDialog(QWidget* parent = nullptr);
    ~DevicePresetDialog() override;
    /// Null where nothing is chosen.
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
