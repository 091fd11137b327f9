#pragma once

#include <QComboBox>

namespace sunder {

/// A choice among runs whose names may be longer than there is room: they elide in the middle, the tooltip says them whole.
class RunChoice final : public QComboBox {
    Q_OBJECT

public:
    explicit RunChoice(QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QString m_tip; ///< as the form gives it
};

} // namespace sunder
