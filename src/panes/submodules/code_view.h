#pragma once

#include "canvas/canvas_types.h"
#include "panes/submodules/code_document.h"
#include "panes/submodules/marked_scroll_bar.h"

#include <QPlainTextEdit>

namespace sunder {

/// Printed code to read, select and copy, tied by line to nodes: lines of selected, hovered and searched nodes are marked,
/// also in the scroll bar; a click or Enter picks the node of a line, J goes to the next marked one. Only what is in sight
/// is coloured, so length does not matter.
class CodeView final : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit CodeView(QWidget* parent = nullptr);

    /// Null shows nothing.
    void setCode(std::shared_ptr<const CodeDocument> code);
    [[nodiscard]] const std::shared_ptr<const CodeDocument>& code() const { return m_code; }
    void setSelectedNodes(const std::vector<NodeId>& nodes);
    void setHoveredNodes(const std::vector<NodeId>& nodes);
    /// Hits of the search of nodes.
    void setFoundNodes(const std::vector<NodeId>& nodes);
    /// How many lines are those of hits.
    [[nodiscard]] int foundLines() const;
    /// Selects the line of the next hit, or selected node, behind the cursor or in front of it; goes round at the end.
    /// False: there is none.
    bool goToMarked(bool backward);
    /// Scrolls to the first line of these nodes unless one of them is in sight.
    void showNodes(const std::vector<NodeId>& nodes);
    /// Marks every place of this text; empty: none.
    void setFound(const QString& text);
    /// Selects the next place of the found text behind the cursor, or in front of it; goes round at the end. False: nowhere.
    bool findNext(bool backward);
    void refreshTheme();

    /// The node of a line, invalid when it has none.
    [[nodiscard]] NodeId nodeOfLine(int line) const;
    [[nodiscard]] bool isMarked(int line) const;
    [[nodiscard]] bool isFound(int line) const;
    [[nodiscard]] const MarkedScrollBar& scrollBar() const { return *m_scrollBar; }

signals:
    void nodePicked(sunder::NodeId node, sunder::SelectionMode mode);
    /// What is under the mouse; invalid: nothing.
    void nodeHovered(sunder::NodeId node);
    /// Ctrl+F.
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
    void colorAnew();
    void hoverLine(int line);
    void setMark(const std::vector<NodeId>& nodes, quint8 mark);
    void paintMark(QPainter& painter, quint8 mark, const QRectF& line) const;

    std::shared_ptr<const CodeDocument> m_code;
    MarkedScrollBar* m_scrollBar;
    std::vector<quint8> m_marks; ///< per line: kSelected, kHovered, kFound
    QString m_found;
    int m_generation = 0; ///< of colours: blocks of an older one are coloured anew when seen
    QPoint m_pressed;
    NodeId m_under;
    bool m_coloring = false;
};

} // namespace sunder
