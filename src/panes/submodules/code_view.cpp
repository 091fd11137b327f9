#include "panes/submodules/code_view.h"

#include "models/tag_style_of.h"
#include "panes/submodules/code_document.h"

#include <QApplication>
#include <QFontDatabase>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

constexpr quint8 kSelected = 1;
constexpr quint8 kHovered = 2;
constexpr quint8 kFound = 4;
constexpr quint8 kStops = kSelected | kFound; ///< targets of J, shown in the scroll bar

QColor colorOf(CodeWord word, const Theme& theme)
{
    const QColor ground = selectedRow(theme); // of the strongest mark in a line
    switch (word) {
    case CodeWord::keyword: return readable(theme.selection, ground);
    case CodeWord::text: return readable(theme.proven, ground);
    case CodeWord::number: return readable(theme.warning, ground);
    case CodeWord::path:
    case CodeWord::freed: return theme.dim;
    }
    return theme.text;
}

QList<QTextLayout::FormatRange> formatsOf(const QString& line, const QString& found, const Theme& theme)
{
    QList<QTextLayout::FormatRange> formats;
    for (const CodeSpan& span : codeSpans(line)) {
        QTextLayout::FormatRange range{span.start, span.length, {}};
        range.format.setForeground(colorOf(span.word, theme));
        formats << range;
    }
    for (qsizetype at = found.isEmpty() ? -1 : line.indexOf(found, 0, Qt::CaseInsensitive); at >= 0;
         at = line.indexOf(found, at + found.size(), Qt::CaseInsensitive)) {
        QTextLayout::FormatRange range{static_cast<int>(at), static_cast<int>(found.size()), {}};
        range.format.setForeground(theme.text);
        range.format.setBackground(mixed(theme.panel, theme.warning, 0.3));
        formats << range;
    }
    return formats;
}

} // namespace

CodeView::CodeView(QWidget* parent) : QPlainTextEdit(parent), m_scrollBar(new MarkedScrollBar(this))
{
    setVerticalScrollBar(m_scrollBar);
    setObjectName(QStringLiteral("code"));
    QFont mono = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    mono.setPointSizeF(9);
    setFont(mono);
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setLineWrapMode(NoWrap);
    setTabChangesFocus(true);
    setFrameShape(NoFrame);
    viewport()->setMouseTracking(true);
    viewport()->setCursor(Qt::IBeamCursor);
}

void CodeView::setCode(std::shared_ptr<const CodeDocument> code)
{
    const std::shared_ptr<const CodeDocument> before = std::exchange(m_code, std::move(code));
    m_marks.assign(m_code ? m_code->nodeOfLine.size() + 1 : 0, 0);
    m_under = {};
    if (m_code)
        setDocument(m_code->document.get());
    else
        setDocument(nullptr);
    recolorText();
}

NodeId CodeView::nodeOfLine(int line) const
{
    return m_code && line >= 0 && static_cast<std::size_t>(line) < m_code->nodeOfLine.size()
        ? m_code->nodeOfLine[static_cast<std::size_t>(line)]
        : NodeId();
}

bool CodeView::isMarked(int line) const
{
    return line >= 0 && static_cast<std::size_t>(line) < m_marks.size() && m_marks[static_cast<std::size_t>(line)] != 0;
}

bool CodeView::isFound(int line) const
{
    return isMarked(line) && (m_marks[static_cast<std::size_t>(line)] & kFound) != 0;
}

int CodeView::foundLines() const
{
    return static_cast<int>(std::ranges::count_if(m_marks, [](quint8 mark) { return (mark & kFound) != 0; }));
}

void CodeView::setMark(const std::vector<NodeId>& nodes, quint8 mark)
{
    for (quint8& line : m_marks)
        line &= static_cast<quint8>(~mark);
    for (const NodeId node : nodes)
        if (m_code && node.index() < m_code->lineOfNode.size() && m_code->lineOfNode[node.index()] >= 0)
            m_marks[static_cast<std::size_t>(m_code->lineOfNode[node.index()])] |= mark;
    viewport()->update();
    if ((mark & kStops) == 0)
        return;
    std::vector<int> lines;
    for (std::size_t line = 0; line < m_marks.size(); ++line)
        if ((m_marks[line] & kStops) != 0)
            lines.push_back(static_cast<int>(line));
    m_scrollBar->setMarks(lines, blockCount());
}

