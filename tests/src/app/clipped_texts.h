#pragma once

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>

namespace sunder::test {

/// Texts of visible widgets without enough room: lines that are wider than their widget, paragraphs that are higher, and widgets
/// that extend beyond their parents. A widget that elides its own text, and has the full text in its tooltip, passes if the text
/// ends in an ellipsis or fits.
class ClippedTexts {
public:
    int seen = 0; ///< number of checked texts
    QStringList faults;

    void look(const QWidget& window)
    {
        for (const QWidget* widget : window.findChildren<QWidget*>())
            if (widget->isVisibleTo(&window) && !widget->visibleRegion().isEmpty())
                widgetInSight(*widget);
    }

private:
    static constexpr int kRounding = 2; ///< rounding of fonts and rectangles, in pixels

    void widgetInSight(const QWidget& widget)
    {
        if (const auto* label = qobject_cast<const QLabel*>(&widget))
            labelInSight(*label);
        else if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
            buttonInSight(*button);
        else if (const auto* box = qobject_cast<const QComboBox*>(&widget))
            line(widget, box->currentText(), editFieldOf(*box));
        else if (const auto* tabs = qobject_cast<const QTabBar*>(&widget))
            tabsInSight(*tabs);
        else
            return;
        reach(widget);
    }

    void labelInSight(const QLabel& label)
    {
        const QString text = label.buddy() == nullptr ? label.text() : label.text().remove(u'&');
        if (text.isEmpty() || label.textFormat() == Qt::RichText)
            return;
        if (!label.wordWrap()) {
            for (const QString& one : text.split(u'\n'))
                line(label, one, label.contentsRect().size());
            return;
        }
        ++seen;
        const QRect needed = label.fontMetrics().boundingRect(QRect(0, 0, label.contentsRect().width(), 100'000),
                                                              static_cast<int>(Qt::TextWordWrap), text);
        if (needed.height() > label.contentsRect().height() + kRounding
            || needed.width() > label.contentsRect().width() + kRounding)
            fault(label, QString("needs %1×%2").arg(needed.width()).arg(needed.height()), text);
    }

    void buttonInSight(const QAbstractButton& button)
    {
        const auto* tool = qobject_cast<const QToolButton*>(&button);
        if (button.text().isEmpty()
            || (tool != nullptr && tool->toolButtonStyle() == Qt::ToolButtonIconOnly && !tool->icon().isNull()))
            return;
        const int icon = button.icon().isNull() ? 0 : button.iconSize().width();
        line(button, QString(button.text()).remove(u'&'), button.size() - QSize(icon, 0));
    }

    void tabsInSight(const QTabBar& tabs)
    {
        for (int i = 0; i < tabs.count(); ++i)
            if (tabs.isTabVisible(i))
                line(tabs, tabs.tabText(i), tabs.tabRect(i).size());
    }

    static QSize editFieldOf(const QComboBox& box)
    {
        QStyleOptionComboBox option;
        option.initFrom(&box);
        option.editable = box.isEditable();
        return box.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box).size();
    }

    void line(const QWidget& widget, const QString& text, QSize room)
    {
        if (text.isEmpty())
            return;
        ++seen;
        const QFontMetrics metrics(widget.font());
        const int width = metrics.horizontalAdvance(text);
        if (width > room.width() + kRounding || metrics.ascent() > room.height() + kRounding)
            fault(widget, QString("needs %1×%2, has %3×%4").arg(width).arg(metrics.ascent()).arg(room.width()).arg(room.height()),
                  text);
    }

    /// Content of a scroll area may be out of sight; everything else must be inside its parent.
    void reach(const QWidget& widget)
    {
        const QWidget* parent = widget.parentWidget();
        for (const QWidget* at = parent; at != nullptr; at = at->parentWidget())
            if (qobject_cast<const QAbstractScrollArea*>(at) != nullptr || at->inherits("QTabBar") || at->inherits("QComboBox"))
                return;
        if (parent != nullptr && !widget.isWindow()
            && !parent->rect().adjusted(-kRounding, -kRounding, kRounding, kRounding).contains(widget.geometry()))
            fault(widget, "reaches out of its parent", {});
    }

    void fault(const QWidget& widget, const QString& what, const QString& text)
    {
        faults << QString("%1#%2 in %3: %4 “%5”")
                      .arg(QLatin1String(widget.metaObject()->className()), widget.objectName(),
                           widget.parentWidget() == nullptr ? QString() : widget.parentWidget()->objectName(), what,
                           text.left(60));
    }
};

} // namespace sunder::test
