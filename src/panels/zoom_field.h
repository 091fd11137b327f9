#pragma once

#include <QLineEdit>

#include <optional>

namespace sunder {

/// Parses a zoom factor: "150%", "150", and "1.5x" are 1.5. Returns nothing if it is not a number above 0.
std::optional<double> zoomFromText(const QString& text);

/// Shows a zoom as "84%" and accepts another one: Enter applies the typed text, Esc discards it.
class ZoomField final : public QLineEdit {
    Q_OBJECT

public:
    explicit ZoomField(QWidget* parent = nullptr);

    /// Sets the zoom; 1 is 100%. Text that is being typed stays.
    void setZoom(double zoom);
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void zoomWanted(double zoom);
    /// Emitted for Enter or Esc: return the focus to the graph.
    void left();
    /// Emitted when the typed text is not a zoom.
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
