#include "panes/partition_dag/dag_accessible.h"

#include "panes/partition_dag/dag_view.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QHash>
#include <QPointer>

namespace sunder {
namespace {

int boxCount(const DagView& view)
{
    return static_cast<int>(view.content().boxes.size());
}

int placeCount(const DagView& view)
{
    return boxCount(view) + static_cast<int>(view.content().ribbons.size());
}

/// Nothing when the view has fewer places by now.
DagPlace placeOf(const DagView& view, int index)
{
    if (index < 0 || index >= placeCount(view))
        return {};
    return index < boxCount(view) ? DagPlace{DagPlace::Kind::box, index}
                                  : DagPlace{DagPlace::Kind::ribbon, index - boxCount(view)};
}

int indexOf(const DagView& view, DagPlace place)
{
    return place.kind == DagPlace::Kind::none ? -1 : place.kind == DagPlace::Kind::box ? place.index : boxCount(view) + place.index;
}

/// A box or a ribbon.
class PlaceAccessible final : public QAccessibleInterface {
public:
    PlaceAccessible(DagView* view, int index) : m_view(view), m_index(index) {}

    [[nodiscard]] bool isValid() const override { return m_view && m_index < placeCount(*m_view); }
    [[nodiscard]] QObject* object() const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* parent() const override
    {
        return m_view ? QAccessible::queryAccessibleInterface(m_view) : nullptr;
    }
    [[nodiscard]] QAccessibleInterface* child(int) const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    [[nodiscard]] int childCount() const override { return 0; }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Name && isValid() ? m_view->describe(placeOf(*m_view, m_index)) : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}
    [[nodiscard]] QRect rect() const override
    {
        if (!isValid())
            return {};
        const QRect at = m_view->viewRectOf(placeOf(*m_view, m_index)).toAlignedRect();
        return {m_view->viewport()->mapToGlobal(at.topLeft()), at.size()};
    }
    [[nodiscard]] QAccessible::Role role() const override { return QAccessible::ListItem; }
    [[nodiscard]] QAccessible::State state() const override
    {
        QAccessible::State state;
        state.invalid = !isValid();
        if (state.invalid)
            return state;
        const DagPlace place = placeOf(*m_view, m_index);
        state.focusable = true;
        state.selectable = place.kind == DagPlace::Kind::box;
        const auto& selected = m_view->marks().selectedOps;
        state.selected = state.selectable && static_cast<std::size_t>(place.index) < selected.size()
            && selected[static_cast<std::size_t>(place.index)] > 0;
        state.focused = m_view->hasFocus() && m_view->current() == place;
        return state;
    }
    [[nodiscard]] int index() const { return m_index; }

private:
    QPointer<DagView> m_view;
    int m_index;
};

class DagAccessible final : public QAccessibleWidget {
public:
    explicit DagAccessible(DagView* view) : QAccessibleWidget(view, QAccessible::List, view->accessibleName()) {}
    ~DagAccessible() override { forget(); }

    [[nodiscard]] int childCount() const override { return placeCount(view()); }
    [[nodiscard]] QAccessibleInterface* child(int index) const override
    {
        if (index < 0 || index >= childCount())
            return nullptr;
        const auto known = m_children.constFind(index);
        if (known != m_children.constEnd())
            return QAccessible::accessibleInterface(*known);
        auto* place = new PlaceAccessible(&view(), index);
        m_children.insert(index, QAccessible::registerAccessibleInterface(place));
        return place;
    }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface* child) const override
    {
        const auto* place = dynamic_cast<const PlaceAccessible*>(child);
        return place != nullptr ? place->index() : -1;
    }
    [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override
    {
        return child(indexOf(view(), view().placeAt(view().viewport()->mapFromGlobal(QPoint(x, y)))));
    }
    [[nodiscard]] QAccessibleInterface* focusChild() const override { return child(indexOf(view(), view().current())); }
    void forget()
    {
        for (const QAccessible::Id id : std::as_const(m_children))
            QAccessible::deleteAccessibleInterface(id);
        m_children.clear();
    }

private:
    [[nodiscard]] DagView& view() const { return *static_cast<DagView*>(object()); }

    mutable QHash<int, QAccessible::Id> m_children; ///< made when asked for
};

QAccessibleInterface* makeAccessible(const QString&, QObject* object)
{
    auto* view = qobject_cast<DagView*>(object);
    return view != nullptr ? new DagAccessible(view) : nullptr;
}

} // namespace

void installDagAccessibility()
{
    static const bool s_installed = [] {
        QAccessible::installFactory(makeAccessible);
        return true;
    }();
    Q_UNUSED(s_installed)
}

void dagPlacesChanged(DagView* view)
{
    if (!QAccessible::isActive())
        return;
    if (auto* accessible = dynamic_cast<DagAccessible*>(QAccessible::queryAccessibleInterface(view)))
        accessible->forget();
    QAccessibleEvent event(view, QAccessible::ObjectReorder);
    QAccessible::updateAccessibility(&event);
}

void dagFocusMoved(DagView* view)
{
    if (!QAccessible::isActive() || view->current().kind == DagPlace::Kind::none)
        return;
    QAccessibleEvent event(view, QAccessible::Focus);
    event.setChild(indexOf(*view, view->current()));
    QAccessible::updateAccessibility(&event);
}

} // namespace sunder
