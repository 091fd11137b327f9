// What the Regions pane does with all occurrences of a group at once.
#include "document/paint_as.h"
#include "document/text.h"
#include "models/tag_style_of.h"
#include "models/themed_icon.h"
#include "panes/regions/regions_pane.h"
#include "support/format.h"

#include <QMenu>
#include <QScopedValueRollback>

#include <algorithm>

namespace sunder {

namespace {
constexpr int kTagsInMenu = 30;
} // namespace

void RegionsPane::refreshPaintButton()
{
    const int tag = document().activeTag();
    m_paint->setEnabled(card() != nullptr && tag >= 0);
    if (card() == nullptr)
        return;
    m_paint->setText(tr("Paint all occurrences"));
    const std::size_t ops = group()->nodes.size();
    m_paint->setToolTip(tag < 0 ? tr("Add a tag first (Ctrl+T).")
                                : tr("Give all %1 of %2 the tag %3. The arrow offers the other tags.")
                                      .arg(text(formatCount(ops, "op")), titleOf(*card()), document().tagName(tag)));
    m_paint->setAccessibleName(tag < 0 ? m_paint->text() : tr("Paint all occurrences of %1 with %2").arg(card()->name, document().tagName(tag)));
}

void RegionsPane::paintAll(int tag)
{
    if (card() != nullptr)
        paintGroup(card()->group, tag);
}

void RegionsPane::paintGroup(std::size_t group, int tag)
{
    const int row = m_cards->rowOf(group);
    if (!m_shown || row < 0 || tag < 0)
        return;
    paintAs(document(), m_shown->regions.groups[group].nodes, tag, titleOf(m_cards->cards()[static_cast<std::size_t>(row)]));
}

void RegionsPane::selectGroup(std::size_t group)
{
    const QScopedValueRollback picking(m_picking, true);
    document().select(m_shown->regions.groups[group].nodes);
    document().reveal();
}

void RegionsPane::fillPaintMenu(QMenu& menu, std::size_t group)
{
    const Theme& theme = currentTheme();
    const std::vector<TagLook> looks = tagLooksOf(document(), theme);
    for (int tag = 0; tag < std::min(kTagsInMenu, document().tagCount()); ++tag)
        menu.addAction(tagSwatch(looks[static_cast<std::size_t>(tag)].style, theme), tr("Paint with %1").arg(document().tagName(tag)), this,
                       [this, group, tag] { paintGroup(group, tag); });
    menu.addSeparator();
    menu.addAction(tr("Paint with a new tag"), this, [this, group] {
        document().addTag();
        paintGroup(group, document().activeTag());
    });
}

void RegionsPane::addOccurrenceActions(QMenu& menu)
{
    const std::optional<std::size_t> group = m_shown ? groupOfSelection() : std::nullopt;
    const int row = group ? m_cards->rowOf(*group) : -1;
    if (row < 0)
        return;
    const RegionCard& card = m_cards->cards()[static_cast<std::size_t>(row)];
    QMenu* all = menu.addMenu(tr("All occurrences of this region (%1)").arg(titleOf(card)));
    all->addAction(tr("Select %1").arg(text(formatCount(m_shown->regions.groups[*group].nodes.size(), "op"))), this,
                   [this, group = *group] { selectGroup(group); });
    all->addSeparator();
    fillPaintMenu(*all, *group);
}

void RegionsPane::showMenu(const QPoint& globalPosition)
{
    if (card() == nullptr)
        return;
    QMenu menu(this);
    const std::size_t number = card()->group;
    menu.addAction(tr("Select all occurrences of %1 (%2)").arg(card()->name, text(formatCount(group()->nodes.size(), "op"))), this,
                   [this, number] { selectGroup(number); });
    if (currentRow() >= 0)
        menu.addAction(tr("Select %1").arg(m_occurrences->rows()[static_cast<std::size_t>(currentRow())].name), this,
                       [this] { goTo(currentRow(), true); });
    menu.addSeparator();
    fillPaintMenu(menu, number);
    menu.exec(globalPosition);
}

} // namespace sunder