void CodeView::setSelectedNodes(const std::vector<NodeId>& nodes)
{
    setMark(nodes, kSelected);
}

void CodeView::setHoveredNodes(const std::vector<NodeId>& nodes)
{
    setMark(nodes, kHovered);
}

void CodeView::setFoundNodes(const std::vector<NodeId>& nodes)
{
    setMark(nodes, kFound);
}

bool CodeView::goToMarked(bool backward)
{
    const auto lines = static_cast<int>(m_marks.size());
    const int from = textCursor().blockNumber();
    for (int i = 1; i <= lines; ++i) {
        const int line = ((backward ? from - i : from + i) % lines + lines) % lines;
        if ((m_marks[static_cast<std::size_t>(line)] & kStops) == 0 || line >= blockCount())
            continue;
        const QTextBlock block = document()->findBlockByNumber(line);
        QTextCursor cursor(block);
        cursor.movePosition(QTextCursor::EndOfBlock);
        const auto indent = static_cast<int>(block.text().size() - QStringView(block.text()).trimmed().size());
        cursor.setPosition(block.position() + std::min(indent, block.length() - 1), QTextCursor::KeepAnchor);
        setTextCursor(cursor);
        if (const int top = firstVisibleBlock().blockNumber(); line < top || line >= top + verticalScrollBar()->pageStep() - 1)
            centerCursor();
        return true;
    }
    return false;
}

void CodeView::showNodes(const std::vector<NodeId>& nodes)
{
    int first = -1;
    const int top = firstVisibleBlock().blockNumber();
    const int linesInSight = std::max(1, viewport()->height() / std::max(1, fontMetrics().lineSpacing()));
    for (const NodeId node : nodes) {
        if (!m_code || node.index() >= m_code->lineOfNode.size() || m_code->lineOfNode[node.index()] < 0)
            continue;
        const int line = m_code->lineOfNode[node.index()];
        if (line >= top && line < top + linesInSight - 1)
            return;
        first = first < 0 ? line : std::min(first, line);
    }
    if (first >= 0) {
        verticalScrollBar()->setValue(std::max(0, first - linesInSight / 3));
        horizontalScrollBar()->setValue(0);
    }
}

void CodeView::setFound(const QString& text)
{
    if (m_found == text)
        return;
    m_found = text;
    recolorText();
}

bool CodeView::findNext(bool backward)
{
    if (m_found.isEmpty())
        return false;
    const auto flags = backward ? QTextDocument::FindBackward : QTextDocument::FindFlags();
    if (find(m_found, flags))
        return true;
    const QTextCursor before = textCursor();
    moveCursor(backward ? QTextCursor::End : QTextCursor::Start);
    if (find(m_found, flags))
        return true;
    setTextCursor(before);
    return false;
}

void CodeView::refreshTheme()
{
    recolorText();
}

void CodeView::recolorText()
{
    ++m_generation;
    colorLinesInSight();
    viewport()->update();
}

template <typename Visit>
void CodeView::forLinesInSight(const Visit& visit)
{
    QTextBlock block = firstVisibleBlock();
    QRectF rect = blockBoundingGeometry(block).translated(contentOffset());
    while (block.isValid() && rect.top() <= viewport()->height()) {
        visit(block, rect);
        block = block.next();
        rect = blockBoundingGeometry(block).translated(contentOffset());
    }
}

void CodeView::colorLinesInSight()
{
    if (!m_code || m_coloring)
        return;
    m_coloring = true;
    const Theme& theme = currentTheme();
    forLinesInSight([&](QTextBlock& block, const QRectF&) {
        if (block.userState() == m_generation)
            return;
        block.setUserState(m_generation);
        block.layout()->setFormats(formatsOf(block.text(), m_found, theme));
        document()->markContentsDirty(block.position(), block.length());
    });
    m_coloring = false;
}

