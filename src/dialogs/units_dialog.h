#pragma once

#include "analysis/device_rows.h"

#include <QDialog>

#include <memory>

namespace sunder {

namespace Ui {
class UnitsDialog;
}

/// Asks in which unit figures of pasted devices are that say none, and shows what comes of the answer.
class UnitsDialog final : public QDialog {
    Q_OBJECT

public:
    /// `text`: rows that parseDeviceRows() reads, with figures without a unit.
    explicit UnitsDialog(std::string text, QWidget* parent = nullptr);
    ~UnitsDialog() override;
    [[nodiscard]] DeviceUnits units() const;

private:
    void showPreview();

    std::string m_text;
    std::unique_ptr<Ui::UnitsDialog> m_ui;
};

} // namespace sunder
