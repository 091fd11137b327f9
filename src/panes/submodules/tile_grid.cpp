#include "panes/submodules/tile_grid.h"

#include "models/look.h"
#include "panes/submodules/ui_tile_frame.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPointer>
#include <QScrollBar>

#include <algorithm>
#include <cstdlib>

namespace sunder {
namespace {

constexpr int kTileGap = 8;
constexpr int kMinTileWidth = 264;
constexpr int kMinHeight = 240;

} // namespace

/// A frame with a title line and room below it.
struct TileGrid::Frame final : QFrame {
    explicit Frame(QWidget* parent) : QFrame(parent)
    {
        ui.setupUi(this);
        QFont bold = ui.title->font();
        bold.setWeight(QFont::DemiBold);
        ui.title->setFont(bold);
    }

    void setContent(QWidget* widget)
    {
        if (content == widget)
            return;
        if (content != nullptr && content->parentWidget() == this)
            content->hide();
        if (ui.column->count() > 1) // the stretch, or the previous widget unless it was reparented
            delete ui.column->takeAt(1);
        content = widget;
        if (widget == nullptr) {
            ui.column->addStretch(1);
            return;
        }
        ui.column->addWidget(widget, 1);
        widget->show();
    }

    void setCurrent(bool current) { setLook(*this, current ? QStringLiteral("current") : QString()); }

    Ui::TileFrame ui;
    QPointer<QWidget> content;
};

TileGrid::TileGrid(QWidget* parent) : QScrollArea(parent), m_ground(new QWidget(this))
{
    m_ground->setObjectName(QStringLiteral("tiles"));
    setWidget(m_ground);
    setFrameShape(NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &TileGrid::fill);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        if (const int tile = isVisible() ? tileOf(now) : -1; tile >= 0 && tile != m_current)
            emit activated(tile);
    });
}

void TileGrid::setTiles(const std::vector<Tile>& tiles)
{
    for (Frame* tile : m_tiles) {
        tile->hide();
        tile->deleteLater();
    }
    m_tiles.clear();
    for (const Tile& tile : tiles) {
        auto* frame = new Frame(m_ground);
        frame->ui.title->setLine(tile.title, {});
        frame->ui.detail->setFigures(tile.detail, {});
        frame->ui.icon->setPixmap(tile.icon.pixmap(QSize(14, 14), devicePixelRatioF()));
        frame->ui.icon->setVisible(!tile.icon.isNull());
        frame->setAccessibleName(tile.title);
        frame->installEventFilter(this);
        frame->show();
        m_tiles.push_back(frame);
    }
    m_current = 0;
    place();
}

void TileGrid::setDetail(int tile, const QString& detail)
{
    m_tiles[static_cast<std::size_t>(tile)]->ui.detail->setFigures(detail, {});
}

void TileGrid::setIcon(int tile, const QIcon& icon)
{
    m_tiles[static_cast<std::size_t>(tile)]->ui.icon->setPixmap(icon.pixmap(QSize(14, 14), devicePixelRatioF()));
}

void TileGrid::setContent(int tile, QWidget* content)
{
    m_tiles[static_cast<std::size_t>(tile)]->setContent(content);
}

QWidget* TileGrid::content(int tile) const
{
    return m_tiles[static_cast<std::size_t>(tile)]->content;
}

void TileGrid::setCurrent(int tile, bool scroll)
{
    if (tile < 0 || tile >= tileCount())
        return;
    m_tiles[static_cast<std::size_t>(std::min(m_current, tileCount() - 1))]->setCurrent(false);
    m_current = tile;
    Frame* frame = m_tiles[static_cast<std::size_t>(tile)];
    frame->setCurrent(true);
    if (!scroll)
        return;
    if (frame->height() + 2 * kTileGap > viewport()->height()) // scroll to its title rather than to its center
        verticalScrollBar()->setValue(frame->y() - kTileGap);
    else
        ensureWidgetVisible(frame, 0, kTileGap);
}

int TileGrid::tileOf(const QWidget* widget) const
{
    for (; widget != nullptr; widget = widget->parentWidget())
        for (std::size_t i = 0; i < m_tiles.size(); ++i)
            if (m_tiles[i] == widget)
                return static_cast<int>(i);
    return -1;
}

bool TileGrid::isInSight(int tile) const
{
    const int top = verticalScrollBar()->value();
    const QRect seen(0, top, viewport()->width(), viewport()->height());
    return m_tiles[static_cast<std::size_t>(tile)]->geometry().intersects(seen);
}

void TileGrid::place()
{
    const int whole = viewport()->width() - kTileGap;
    m_columns = std::clamp(whole / (kMinTileWidth + kTileGap), 1, std::max(1, tileCount()));
    const int rows = (tileCount() + m_columns - 1) / m_columns;
    const int width = whole / m_columns - kTileGap;
    const int shownRows = std::clamp((viewport()->height() - kTileGap) / (kMinHeight + kTileGap), 1, std::max(1, rows));
    const int height = std::max(kMinHeight, (viewport()->height() - kTileGap) / shownRows - kTileGap);
    m_ground->resize(viewport()->width(), kTileGap + rows * (height + kTileGap));
    for (int i = 0; i < tileCount(); ++i)
        m_tiles[static_cast<std::size_t>(i)]->setGeometry(kTileGap + (i % m_columns) * (width + kTileGap),
                                                          kTileGap + (i / m_columns) * (height + kTileGap), width, height);
    verticalScrollBar()->setSingleStep(height / 4);
    fill();
}

void TileGrid::fill()
{
    if (!isVisible())
        return;
    int filled = 0;
    for (int i = 0; i < tileCount(); ++i) {
        if (isInSight(i) && content(i) == nullptr)
            emit contentWanted(i);
        filled += content(i) != nullptr ? 1 : 0;
    }
    while (filled > kMaxFilled) {
        int farthest = -1;
        const int middle = verticalScrollBar()->value() + viewport()->height() / 2;
        const auto distance = [&](int tile) {
            return std::abs(m_tiles[static_cast<std::size_t>(tile)]->geometry().center().y() - middle);
        };
        for (int i = 0; i < tileCount(); ++i)
            if (content(i) != nullptr && !isInSight(i) && (farthest < 0 || distance(i) > distance(farthest)))
                farthest = i;
        if (farthest < 0)
            return;
        emit contentUnwanted(farthest);
        setContent(farthest, nullptr);
        --filled;
    }
}

void TileGrid::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    place();
}

void TileGrid::showEvent(QShowEvent* event)
{
    QScrollArea::showEvent(event);
    place();
}

bool TileGrid::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseButtonPress)
        if (const int tile = tileOf(qobject_cast<QWidget*>(watched)); tile >= 0)
            emit activated(tile);
    return QScrollArea::eventFilter(watched, event);
}

} // namespace sunder

#include "moc_tile_grid.cpp"