/// Selected lines are filled and found lines have a ring, as in graphs. The ring is in the margin, because a ring around the line
/// would cross underscores.
void CodeView::paintMark(QPainter& painter, quint8 mark, const QRectF& line) const
{
    constexpr double kRadius = 2.5;
    const Theme& theme = currentTheme();
    const double share = (mark & kSelected) != 0 ? 0.16 : (mark & kHovered) != 0 ? 0.12 : 0.06;
    painter.fillRect(line, mixed(theme.panel, theme.selection, share));
    if ((mark & kSelected) != 0)
        painter.fillRect(QRectF(0, line.top(), 3, line.height()), theme.selection);
    if ((mark & kFound) == 0)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.selection, 1.5));
    painter.setBrush(theme.panel);
    painter.drawEllipse(QPointF(kRadius + 2, line.center().y()), kRadius, kRadius);
}

void CodeView::paintEvent(QPaintEvent* event)
{
    {
        QPainter painter(viewport());
        forLinesInSight([&](const QTextBlock& block, const QRectF& rect) {
            const auto line = static_cast<std::size_t>(block.blockNumber());
            const quint8 mark = line < m_marks.size() ? m_marks[line] : quint8(0);
            if (mark == 0)
                return;
            paintMark(painter, mark, {0, rect.top(), static_cast<double>(viewport()->width()), rect.height()});
        });
    }
    QPlainTextEdit::paintEvent(event);
}

void CodeView::resizeEvent(QResizeEvent* event)
{
    QPlainTextEdit::resizeEvent(event);
    colorLinesInSight();
}

void CodeView::scrollContentsBy(int dx, int dy)
{
    QPlainTextEdit::scrollContentsBy(dx, dy);
    colorLinesInSight();
}

void CodeView::hoverLine(int line)
{
    const NodeId node = nodeOfLine(line);
    if (node == m_under)
        return;
    m_under = node;
    emit nodeHovered(node);
}

void CodeView::mousePressEvent(QMouseEvent* event)
{
    m_pressed = event->pos();
    QPlainTextEdit::mousePressEvent(event);
}

void CodeView::mouseMoveEvent(QMouseEvent* event)
{
    QPlainTextEdit::mouseMoveEvent(event);
    if (event->buttons() == Qt::NoButton)
        hoverLine(cursorForPosition(event->pos()).blockNumber());
}

void CodeView::mouseReleaseEvent(QMouseEvent* event)
{
    QPlainTextEdit::mouseReleaseEvent(event);
    const bool isClick = event->button() == Qt::LeftButton && !textCursor().hasSelection()
        && (event->pos() - m_pressed).manhattanLength() < QApplication::startDragDistance();
    const NodeId node = isClick ? nodeOfLine(cursorForPosition(event->pos()).blockNumber()) : NodeId();
    if (node)
        emit nodePicked(node, event->modifiers().testFlag(Qt::ControlModifier) ? SelectionMode::toggle : SelectionMode::replace);
}

void CodeView::leaveEvent(QEvent* event)
{
    QPlainTextEdit::leaveEvent(event);
    hoverLine(-1);
}

bool CodeView::event(QEvent* event)
{
    // With the focus here, Ctrl+F searches the code instead of the graph.
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Find)) {
        event->accept();
        return true;
    }
    return QPlainTextEdit::event(event);
}

void CodeView::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->matches(QKeySequence::Find)) {
        emit findRequested();
    } else if (isEnter && event->modifiers() == Qt::NoModifier) {
        if (const NodeId node = nodeOfLine(textCursor().blockNumber()))
            emit nodePicked(node, SelectionMode::replace);
    } else if (event->key() == Qt::Key_J && (event->modifiers() & ~Qt::ShiftModifier) == Qt::NoModifier) { // as in graphs
        goToMarked(event->modifiers().testFlag(Qt::ShiftModifier));
    } else {
        QPlainTextEdit::keyPressEvent(event);
    }
}

void MarkedScrollBar::setMarks(const std::vector<int>& marked, int lines)
{
    m_marks.clear();
    for (const int line : marked)
        m_marks.push_back((line + 0.5) / std::max(1, lines));
    update();
}

void MarkedScrollBar::paintEvent(QPaintEvent* event)
{
    constexpr double kThick = 2;
    QScrollBar::paintEvent(event);
    QPainter painter(this);
    double last = -kThick;
    for (const double mark : m_marks) {
        const double y = std::round(mark * (height() - kThick));
        if (y - last < kThick) // one mark per position, even for thousands of lines
            continue;
        painter.fillRect(QRectF(1, y, width() - 2, kThick), currentTheme().selection);
        last = y;
    }
}

} // namespace sunder

#include "moc_code_view.cpp"
