#pragma once

#include "canvas/canvas_types.h"
#include "panes/submodules/code_document.h"

#include <QPlainTextEdit>
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

/// A read-only view of printed code whose lines are linked to nodes. Lines of selected, hovered, and found nodes are marked, also
/// in the scroll bar. A click or Enter picks the node of a line; J goes to the next marked line. Only visible lines are colored,
/// so that the cost does not depend on the length.
class CodeView final : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit CodeView(QWidget* parent = nullptr);

    /// Sets the code; null clears the view.
    void setCode(std::shared_ptr<const CodeDocument> code);
    [[nodiscard]] const std::shared_ptr<const CodeDocument>& code() const { return m_code; }
    void setSelectedNodes(const std::vector<NodeId>& nodes);
    void setHoveredNodes(const std::vector<NodeId>& nodes);
    /// Sets the hits of the node search.
    void setFoundNodes(const std::vector<NodeId>& nodes);
    /// Returns the number of lines with hits.
    [[nodiscard]] int foundLines() const;
    /// Selects the line of the next (or previous) hit or selected node from the cursor, wrapping around. Returns false if there
    /// is none.
    bool goToMarked(bool backward);
    /// Scrolls to the first line of these nodes unless one of them is visible.
    void showNodes(const std::vector<NodeId>& nodes);
    /// Marks every occurrence of this text; empty: none.
    void setFound(const QString& text);
    /// Selects the next (or previous) occurrence of the text from the cursor, wrapping around. Returns false if there is none.
    bool findNext(bool backward);
    void refreshTheme();

    /// Returns the node of a line; invalid if it has none.
    [[nodiscard]] NodeId nodeOfLine(int line) const;
    [[nodiscard]] bool isMarked(int line) const;
    [[nodiscard]] bool isFound(int line) const;
    [[nodiscard]] const MarkedScrollBar& scrollBar() const { return *m_scrollBar; }

signals:
    void nodePicked(sunder::NodeId node, sunder::SelectionMode mode);
    /// Emitted with the node under the mouse; invalid: none.
    void nodeHovered(sunder::NodeId node);
    /// Emitted for Ctrl+F.
    void findRequested();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    template <typename Visit>
    void forLinesInSight(const Visit& visit);
    void colorLinesInSight();
    void recolorText();
    void hoverLine(int line);
    void setMark(const std::vector<NodeId>& nodes, quint8 mark);
    void paintMark(QPainter& painter, quint8 mark, const QRectF& line) const;

    std::shared_ptr<const CodeDocument> m_code;
    MarkedScrollBar* m_scrollBar;
    std::vector<quint8> m_marks; ///< per line: kSelected, kHovered, kFound
    QString m_found;
    int m_generation = 0; ///< of the colors: text blocks of an older generation are colored again when visible
    QPoint m_pressed;
    NodeId m_under;
    bool m_coloring = false;
};

} // namespace sunder
