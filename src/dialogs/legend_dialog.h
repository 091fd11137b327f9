#pragma once

#include <QDialog>

#include <memory>

class QTreeWidget;

namespace sunder {

namespace Ui {
class LegendDialog;
}

/// Explains marks and colors of graphs, each with a sample painted like a graph. Non-modal.
class LegendDialog final : public QDialog {
    Q_OBJECT

public:
    explicit LegendDialog(QWidget* parent = nullptr);
    ~LegendDialog() override;

    [[nodiscard]] QTreeWidget& rows();

protected:
    void changeEvent(QEvent* event) override;

private:
    /// Paints the samples in the colors of the theme.
    void paintSamples();

    std::unique_ptr<Ui::LegendDialog> m_ui;
};

} // namespace sunder
