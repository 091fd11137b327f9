#include "app/tag_list_commands.h"

#include "dialogs/quick_pick.h"
#include "models/tag_style_of.h"
#include "text/amounts.h"
#include "text/shown_text.h"

#include <algorithm>
#include <functional>

namespace sunder {
namespace {

constexpr int kNone = -1;

const TagTraits& traitsOfActive(const Document& document)
{
    return document.tagTraits()[static_cast<std::size_t>(document.activeTag())];
}

/// Shows a dialog that finds a tag by name and lists its code, ops, and bytes. Omits the tag `without`.
void pickTag(const QString& title, int without, Document& document, QWidget& window, const std::function<void(int)>& picked)
{
    const Theme& theme = currentTheme();
    const std::vector<TagLook> looks = tagLooksOf(document, theme);
    std::vector<QuickPick::Choice> choices;
    for (int tag = 0; tag < document.tagCount(); ++tag) {
        if (tag == without)
            continue;
        const TagLook& look = looks[static_cast<std::size_t>(tag)];
        const TagTotal& total = document.checks().totals().tags[static_cast<std::size_t>(tag)];
        const QString locked = document.tagTraits()[static_cast<std::size_t>(tag)].isLocked ? QObject::tr(" · locked")
                                                                                            : QString();
        choices.push_back({.text = look.name,
                           .detail = QStringLiteral("%1 · %2 · %3%4")
                                         .arg(look.code, countText(total.ops, "op"), bytesText(total.bytes), locked),
                           .id = tag,
                           .icon = tagSwatch(look.style, theme)});
    }
    auto* dialog = new QuickPick(title, std::move(choices), &window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QuickPick::picked, &document, picked);
    dialog->open();
}

void connectSight(const Actions& actions, Document& document)
{
    const auto on = [&document](QAction* action, auto what) {
        QObject::connect(action, &QAction::triggered, &document, [&document, what] {
            if (document.activeTag() >= 0)
                what(document.activeTag());
        });
    };
    on(actions.lockTag, [&document](int tag) { document.tagList().setLocked(tag, !traitsOfActive(document).isLocked); });
    on(actions.hideTag, [&document](int tag) { document.tagList().setHidden(tag, !traitsOfActive(document).isHidden); });
    on(actions.soloTag, [&document](int tag) { document.tagList().solo(tag); });
    on(actions.selectTag, [&document](int tag) { document.marks().selectTag(tag); });
    on(actions.moveTagUp, [&document](int tag) { document.tagList().move(tag, tag - 1); });
    on(actions.moveTagDown, [&document](int tag) { document.tagList().move(tag, tag + 1); });
    QObject::connect(actions.showAllTags, &QAction::triggered, &document, [&document] { document.tagList().showAll(); });
    QObject::connect(actions.protectTags, &QAction::triggered, &document,
                     [&document](bool isOn) { document.painting().setProtecting(isOn); });
    QObject::connect(actions.followForward, &QAction::triggered, &document,
                     [&document](bool isOn) { document.painting().setBackwardFollows(isOn); });
    QObject::connect(actions.orderTags, &QAction::triggered, &document, [&document] { document.tagList().orderTopologically(); });
}

} // namespace

void connectTagList(const Actions& actions, Document& document, QWidget& window)
{
    connectSight(actions, document);
    QObject::connect(actions.chooseTag, &QAction::triggered, &window, [&document, &window] {
        pickTag(QObject::tr("Choose a tag"), kNone, document, window,
                [&document](int tag) { document.tagList().setActive(tag); });
    });
    QObject::connect(actions.mergeTag, &QAction::triggered, &window, [&document, &window] {
        const int from = document.activeTag();
        pickTag(QObject::tr("Merge %1 into").arg(brief(document.tagName(from))), from, document, window,
                [&document, from](int into) { document.tagList().merge(from, into); });
    });
}

void showTagList(const Actions& actions, const Document& document)
{
    const int tag = document.activeTag();
    const bool hasActive = document.isOpen() && tag >= 0;
    for (QAction* action : {actions.tagCode, actions.lockTag, actions.hideTag, actions.soloTag, actions.selectTag})
        action->setEnabled(hasActive);
    actions.chooseTag->setEnabled(hasActive);
    actions.protectTags->setEnabled(document.isOpen());
    actions.protectTags->setChecked(document.tagState().protectsTagged);
    const bool isTraining = document.isOpen() && document.snapshot()->training.isTraining();
    actions.followForward->setEnabled(isTraining);
    actions.followForward->setChecked(isTraining && document.tagState().backwardFollows);
    actions.moveTagUp->setEnabled(hasActive && tag > 0);
    actions.moveTagDown->setEnabled(hasActive && tag + 1 < document.tagCount());
    actions.mergeTag->setEnabled(hasActive && document.tagCount() > 1 && !traitsOfActive(document).isLocked);
    actions.orderTags->setEnabled(document.isOpen() && document.tagCount() > 1);
    actions.showAllTags->setEnabled(std::ranges::any_of(document.tagTraits(), &TagTraits::isHidden));
    actions.lockTag->setChecked(hasActive && traitsOfActive(document).isLocked);
    actions.hideTag->setChecked(hasActive && traitsOfActive(document).isHidden);
}

} // namespace sunder
