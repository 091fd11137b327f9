#pragma once

#include "analysis/sequence/boundary_move.h"
#include "panes/sequence/sequence_content.h"
#include "panes/sequence/sequence_rows.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace sunder {

/// The model from top to bottom in runtime order, in tag colors, with a handle for each boundary between stages. Independent of
/// Document: user actions are emitted as signals.
class SequenceStrip final : public QWidget {
    Q_OBJECT

public:
    using Changes = std::vector<std::pair<NodeId, std::int32_t>>;

    explicit SequenceStrip(QWidget* parent = nullptr);
    ~SequenceStrip() override;

    /// Sets the content and cancels a move in progress.
    void setContent(std::shared_ptr<const SequenceContent> content);
    [[nodiscard]] const SequenceContent& content() const { return *m_content; }
    /// Sets for each call whether the canvas shows it now.
    void setSeen(std::vector<bool> seen);

    [[nodiscard]] int handleCount() const { return static_cast<int>(m_content->cut.borders.size()); }
    /// The handle for keyboard commands; −1: none.
    [[nodiscard]] int current() const { return m_current; }
    void setCurrent(int handle);
    [[nodiscard]] bool isLocked(int handle) const;
    /// The figures of the moving boundary, or of the current one while the strip has the keyboard focus.
    [[nodiscard]] const std::optional<BoundaryFigures>& figures() const { return m_figures; }
    /// Returns the calls whose tag the move under way changes; none without a move.
    [[nodiscard]] Changes changes() const;
    /// Whether the mouse drags the current handle.
    [[nodiscard]] bool isDragging() const { return m_isDragging; }
    /// Returns the current place of a handle.
    [[nodiscard]] std::uint32_t placeOf(int handle) const;
    [[nodiscard]] QRectF handleRect(int handle) const;
    /// Returns the handle at a point; −1: none.
    [[nodiscard]] int handleAt(QPointF point) const;
    [[nodiscard]] SequenceScale scale() const;
    /// Returns e.g. "stage0 | stage1 between layers.3 and layers.4".
    [[nodiscard]] QString nameOf(int handle) const;
    /// Moves the current handle to the next module boundary or by one op, as the keys do.
    enum class Step : std::uint8_t { outerModule, anyModule, op };
    void step(Direction direction, Step step);
    /// End a move: finish() keeps the new place, cancel() restores the old one.
    void finish();
    void cancel();

    [[nodiscard]] QSize sizeHint() const override { return {140, 400}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {28, 60}; }

signals:
    /// Emitted with the calls that would change their tag; empty if the boundary returned to its start.
    void previewed(const sunder::SequenceStrip::Changes& changes);
    void moved(const sunder::SequenceStrip::Changes& changes, const sunder::CutBoundary& border);
    /// Emitted when figures() changed.
    void figuresChanged();
    /// Emitted when a module or an op was clicked.
    void picked(const std::vector<sunder::NodeId>& nodes, const QString& what);
    void hovered(const std::vector<sunder::NodeId>& nodes);
    /// Emitted with the reason why something cannot be done.
    void message(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// The item at a height: a labeled module, or an op if ops are high enough.
    struct Place {
        std::vector<NodeId> nodes;
        QString what;
    };
    [[nodiscard]] Place placeAt(double y) const;
    [[nodiscard]] QString tipAt(QPointF point) const;
    /// Tries the current handle at a place; the first call starts the move.
    void moveTo(std::uint32_t place);
    void dragTo(double y, Qt::KeyboardModifiers modifiers);
    bool begin();
    void showFigures();
    void layRows();
    void paintBar(QPainter& painter) const;
    void paintModules(QPainter& painter) const;
    void paintSeen(QPainter& painter) const;
    void paintHandle(QPainter& painter, int handle) const;

    std::shared_ptr<const SequenceContent> m_content;
    std::vector<SequenceRow> m_rows;
    std::vector<bool> m_seen;
    int m_current = -1;
    int m_hovered = -1; ///< handle under the mouse
    bool m_isMoving = false;
    bool m_isDragging = false;
    bool m_isByKeys = false; ///< the last input was by keyboard: figures stay visible
    double m_grip = 0; ///< offset of the mouse from the center of the handle
    std::unique_ptr<BoundaryMove> m_move; ///< move of the current handle
    std::optional<BoundaryFigures> m_figures;
};

} // namespace sunder
