#pragma once

#include <QScrollBar>

#include <vector>

namespace sunder {

/// A vertical scroll bar that shows where in the whole text marked lines are.
class MarkedScrollBar final : public QScrollBar {
    Q_OBJECT

public:
    explicit MarkedScrollBar(QWidget* parent = nullptr) : QScrollBar(Qt::Vertical, parent) {}

    /// `marked`: line numbers, ascending; of `lines` in all. O(marked).
    void setMarks(const std::vector<int>& marked, int lines);
    /// Where marks are, 0 … 1 of the height, ascending.
    [[nodiscard]] const std::vector<double>& marks() const { return m_marks; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<double> m_marks;
};

} // namespace sunder
