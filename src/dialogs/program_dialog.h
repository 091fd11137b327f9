#pragma once

#include "io/pt2/pt2_programs.h"

#include <QDialog>

#include <memory>
#include <vector>

class QTreeWidget;

namespace sunder {

namespace Ui {
class ProgramDialog;
}

/// Selects a program of an archive that holds several.
class ProgramDialog final : public QDialog {
    Q_OBJECT

public:
    /// `chosen` is the initial selection; if it does not exist, "model" or the first program.
    ProgramDialog(const QString& file, const std::vector<Pt2ProgramEntry>& programs, const QString& chosen,
                  QWidget* parent = nullptr);
    ~ProgramDialog() override;
    [[nodiscard]] QString program() const;
    [[nodiscard]] QTreeWidget& list();

private:
    std::unique_ptr<Ui::ProgramDialog> m_ui;
};

} // namespace sunder
