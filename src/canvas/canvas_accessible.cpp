#include "canvas/canvas_accessible.h"

#include "canvas/canvas_widget.h"
#include "canvas/painted_children.h"

#include <QCoreApplication>

namespace sunder {
namespace {

ItemId itemOf(int index)
{
    return ItemId(static_cast<std::uint32_t>(index));
}

int indexOf(ItemId item)
{
    return item ? static_cast<int>(item.index()) : -1;
}

class CanvasAccessible final : public PaintedChildren {
public:
    explicit CanvasAccessible(CanvasWidget* canvas) : PaintedChildren(canvas) {}

    [[nodiscard]] QString nameOf(int index) const override { return canvas().describeItem(itemOf(index)); }
    [[nodiscard]] QAccessible::Role roleOf(int index) const override
    {
        return canvas().scene().item(itemOf(index)).kind == ItemKind::frame ? QAccessible::Grouping : QAccessible::ListItem;
    }
    void addState(int index, QAccessible::State& state) const override
    {
        const Item& item = canvas().scene().item(itemOf(index));
        state.selectable = true;
        state.selected = canvas().scene().looks()[itemOf(index)].selected;
        state.expandable = item.canOpen;
        state.expanded = item.kind == ItemKind::frame;
        state.collapsed = item.canOpen && !state.expanded;
    }
    [[nodiscard]] QRect placeOf(int index) const override
    {
        const QRect at = canvas().viewRectOf(itemOf(index)).toAlignedRect();
        return {canvas().mapToGlobal(at.topLeft()), at.size()};
    }
    [[nodiscard]] int current() const override { return indexOf(canvas().currentItem()); }

    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        if (kind != QAccessible::Description)
            return QAccessibleWidget::text(kind);
        QStringList words;
        if (const QString active = canvas().activeTagName(); !active.isEmpty())
            words << QCoreApplication::translate("CanvasAccessible", "Active tag: %1.").arg(active);
        if (!canvas().fillPreview().empty())
            words << QCoreApplication::translate("CanvasAccessible", "Fill: %1.").arg(canvas().fillPreview().words());
        if (canvas().selectedEdge() >= 0)
            words << QCoreApplication::translate("CanvasAccessible", "Selected edge: %1.")
                         .arg(canvas().describeEdge(static_cast<std::uint32_t>(canvas().selectedEdge())));
        QStringList parts;
        for (const EdgeArrow& arrow : edgeArrows(canvas().scene(), canvas().camera(), QRectF(canvas().rect())))
            parts << textOf(arrow);
        if (!parts.isEmpty())
            words << QCoreApplication::translate("CanvasAccessible", "Out of view: %1. Press J for the next.")
                         .arg(parts.join(QStringLiteral(", ")));
        return words.isEmpty() ? QAccessibleWidget::text(kind) : words.join(u' ');
    }

protected:
    [[nodiscard]] int countOfChildren() const override { return static_cast<int>(canvas().scene().picture().items.size()); }
    [[nodiscard]] int childIndexAt(QPoint global) const override
    {
        return indexOf(canvas().itemAt(canvas().mapFromGlobal(global)));
    }

private:
    [[nodiscard]] CanvasWidget& canvas() const { return *static_cast<CanvasWidget*>(object()); }
};

} // namespace

void installCanvasAccessibility()
{
    installPaintedChildren<CanvasAccessible, CanvasWidget>();
}

} // namespace sunder
