#pragma once

#include <QDialog>

#include <memory>

class QTreeWidget;

namespace sunder {

namespace Ui {
class LegendDialog;
}

/// What marks and colors of graphs mean, each with a sample that is painted as graphs are. Stays open beside the window.
class LegendDialog final : public QDialog {
    Q_OBJECT

public:
    explicit LegendDialog(QWidget* parent = nullptr);
    ~LegendDialog() override;

    [[nodiscard]] QTreeWidget& rows();

protected:
    void changeEvent(QEvent* event) override;

private:
    /// In the colors of the theme.
    void paintSamples();

    std::unique_ptr<Ui::LegendDialog> m_ui;
};

} // namespace sunder
