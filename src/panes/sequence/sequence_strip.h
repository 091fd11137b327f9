#pragma once

#include "analysis/sequence/border_move.h"
#include "panes/sequence/sequence_content.h"
#include "panes/sequence/sequence_rows.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace sunder {

/// The model from top to bottom in the order in which it runs, coloured by tags, with a handle for each border between stages.
/// Knows nothing of documents: what the person does comes out as signals.
class SequenceStrip final : public QWidget {
    Q_OBJECT

public:
    using Changes = std::vector<std::pair<NodeId, std::int32_t>>;

    explicit SequenceStrip(QWidget* parent = nullptr);
    ~SequenceStrip() override;

    /// What is under way is given up.
    void setContent(std::shared_ptr<const SequenceContent> content);
    [[nodiscard]] const SequenceContent& content() const { return *m_content; }
    /// Per call whether it is in sight elsewhere.
    void setSeen(std::vector<bool> seen);

    [[nodiscard]] int handleCount() const { return static_cast<int>(m_content->cut.borders.size()); }
    /// The handle that keys act on; −1: none.
    [[nodiscard]] int current() const { return m_current; }
    void setCurrent(int handle);
    [[nodiscard]] bool isLocked(int handle) const;
    /// What is known of the border that moves, or of the current one while the strip has the keyboard.
    [[nodiscard]] const std::optional<BorderFigures>& figures() const { return m_figures; }
    /// The mouse holds the current handle.
    [[nodiscard]] bool isDragging() const { return m_isDragging; }
    /// Where a handle is now.
    [[nodiscard]] std::uint32_t placeOf(int handle) const;
    [[nodiscard]] QRectF handleRect(int handle) const;
    /// −1: none is there.
    [[nodiscard]] int handleAt(QPointF point) const;
    [[nodiscard]] SequenceScale scale() const;
    /// "stage0 | stage1 between layers.3 and layers.4".
    [[nodiscard]] QString nameOf(int handle) const;
    /// Moves the current handle to the next border of modules, or op by op: as the keys do.
    enum class Step : std::uint8_t { outerModule, anyModule, op };
    void step(Direction direction, Step step);
    /// What moves stays there, or goes back.
    void finish();
    void cancel();

    [[nodiscard]] QSize sizeHint() const override { return {140, 400}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {28, 60}; }

signals:
    /// These calls would have other tags; none where what moved went back.
    void previewed(const sunder::SequenceStrip::Changes& changes);
    void moved(const sunder::SequenceStrip::Changes& changes, const sunder::CutBorder& border);
    /// figures() are others, or none.
    void figuresChanged();
    /// A module or an op was clicked.
    void picked(const std::vector<sunder::NodeId>& nodes, const QString& what);
    void hovered(const std::vector<sunder::NodeId>& nodes);
    /// Something cannot be done, in a sentence.
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
    /// What stands at a height: a module that is named, or the op where ops are high enough.
    struct Place {
        std::vector<NodeId> nodes;
        QString what;
    };
    [[nodiscard]] Place placeAt(double y) const;
    [[nodiscard]] QString tipAt(QPointF point) const;
    /// Tries the current handle at a place; the first time the move begins.
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
    bool m_isByKeys = false; ///< the person last used keys: figures stay in sight
    double m_grip = 0; ///< from the handle's middle to the mouse
    std::unique_ptr<BorderMove> m_move; ///< of the current handle
    std::optional<BorderFigures> m_figures;
};

} // namespace sunder
