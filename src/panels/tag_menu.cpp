#include "panels/tag_menu.h"

#include "document/text.h"
#include "models/tag_style_of.h"
#include "models/themed_icon.h"

#include <QMenu>

#include <algorithm>

namespace sunder {
namespace {

constexpr int kMaxToMergeInto = 30;

void addMergeActions(QMenu& menu, Document& document, int tag)
{
    const Theme& theme = currentTheme();
    const std::vector<TagLook> looks = tagLooksOf(document, theme);
    for (int other = 0; other < std::min(kMaxToMergeInto, document.tagCount()); ++other)
        if (other != tag)
            menu.addAction(tagSwatch(looks[static_cast<std::size_t>(other)].style, theme), caption(document.tagName(other)),
                           &document, [&document, tag, other] { document.tagList().merge(tag, other); })
                ->setEnabled(!document.tagTraits()[static_cast<std::size_t>(other)].isLocked);
    menu.setEnabled(!menu.isEmpty() && !document.tagTraits()[static_cast<std::size_t>(tag)].isLocked);
}

void addSightActions(QMenu& menu, Document& document, int tag)
{
    const TagTraits& traits = document.tagTraits()[static_cast<std::size_t>(tag)];
    menu.addAction(themedIcon(traits.isLocked ? QStringLiteral("unlock") : QStringLiteral("lock")),
                   traits.isLocked ? QObject::tr("Unlock\tCtrl+L") : QObject::tr("Lock\tCtrl+L"), &document,
                   [&document, tag, locked = traits.isLocked] { document.tagList().setLocked(tag, !locked); });
    menu.addAction(themedIcon(traits.isHidden ? QStringLiteral("eye") : QStringLiteral("eye-off")),
                   traits.isHidden ? QObject::tr("Show\tCtrl+Shift+L") : QObject::tr("Hide\tCtrl+Shift+L"), &document,
                   [&document, tag, hidden = traits.isHidden] { document.tagList().setHidden(tag, !hidden); });
    menu.addAction(themedIcon(QStringLiteral("eye")), QObject::tr("Show only this tag\tCtrl+Alt+L"), &document,
                   [&document, tag] { document.tagList().solo(tag); });
    menu.addAction(QObject::tr("Show all tags"), &document, [&document] { document.tagList().showAll(); })
        ->setEnabled(std::ranges::any_of(document.tagTraits(), &TagTraits::isHidden));
}

} // namespace

void fillTagMenu(QMenu& menu, Document& document, int tag, const TagMenuActions& actions)
{
    menu.addAction(QObject::tr("Rename…\tF2"), &document, actions.rename);
    menu.addAction(QObject::tr("Code…"), &document, actions.changeCode);
    addColorActions(*menu.addMenu(QObject::tr("Color")), document, tag, actions.chooseColor);
    menu.addSeparator();
    addSightActions(menu, document, tag);
    menu.addSeparator();
    menu.addAction(QObject::tr("Select its ops"), &document, [&document, tag] { document.marks().selectTag(tag); });
    QMenu* merge = menu.addMenu(themedIcon(QStringLiteral("merge")), QObject::tr("Merge into"));
    addMergeActions(*merge, document, tag);
    menu.addSeparator();
    menu.addAction(QObject::tr("Move up\tAlt+Up"), &document, [&document, tag] { document.tagList().move(tag, tag - 1); })
        ->setEnabled(tag > 0);
    menu.addAction(QObject::tr("Move down\tAlt+Down"), &document, [&document, tag] { document.tagList().move(tag, tag + 1); })
        ->setEnabled(tag + 1 < document.tagCount());
    menu.addSeparator();
    menu.addAction(themedIcon(QStringLiteral("trash")), QObject::tr("Remove (its ops become untagged)\tDelete"), &document,
                   [&document, tag] { document.tagList().remove(tag); })
        ->setEnabled(!document.tagTraits()[static_cast<std::size_t>(tag)].isLocked);
}

/// The palette first, whose colors are distinguishable in color blindness; then the palette with patterns; then any color.
void addColorActions(QMenu& menu, Document& document, int tag, const std::function<void()>& chooseColor)
{
    const Theme& theme = currentTheme();
    const auto hues = static_cast<std::uint32_t>(theme.tags.size());
    const std::vector<TagTraits>& traits = document.tagTraits();
    const TagColor& now = traits[static_cast<std::size_t>(tag)].color;
    const auto add = [&](QMenu& to, std::uint32_t hue) {
        const auto has = std::ranges::find_if(
            traits, [hue](const TagTraits& other) { return !other.color.own.isValid() && other.color.hue == hue; });
        const auto owner = static_cast<int>(has - traits.begin());
        const QString title = QObject::tr("Color %1").arg(hue % hues + 1);
        QAction* action = to.addAction(tagSwatch(tagStyle(theme, hue), theme),
                                       has == traits.end() || owner == tag
                                           ? title
                                           : QObject::tr("%1: swap with %2").arg(title, caption(document.tagName(owner))),
                                       &document, [&document, tag, hue] { document.tagList().setHue(tag, hue); });
        action->setCheckable(true);
        action->setChecked(owner == tag);
    };
    for (std::uint32_t hue = 0; hue < hues; ++hue)
        add(menu, hue);
    menu.addSeparator();
    const QStringList patterns{QObject::tr("Diagonal"), QObject::tr("Other diagonal"), QObject::tr("Dots"), QObject::tr("Bars")};
    for (qsizetype pattern = 0; pattern < patterns.size(); ++pattern) {
        QMenu* patterned = menu.addMenu(patterns[pattern]);
        for (std::uint32_t hue = 0; hue < hues; ++hue)
            add(*patterned, static_cast<std::uint32_t>(pattern + 1) * hues + hue);
    }
    menu.addSeparator();
    if (now.own.isValid())
        menu.addAction(QObject::tr("Theme color"), &document, [&document, tag] { document.tagList().recolor(tag, QColor()); });
    menu.addAction(QObject::tr("Other color…"), &document, chooseColor);
}

} // namespace sunder
