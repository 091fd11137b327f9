#pragma once

#include "analysis/device_rows.h"

#include <QDialog>

#include <memory>

namespace sunder {

namespace Ui {
class UnitsDialog;
}

/// Asks for the units of figures without one in pasted devices, and previews the result.
class UnitsDialog final : public QDialog {
    Q_OBJECT

public:
    /// `text`: rows for parseDeviceRows() that contain figures without units.
    explicit UnitsDialog(std::string text, QWidget* parent = nullptr);
    ~UnitsDialog() override;
    [[nodiscard]] DeviceUnits units() const;

private:
    void showPreview();

    std::string m_text;
    std::unique_ptr<Ui::UnitsDialog> m_ui;
};

} // namespace sunder
