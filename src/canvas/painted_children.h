#pragma once

#include <QAccessible>
#include <QAccessibleWidget>
#include <QHash>
#include <QWidget>

namespace sunder {

/// Exposes items painted by a widget to assistive technology as its children. A subclass per kind of widget describes them by
/// index. The child objects are created on demand and discarded when the widget shows other items.
class PaintedChildren : public QAccessibleWidget {
public:
    explicit PaintedChildren(QWidget* widget);
    ~PaintedChildren() override;

    [[nodiscard]] int childCount() const final { return countOfChildren(); }
    [[nodiscard]] QAccessibleInterface* child(int index) const final;
    [[nodiscard]] int indexOfChild(const QAccessibleInterface* child) const final;
    [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const final;
    [[nodiscard]] QAccessibleInterface* focusChild() const final { return child(current()); }

    // For the child with this index, which is in range.
    [[nodiscard]] virtual QString nameOf(int index) const = 0;
    [[nodiscard]] virtual QString descriptionOf(int index) const;
    [[nodiscard]] virtual QAccessible::Role roleOf(int index) const = 0;
    /// Adds its state, in addition to focusable and focused.
    virtual void addState(int index, QAccessible::State& state) const = 0;
    /// In screen coordinates.
    [[nodiscard]] virtual QRect placeOf(int index) const = 0;
    /// Returns the name of its press action in a word or two; empty if there is none.
    [[nodiscard]] virtual QString pressNameOf(int index) const;
    virtual void press(int index);

    /// Returns the child with the keyboard focus; −1: none.
    [[nodiscard]] virtual int current() const = 0;
    [[nodiscard]] bool hasFocus() const { return widget()->hasFocus(); }

    /// Discards the current children.
    void forget();

    /// Called by the widget when its items or its current item changed.
    static void childrenChanged(QWidget* widget);
    static void currentChanged(QWidget* widget);

protected:
    [[nodiscard]] virtual int countOfChildren() const = 0;
    /// Returns the child at a screen position; −1: none.
    [[nodiscard]] virtual int childIndexAt(QPoint global) const = 0;

private:
    mutable QHash<int, QAccessible::Id> m_children; ///< created on demand
};

/// Installs a factory that creates a T for each Widget. T derives from PaintedChildren and is constructed from a Widget*. Call it
/// once per process.
template <typename T, typename Widget>
void installPaintedChildren()
{
    static const bool s_installed = [] {
        QAccessible::installFactory([](const QString&, QObject* object) -> QAccessibleInterface* {
            auto* widget = qobject_cast<Widget*>(object);
            return widget != nullptr ? new T(widget) : nullptr;
        });
        return true;
    }();
    Q_UNUSED(s_installed)
}

} // namespace sunder
