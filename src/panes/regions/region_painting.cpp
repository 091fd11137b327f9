#include "panes/regions/region_painting.h"

#include "document/paint_as.h"
#include "document/text.h"
#include "models/tag_style_of.h"

#include <QMenu>

#include <algorithm>

namespace sunder {
namespace {
constexpr int kTagsInMenu = 30;
} // namespace

void paintGroup(Document& document, const RegionGroupRef& group, int tag)
{
    if (tag >= 0)
        paintAs(document, group.regions().nodes, tag, group.title);
}

void addPaintActions(QMenu& menu, Document& document, const RegionGroupRef& group)
{
    const Theme& theme = currentTheme();
    const std::vector<TagLook> looks = tagLooksOf(document, theme);
    for (int tag = 0; tag < std::min(kTagsInMenu, document.tagCount()); ++tag)
        menu.addAction(tagSwatch(looks[static_cast<std::size_t>(tag)].style, theme),
                       QObject::tr("Paint with %1").arg(caption(document.tagName(tag))), &document,
                       [&document, group, tag] { paintGroup(document, group, tag); });
    menu.addSeparator();
    menu.addAction(QObject::tr("Paint with a new tag"), &document, [&document, group] {
        document.addTag();
        paintGroup(document, group, document.activeTag());
    });
}

} // namespace sunder
