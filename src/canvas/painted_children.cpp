#include "canvas/painted_children.h"

#include <QPointer>

namespace sunder {
namespace {

/// A child, identified by its index. It is invalid if the widget has fewer children by now.
class PaintedChild final : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    PaintedChild(QWidget* widget, int index) : m_widget(widget), m_index(index) {}

    [[nodiscard]] bool isValid() const override { return m_widget && m_index < children()->childCount(); }
    [[nodiscard]] QObject* object() const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* parent() const override
    {
        return m_widget ? QAccessible::queryAccessibleInterface(m_widget) : nullptr;
    }
    [[nodiscard]] QAccessibleInterface* child(int) const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    [[nodiscard]] int childCount() const override { return 0; }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        if (!isValid())
            return {};
        return kind == QAccessible::Name       ? children()->nameOf(m_index)
            : kind == QAccessible::Description ? children()->descriptionOf(m_index)
                                               : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}
    [[nodiscard]] QRect rect() const override { return isValid() ? children()->placeOf(m_index) : QRect(); }
    [[nodiscard]] QAccessible::Role role() const override
    {
        return isValid() ? children()->roleOf(m_index) : QAccessible::ListItem;
    }
    [[nodiscard]] QAccessible::State state() const override
    {
        QAccessible::State state;
        state.invalid = !isValid();
        if (state.invalid)
            return state;
        state.focusable = true;
        state.focused = children()->hasFocus() && children()->current() == m_index;
        children()->addState(m_index, state);
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
    }
    [[nodiscard]] QStringList actionNames() const override
    {
        return isValid() && !children()->pressNameOf(m_index).isEmpty() ? QStringList{pressAction()} : QStringList();
    }
    [[nodiscard]] QString localizedActionName(const QString& name) const override
    {
        return isValid() && name == pressAction() ? children()->pressNameOf(m_index) : QString();
    }
    void doAction(const QString& name) override
    {
        if (isValid() && name == pressAction())
            children()->press(m_index);
    }
    [[nodiscard]] QStringList keyBindingsForAction(const QString&) const override { return {}; }

    [[nodiscard]] int index() const { return m_index; }

private:
    [[nodiscard]] PaintedChildren* children() const
    {
        return static_cast<PaintedChildren*>(QAccessible::queryAccessibleInterface(m_widget));
    }

    QPointer<QWidget> m_widget;
    int m_index;
};

} // namespace

PaintedChildren::PaintedChildren(QWidget* widget) : QAccessibleWidget(widget, QAccessible::List, widget->accessibleName()) {}

PaintedChildren::~PaintedChildren()
{
    forget();
}

QString PaintedChildren::descriptionOf(int) const
{
    return {};
}

QString PaintedChildren::pressNameOf(int) const
{
    return {};
}

void PaintedChildren::press(int) {}

QAccessibleInterface* PaintedChildren::child(int index) const
{
    if (index < 0 || index >= childCount())
        return nullptr;
    if (const auto known = m_children.constFind(index); known != m_children.constEnd())
        return QAccessible::accessibleInterface(*known);
    auto* made = new PaintedChild(widget(), index);
    m_children.insert(index, QAccessible::registerAccessibleInterface(made));
    return made;
}

int PaintedChildren::indexOfChild(const QAccessibleInterface* child) const
{
    const auto* painted = dynamic_cast<const PaintedChild*>(child);
    return painted != nullptr ? painted->index() : -1;
}

QAccessibleInterface* PaintedChildren::childAt(int x, int y) const
{
    return child(childIndexAt({x, y}));
}

void PaintedChildren::forget()
{
    for (const QAccessible::Id id : std::as_const(m_children))
        QAccessible::deleteAccessibleInterface(id);
    m_children.clear();
}

void PaintedChildren::childrenChanged(QWidget* widget)
{
    if (!QAccessible::isActive())
        return;
    if (auto* children = dynamic_cast<PaintedChildren*>(QAccessible::queryAccessibleInterface(widget)))
        children->forget();
    QAccessibleEvent event(widget, QAccessible::ObjectReorder);
    QAccessible::updateAccessibility(&event);
}

void PaintedChildren::currentChanged(QWidget* widget)
{
    if (!QAccessible::isActive())
        return;
    const auto* children = dynamic_cast<PaintedChildren*>(QAccessible::queryAccessibleInterface(widget));
    if (children == nullptr || children->current() < 0)
        return;
    QAccessibleEvent event(widget, QAccessible::Focus);
    event.setChild(children->current());
    QAccessible::updateAccessibility(&event);
}

} // namespace sunder
