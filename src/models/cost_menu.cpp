#include "models/cost_menu.h"

#include <QMenu>

#include <algorithm>

namespace sunder {

void fillCostMenu(QMenu& menu, Document& document, const QString& none)
{
    menu.clear();
    const auto add = [&](const QString& title, const QString& tip, const QString& id) {
        QAction* action = menu.addAction(title, &document, [&document, id] { document.costs().setListed(id); });
        action->setToolTip(tip);
        action->setCheckable(true);
        action->setChecked(document.costs().listed() == id);
    };
    add(none, {}, {});
    for (const CostChoice& choice : document.costs().choices())
        add(choice.title, choice.tip, choice.id);
}

QString listedCostTitle(const Document& document)
{
    const std::vector<CostChoice> choices = document.costs().choices();
    const auto listed = std::ranges::find(choices, document.costs().listed(), &CostChoice::id);
    return listed == choices.end() ? QString() : listed->title;
}

} // namespace sunder
