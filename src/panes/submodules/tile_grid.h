#pragma once

#include <QIcon>
#include <QScrollArea>

#include <vector>

namespace sunder {

/// A scrollable grid of tiles with as many columns as fit. The content of a tile is requested when the tile is visible, and
/// released when too many tiles have content.
class TileGrid final : public QScrollArea {
    Q_OBJECT

public:
    /// Maximum number of tiles with content.
    static constexpr int kMaxFilled = 16;

    explicit TileGrid(QWidget* parent = nullptr);

    struct Tile {
        QIcon icon;
        QString title;
        QString detail;
    };
    void setTiles(const std::vector<Tile>& tiles);
    [[nodiscard]] int tileCount() const { return static_cast<int>(m_tiles.size()); }
    void setDetail(int tile, const QString& detail);
    void setIcon(int tile, const QIcon& icon);
    /// Puts a widget into a tile; null empties it. The tile is the widget's parent until it is reparented.
    void setContent(int tile, QWidget* content);
    [[nodiscard]] QWidget* content(int tile) const;
    void setCurrent(int tile, bool scroll);
    [[nodiscard]] int columns() const { return m_columns; }

signals:
    void contentWanted(int tile);
    /// Emitted for an invisible tile when its content should be released.
    void contentUnwanted(int tile);
    /// Emitted when the tile was clicked or received the focus.
    void activated(int tile);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Frame;
    void place();
    void fill();
    [[nodiscard]] bool isInSight(int tile) const;
    [[nodiscard]] int tileOf(const QWidget* widget) const;

    QWidget* m_ground;
    std::vector<Frame*> m_tiles;
    int m_columns = 1;
    int m_current = 0;
};

} // namespace sunder
