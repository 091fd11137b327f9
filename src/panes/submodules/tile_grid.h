#pragma once

#include <QIcon>
#include <QScrollArea>

#include <vector>

namespace sunder {

/// Tiles side by side, as many columns as fit, scrolling beyond. What is in a tile is asked for when it comes into sight
/// and let go of when there are too many.
class TileGrid final : public QScrollArea {
    Q_OBJECT

public:
    /// How many tiles hold something at a time.
    static constexpr int kMostFilled = 16;

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
    /// Puts a widget into a tile; null empties it. The tile is its parent until it is put elsewhere.
    void setContent(int tile, QWidget* content);
    [[nodiscard]] QWidget* content(int tile) const;
    void setCurrent(int tile, bool scroll);
    [[nodiscard]] int columns() const { return m_columns; }

signals:
    void contentWanted(int tile);
    /// It is out of sight and others are needed more.
    void contentUnwanted(int tile);
    /// It was clicked or has the focus.
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
