#pragma once

#include <QLineEdit>

#include <optional>

namespace sunder {

/// The factor that was typed: "150 %", "150" and "1.5x" are one and a half; nothing where it is no number above 0.
std::optional<double> zoomFromText(const QString& text);

/// Shows a zoom as "84 %" and takes another one: Enter applies what was typed, Esc takes it back.
class ZoomField final : public QLineEdit {
    Q_OBJECT

public:
    explicit ZoomField(QWidget* parent = nullptr);

    /// 1 is 100 %. What is being typed stays.
    void setZoom(double zoom);
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void zoomWanted(double zoom);
    /// Enter or Esc: the keyboard goes back.
    void left();
    /// What was typed is no zoom.
    void message(const QString& text);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void apply();

    double m_zoom = 1;
};

} // namespace sunder
