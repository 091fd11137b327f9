#include "models/paint_menu.h"

#include "document/text.h"
#include "models/tag_style_of.h"
#include "models/themed_icon.h"

#include <QMenu>

#include <algorithm>
#include <memory>

namespace sunder {
namespace {
constexpr int kTagsInMenu = 30;
} // namespace

PaintedList paintedSelection(const Document& document)
{
    const Selection& selection = document.marks().selection();
    return {selection.source, selection.what.isEmpty() ? QObject::tr("selection") : brief(selection.what)};
}

void addPaintActions(QMenu& menu, Document& document, const PaintedList& list)
{
    const Theme& theme = currentTheme();
    const std::vector<TagLook> looks = tagLooksOf(document, theme);
    const auto shared = std::make_shared<const PaintedList>(list);
    for (int tag = 0; tag < std::min(kTagsInMenu, document.tagCount()); ++tag)
        menu.addAction(tagSwatch(looks[static_cast<std::size_t>(tag)].style, theme),
                       QObject::tr("Paint with %1").arg(caption(document.tagName(tag))), &document,
                       [&document, shared, tag] { document.painting().paintList(shared->nodes, tag, shared->what); })
            ->setEnabled(!document.tagTraits()[static_cast<std::size_t>(tag)].isLocked);
    menu.addSeparator();
    menu.addAction(themedIcon(QStringLiteral("add")), QObject::tr("Paint with a new tag"), &document,
                   [&document, shared] { document.painting().paintWithNewTag(shared->nodes, shared->what); });
    menu.addAction(themedIcon(QStringLiteral("eraser")), QObject::tr("Erase its tags"), &document,
                   [&document, shared] { document.painting().paintList(shared->nodes, TagAssignment::kUntagged, shared->what); });
}

} // namespace sunder
