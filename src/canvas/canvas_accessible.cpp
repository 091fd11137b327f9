#include "canvas/canvas_accessible.h"

#include "canvas/canvas_widget.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QCoreApplication>
#include <QHash>
#include <QPointer>

namespace sunder {
namespace {

/// One item of a picture. It outlives neither its canvas nor the picture: then it says that it is not valid.
class ItemAccessible final : public QAccessibleInterface {
public:
    ItemAccessible(CanvasWidget* canvas, ItemId item)
        : m_canvas(canvas)
        , m_picture(canvas->picture())
        , m_item(item)
    {
    }

    [[nodiscard]] bool isValid() const override
    {
        return m_canvas && m_canvas->picture().get() == m_picture.lock().get() && m_canvas->picture() != nullptr;
    }
    [[nodiscard]] QObject* object() const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* parent() const override
    {
        return m_canvas ? QAccessible::queryAccessibleInterface(m_canvas) : nullptr;
    }
    [[nodiscard]] QAccessibleInterface* child(int) const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    [[nodiscard]] int childCount() const override { return 0; }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Name && isValid() ? m_canvas->describeItem(m_item) : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}
    [[nodiscard]] QRect rect() const override
    {
        if (!isValid())
            return {};
        const QRect at = m_canvas->viewRectOf(m_item).toAlignedRect();
        return {m_canvas->mapToGlobal(at.topLeft()), at.size()};
    }
    [[nodiscard]] QAccessible::Role role() const override
    {
        return isValid() && m_canvas->scene().item(m_item).kind == ItemKind::frame ? QAccessible::Grouping
                                                                                     : QAccessible::ListItem;
    }
    [[nodiscard]] QAccessible::State state() const override
    {
        QAccessible::State state;
        state.invalid = !isValid();
        if (state.invalid)
            return state;
        const Item& item = m_canvas->scene().item(m_item);
        state.focusable = true;
        state.selectable = true;
        state.selected = m_canvas->scene().looks()[m_item].selected;
        state.focused = m_canvas->hasFocus() && m_canvas->currentItem() == m_item;
        state.expandable = item.canOpen;
        state.expanded = item.kind == ItemKind::frame;
        state.collapsed = item.canOpen && !state.expanded;
        return state;
    }
    [[nodiscard]] ItemId item() const { return m_item; }

private:
    QPointer<CanvasWidget> m_canvas;
    std::weak_ptr<const Picture> m_picture;
    ItemId m_item;
};

class CanvasAccessible final : public QAccessibleWidget {
public:
    explicit CanvasAccessible(CanvasWidget* canvas)
        : QAccessibleWidget(canvas, QAccessible::List, canvas->accessibleName())
    {
    }
    ~CanvasAccessible() override { forget(); }

    [[nodiscard]] int childCount() const override { return static_cast<int>(canvas().scene().picture().items.size()); }
    [[nodiscard]] QAccessibleInterface* child(int index) const override
    {
        if (index < 0 || index >= childCount())
            return nullptr;
        const auto known = m_children.constFind(index);
        if (known != m_children.constEnd())
            return QAccessible::accessibleInterface(*known);
        auto* item = new ItemAccessible(&canvas(), ItemId(static_cast<std::uint32_t>(index)));
        m_children.insert(index, QAccessible::registerAccessibleInterface(item));
        return item;
    }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface* child) const override
    {
        const auto* item = dynamic_cast<const ItemAccessible*>(child);
        return item != nullptr ? static_cast<int>(item->item().index()) : -1;
    }
    [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override
    {
        const ItemId item = canvas().itemAt(canvas().mapFromGlobal(QPoint(x, y)));
        return item ? child(static_cast<int>(item.index())) : nullptr;
    }
    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        if (kind != QAccessible::Description)
            return QAccessibleWidget::text(kind);
        QStringList parts;
        for (const EdgeArrow& arrow : edgeArrows(canvas().scene(), canvas().camera(), QRectF(canvas().rect())))
            parts << textOf(arrow);
        return parts.isEmpty() ? QAccessibleWidget::text(kind)
                               : QCoreApplication::translate("CanvasAccessible", "Out of sight: %1. G goes to the next.").arg(parts.join(QStringLiteral(", ")));
    }
    [[nodiscard]] QAccessibleInterface* focusChild() const override
    {
        const ItemId item = canvas().currentItem();
        return item ? child(static_cast<int>(item.index())) : nullptr;
    }
    /// Children of a picture that is no longer shown.
    void forget()
    {
        for (const QAccessible::Id id : std::as_const(m_children))
            QAccessible::deleteAccessibleInterface(id);
        m_children.clear();
    }

private:
    [[nodiscard]] CanvasWidget& canvas() const { return *static_cast<CanvasWidget*>(object()); }

    mutable QHash<int, QAccessible::Id> m_children; ///< made when asked for
};

QAccessibleInterface* makeAccessible(const QString&, QObject* object)
{
    auto* canvas = qobject_cast<CanvasWidget*>(object);
    return canvas != nullptr ? new CanvasAccessible(canvas) : nullptr;
}

} // namespace

void installCanvasAccessibility()
{
    static const bool s_installed = [] {
        QAccessible::installFactory(makeAccessible);
        return true;
    }();
    Q_UNUSED(s_installed)
}

void canvasItemsChanged(CanvasWidget* canvas)
{
    if (!QAccessible::isActive())
        return;
    if (auto* accessible = dynamic_cast<CanvasAccessible*>(QAccessible::queryAccessibleInterface(canvas)))
        accessible->forget();
    QAccessibleEvent event(canvas, QAccessible::ObjectReorder);
    QAccessible::updateAccessibility(&event);
}

void canvasFocusMoved(CanvasWidget* canvas)
{
    if (!QAccessible::isActive() || !canvas->currentItem())
        return;
    QAccessibleEvent event(canvas, QAccessible::Focus);
    event.setChild(static_cast<int>(canvas->currentItem().index()));
    QAccessible::updateAccessibility(&event);
}

} // namespace sunder
