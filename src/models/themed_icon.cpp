#include "models/themed_icon.h"

#include "models/tag_style_of.h"

#include <QAbstractButton>
#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

/// Q_INIT_RESOURCE must be used outside namespaces.
static void initResources()
{
    Q_INIT_RESOURCE(sunder);
}

namespace sunder {

void loadResources()
{
    initResources();
}

namespace {

QByteArray svgOf(const QString& name)
{
    static QHash<QString, QByteArray> cache;
    loadResources();
    auto at = cache.find(name);
    if (at == cache.end()) {
        QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
        at = cache.insert(name, file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray());
    }
    return *at;
}

class ThemedIconEngine final : public QIconEngine {
public:
    ThemedIconEngine(QString name, QColor color) : m_name(std::move(name)), m_color(std::move(color)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        QColor color = m_color.isValid() ? m_color : currentTheme().text;
        if (mode == QIcon::Disabled)
            color = m_color.isValid() ? QColor(color.red(), color.green(), color.blue(), 120) : currentTheme().faint;
        paintIcon(*painter, m_name, rect, color);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, pixmap.rect(), mode, state);
        return pixmap;
    }

    QIconEngine* clone() const override { return new ThemedIconEngine(m_name, m_color); }
    QString key() const override { return QStringLiteral("sunder-themed"); }

private:
    QString m_name;
    QColor m_color;
};

} // namespace

QIcon themedIcon(const QString& name)
{
    return QIcon(new ThemedIconEngine(name, {}));
}

QIcon tintedIcon(const QString& name, const QColor& color)
{
    return QIcon(new ThemedIconEngine(name, color));
}

void setThemedIcons(QWidget& form)
{
    for (QAbstractButton* button : form.findChildren<QAbstractButton*>())
        if (const QString name = button->property("themedIcon").toString(); !name.isEmpty())
            button->setIcon(themedIcon(name));
}

void paintIcon(QPainter& painter, const QString& name, const QRectF& rect, const QColor& color)
{
    QByteArray svg = svgOf(name);
    svg.replace("#000", color.name(QColor::HexRgb).toLatin1());
    QSvgRenderer renderer(svg);
    if (!renderer.isValid())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setOpacity(painter.opacity() * color.alphaF());
    renderer.render(&painter, rect);
    painter.restore();
}

} // namespace sunder
