#pragma once

#include <QColor>
#include <QStyledItemDelegate>

namespace sunder {

/// Paints the frame of the row that has the keyboard focus.
void paintRowFocus(QPainter& painter, const QRect& row);

/// Paints a bar that is filled to this share, 0 to 1.
void paintBar(QPainter& painter, const QRectF& bar, double share, const QColor& color);

/// The base of delegates of one-column rows. Paints the ground of selected and hovered rows and the frame of the focused one;
/// subclasses add the content. Texts are elided by the rules of text/elided_name.h and readable on the ground. The models supply
/// the texts for assistive technology.
class RowDelegate : public QStyledItemDelegate {
public:
    /// `height`: the minimum height of a row; with large fonts, `around` pixels more than a line.
    RowDelegate(int height, int around, QObject* parent) : QStyledItemDelegate(parent), m_height(height), m_around(around) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const final;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    /// A row while it is painted, from both ends toward its middle.
    struct Row {
        QPainter& painter;
        const QStyleOptionViewItem& option;
        QColor ground;
        QRect rest; ///< the free part
        QFont font;

        /// Sets the font of the following texts.
        void setFont(const QFont& of);
        /// Returns how the name in a role of the row fits `room`.
        [[nodiscard]] QString name(const QModelIndex& index, int role, double room) const;
        /// Paints the name in another role of the row into the rest, if at least a letter of it fits.
        void paintDetail(const QModelIndex& index, int role, const QColor& color);
        /// Paints a text at one end of the rest, which becomes narrower by the text and `gap`.
        void paintLeft(const QString& text, const QColor& color, int gap = 0);
        void paintRight(const QString& text, const QColor& color, int gap = 0);
        /// Paints words and figures into the rest.
        void paintWords(const QString& words, const QColor& color);
    };

    virtual void paintContent(Row& row, const QModelIndex& index) const = 0;
    /// Returns the color below the content: by default, rowGround() of the state of the row.
    [[nodiscard]] virtual QColor groundOf(const QStyleOptionViewItem& option, const QModelIndex& index) const;
    /// Paints the ground and the focus frame.
    virtual void paintGround(Row& row) const;
    /// Returns whether a row looks like a hovered one.
    [[nodiscard]] virtual bool isLit(const QModelIndex&) const { return false; }

private:
    int m_height;
    int m_around;
};

} // namespace sunder
