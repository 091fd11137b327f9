#include "panes/sequence/sequence_accessible.h"

#include "canvas/painted_children.h"
#include "panes/sequence/boundary_words.h"
#include "panes/sequence/sequence_strip.h"

namespace sunder {
namespace {

class SequenceAccessible final : public PaintedChildren {
public:
    explicit SequenceAccessible(SequenceStrip* strip) : PaintedChildren(strip) {}

    [[nodiscard]] QString nameOf(int index) const override { return strip().nameOf(index); }
    /// Describes the boundary if it has the keyboard focus, and the keys that move it.
    [[nodiscard]] QString descriptionOf(int index) const override
    {
        const QString how = QObject::tr("↑ and ↓ move it, Enter applies, Esc cancels.");
        if (index != strip().current() || !strip().figures())
            return how;
        return QObject::tr("%1. %2").arg(wordsOf(strip().content(), *strip().figures()).spoken(), how);
    }
    [[nodiscard]] QAccessible::Role roleOf(int) const override { return QAccessible::Splitter; }
    void addState(int index, QAccessible::State& state) const override
    {
        state.movable = !strip().isLocked(index);
        state.readOnly = strip().isLocked(index);
    }
    [[nodiscard]] QRect placeOf(int index) const override
    {
        const QRect at = strip().handleRect(index).toAlignedRect();
        return {strip().mapToGlobal(at.topLeft()), at.size()};
    }
    [[nodiscard]] int current() const override { return strip().current(); }

protected:
    [[nodiscard]] int countOfChildren() const override { return strip().handleCount(); }
    [[nodiscard]] int childIndexAt(QPoint global) const override { return strip().handleAt(strip().mapFromGlobal(global)); }

private:
    [[nodiscard]] SequenceStrip& strip() const { return *static_cast<SequenceStrip*>(object()); }
};

} // namespace

void installSequenceAccessible()
{
    installPaintedChildren<SequenceAccessible, SequenceStrip>();
}

} // namespace sunder
