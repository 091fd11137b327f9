#pragma once

#include <QScrollBar>

#include <vector>

namespace sunder {

/// A vertical scroll bar that shows the positions of marked lines in the whole text.
class MarkedScrollBar final : public QScrollBar {
    Q_OBJECT

public:
    explicit MarkedScrollBar(QWidget* parent = nullptr) : QScrollBar(Qt::Vertical, parent) {}

    /// Sets the marked line numbers, ascending, and the total number of lines. O(marked).
    void setMarks(const std::vector<int>& marked, int lines);
    /// Positions of the marks as fractions of the height, ascending.
    [[nodiscard]] const std::vector<double>& marks() const { return m_marks; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<double> m_marks;
};

} // namespace sunder
