#pragma once

#include <QAccessible>
#include <QAccessibleWidget>
#include <QHash>
#include <QWidget>

namespace sunder {

/// Lets assistive technology see what a widget paints as children of it: a subclass a kind of widget says what they are,
/// by their index. The children themselves are made when asked for, and forgotten when the widget shows others.
class PaintedChildren : public QAccessibleWidget {
public:
    explicit PaintedChildren(QWidget* widget);
    ~PaintedChildren() override;

    [[nodiscard]] int childCount() const final { return countOfChildren(); }
    [[nodiscard]] QAccessibleInterface* child(int index) const final;
    [[nodiscard]] int indexOfChild(const QAccessibleInterface* child) const final;
    [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const final;
    [[nodiscard]] QAccessibleInterface* focusChild() const final { return child(current()); }

    // Of the child with that index, which is in range.
    [[nodiscard]] virtual QString nameOf(int index) const = 0;
    [[nodiscard]] virtual QString descriptionOf(int index) const;
    [[nodiscard]] virtual QAccessible::Role roleOf(int index) const = 0;
    /// What it is besides focusable and focused.
    virtual void addState(int index, QAccessible::State& state) const = 0;
    /// On the screen.
    [[nodiscard]] virtual QRect placeOf(int index) const = 0;
    /// What pressing it does, in a word or two; empty when nothing.
    [[nodiscard]] virtual QString pressNameOf(int index) const;
    virtual void press(int index);

    /// The child that has the keyboard, −1 none.
    [[nodiscard]] virtual int current() const = 0;
    [[nodiscard]] bool hasFocus() const { return widget()->hasFocus(); }

    /// Children of before are not valid any more.
    void forget();

    /// For the widget to call: it shows other children; its current one is another.
    static void childrenChanged(QWidget* widget);
    static void currentChanged(QWidget* widget);

protected:
    [[nodiscard]] virtual int countOfChildren() const = 0;
    /// At a place of the screen, −1 none.
    [[nodiscard]] virtual int childIndexAt(QPoint global) const = 0;

private:
    mutable QHash<int, QAccessible::Id> m_children; ///< made when asked for
};

/// Makes a T (a PaintedChildren whose constructor takes a Widget*) for every Widget. Once a program is enough.
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
