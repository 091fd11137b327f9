#pragma once

#include <QComboBox>

namespace sunder {

/// A combo box of runs. Names that do not fit are elided in the middle; the tooltip shows them in full.
class RunChoice final : public QComboBox {
    Q_OBJECT

public:
    explicit RunChoice(QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QString m_tip; ///< tooltip from the form
};

} // namespace sunder
