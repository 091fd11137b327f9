#include "models/tag_style_of.h"

#include "analysis/device.h"
#include "canvas/picture_notes.h"
#include "document/text.h"
#include "support/format.h"

#include <QGuiApplication>
#include <QPainter>
#include <QPalette>
#include <algorithm>

namespace sunder {

void paintTagStrip(QPainter& painter, const QRectF& rect, const TagShares& shares, const std::vector<TagLook>& looks,
                   const Theme& theme)
{
    painter.save();
    painter.setPen(Qt::NoPen);
    painter.fillRect(rect, theme.soft);
    double x = rect.left();
    for (const TagShare& share : shares) {
        const double width = rect.width() * share.share;
        if (const TagLook* look = lookOfTag(looks, share.tag))
            painter.fillRect(QRectF(x, rect.top(), width, rect.height()), tagBrush(look->style, theme));
        x += width;
    }
    painter.restore();
}

const Theme& currentTheme()
{
    const QColor window = QGuiApplication::palette().color(QPalette::Window);
    return theme(window.lightness() < 128);
}

namespace {

std::vector<TagLook> looksOf(const QStringList& names, const std::vector<TagTraits>& traits, const Theme& theme)
{
    QStringList chosen;
    for (const TagTraits& one : traits)
        chosen += one.code;
    const QStringList codes = tagCodes(names, chosen);
    std::vector<TagLook> looks;
    looks.reserve(traits.size());
    for (std::size_t i = 0; i < traits.size(); ++i) {
        const TagColor& color = traits[i].color;
        const auto at = static_cast<qsizetype>(i);
        looks.push_back({names[at], codes[at], color.own.isValid() ? tagStyle(theme, color.own) : tagStyle(theme, color.hue)});
    }
    return looks;
}

} // namespace

std::vector<TagLook> tagLooksOf(const Document& document, const Theme& theme)
{
    QStringList names;
    for (int tag = 0; tag < document.tagCount(); ++tag)
        names += document.tagName(tag);
    return looksOf(names, document.tagTraits(), theme);
}

std::vector<TagLook> proposedLooksOf(const Document& document, const TagAssignment& tags, const Theme& theme)
{
    QStringList names;
    for (const InternedString name : tags.order)
        names += text(name);
    return looksOf(names, document.tagSources().traitsOnceTaken(tags), theme);
}

std::vector<TagLook> shownLooksOf(const Document& document, const Theme& theme)
{
    std::vector<TagLook> looks = tagLooksOf(document, theme);
    for (std::size_t tag = 0; tag < looks.size(); ++tag)
        if (document.tagTraits()[tag].isHidden)
            looks[tag].style = faintStyle(theme);
    return looks;
}

namespace {

/// Returns the custom color of a part's first device; invalid if there is none.
QColor deviceColor(const PartitionPlan& plan, const std::vector<Device>& devices, const QString& part)
{
    for (const PartitionDagNode& node : plan.dag) {
        if (node.devices.empty() || text(node.submodule) != part)
            continue;
        for (const Device& device : devices)
            if (device.logicalId == node.devices.front())
                return QColor(QString::fromStdString(device.color));
    }
    return {};
}

} // namespace

std::vector<TagLook> partLooksOf(const Document& document, const SplitOutcome& split, const Theme& theme)
{
    QStringList names;
    for (const InternedString name : split.split.partNames)
        names += text(name);
    const std::vector<TagLook> tags = split.plan ? std::vector<TagLook>() : tagLooksOf(document, theme);
    const std::vector<Device> devices = split.plan ? asCalledNow(split.plan->request.devices(), document.devices().list())
                                                   : std::vector<Device>();
    const QStringList codes = tagCodes(names);
    std::vector<TagLook> looks;
    for (qsizetype part = 0; part < names.size(); ++part) {
        const auto tag = std::find_if(tags.begin(), tags.end(), [&](const TagLook& look) {
            return look.name == names[part] || (split.madeFrom && QStringLiteral("submod_") + look.name == names[part]);
        });
        if (tag != tags.end()) {
            looks.push_back(*tag);
            continue;
        }
        const QColor own = split.plan ? deviceColor(*split.plan, devices, names[part]) : QColor();
        TagStyle style = own.isValid() ? tagStyle(theme, own) : tagStyle(theme, static_cast<std::size_t>(part));
        if (style.pattern == TagPattern::solid)
            style.pattern = TagPattern::diagonal; // solid colors are reserved for tags
        looks.push_back({names[part], codes[part], style});
    }
    return looks;
}

std::vector<TagLook> cutLooksOf(const Document& document, const SplitOutcome& split, const Theme& theme)
{
    const std::vector<TagLook> parts = partLooksOf(document, split, theme);
    std::vector<TagLook> looks;
    for (const InternedString tag : split.tags.order) {
        const auto at = std::find(split.split.partNames.begin(), split.split.partNames.end(), tag);
        looks.push_back(at == split.split.partNames.end() ? TagLook{text(tag), {}, tagStyle(theme, looks.size())}
                                                          : parts[static_cast<std::size_t>(at - split.split.partNames.begin())]);
    }
    return looks;
}

std::vector<std::int32_t> cutTableOf(const Document& document, const SplitOutcome& split)
{
    const std::vector<std::uint8_t>& calls = document.snapshot()->calls;
    std::vector<std::int32_t> table(calls.size(), PictureStyle::kTakesNoTag);
    for (std::size_t i = 0; i < table.size(); ++i)
        if (calls[i] != 0)
            table[i] = i < split.tags.tagOf.size() ? split.tags.tagOf[i] : PictureStyle::kUntagged;
    return table;
}

QIcon tagSwatch(const TagStyle& style, const Theme& theme)
{
    QIcon icon;
    for (const int side : {16, 32, 64}) { // sharp at scale factors of 200% and more
        QPixmap pixmap(side, side);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.scale(side / 16.0, side / 16.0);
        painter.setBrush(tagBrush(style, theme));
        painter.drawRoundedRect(QRectF(2, 2, 12, 12), 3, 3);
        painter.end();
        icon.addPixmap(pixmap);
    }
    return icon;
}

std::vector<std::int32_t> tagTableOf(const Document& document)
{
    return document.isOpen() ? tagTableOf(document, document.tags()) : std::vector<std::int32_t>();
}

std::vector<std::int32_t> tagTableOf(const Document& document, const TagAssignment& tags)
{
    std::vector<std::int32_t> table = tags.tagOf;
    const std::vector<std::uint8_t>& calls = document.snapshot()->calls;
    for (std::size_t i = 0; i < table.size(); ++i)
        if (calls[i] == 0)
            table[i] = PictureStyle::kTakesNoTag;
    return table;
}

TagsWithin tagsWithinOf(const Document& document, std::span<const Representative> representatives)
{
    TagsWithin within;
    const Snapshot& source = *document.snapshot();
    const std::vector<std::uint64_t>& bytes = source.sizes.parameterBytes;
    std::vector<TagOps> shares(static_cast<std::size_t>(document.tagCount()) + 1); // the last one: untagged
    for (const Representative& representative : representatives) {
        std::fill(shares.begin(), shares.end(), TagOps());
        for (const NodeId id : representative.sources) {
            if (!source.isCall(id))
                continue;
            const std::int32_t tag = document.tags()[id];
            TagOps& share = tag >= 0 ? shares[static_cast<std::size_t>(tag)] : shares.back();
            share.tag = tag;
            ++share.ops;
            share.bytes += id.index() < bytes.size() ? bytes[id.index()] : 0;
        }
        std::vector<TagOps>& worn = within[representative.node];
        std::copy_if(shares.begin(), shares.end(), std::back_inserter(worn), [](const TagOps& share) { return share.ops > 0; });
    }
    return within;
}

std::vector<NodeId> markedNodesOf(const Document& document)
{
    std::vector<NodeId> marked = document.checks().isUntaggedShown() ? document.checks().report().untagged
                                                                     : std::vector<NodeId>();
    for (const LeftRegion& left : document.checks().report().regions)
        marked.push_back(left.node);
    for (const Problem& problem : document.checks().problems())
        marked.insert(marked.end(), problem.excess.begin(), problem.excess.end());
    return marked;
}

std::vector<NodeId> notedNodesOf(const Document& document)
{
    std::vector<NodeId> noted;
    for (const NonTensorCrossing& crossing : document.checks().report().nonTensors)
        noted.push_back(crossing.producer);
    for (const TagIsland& island : document.checks().report().islands)
        noted.insert(noted.end(), island.nodes.begin(), island.nodes.end());
    if (!document.checks().report().shared.empty())
        for (const Problem& problem : document.checks().problems())
            if (problem.kind == Problem::Kind::sharedWeight)
                noted.insert(noted.end(), problem.nodes.begin(), problem.nodes.end());
    return noted;
}

std::vector<BackwardMark> backwardMarksOf(const Document& document, const Theme& theme)
{
    std::vector<BackwardMark> marks = backwardMarks(document.checks().report(), tagLooksOf(document, theme));
    for (BackwardMark& mark : marks)
        mark.detail += mark.detail.isEmpty() ? QObject::tr("fix ▾") : QObject::tr(" · fix ▾");
    return marks;
}

std::vector<PictureNote> pictureNotesOf(const Document& document)
{
    return document.isOpen() ? pictureNotes(document.graph(), document.notes().list()) : std::vector<PictureNote>();
}

PictureStyle pictureStyleOf(const Document& document, const Theme& theme)
{
    PictureStyle style;
    style.theme = &theme;
    if (!document.isOpen())
        return style;
    style.tags = shownLooksOf(document, theme);
    style.tagOf = tagTableOf(document);
    style.nodeBytes = document.snapshot()->sizes.parameterBytes;
    style.selected = NodeSet(document.marks().selection().source);
    style.marked = NodeSet(markedNodesOf(document));
    style.noted = NodeSet(notedNodesOf(document));
    style.backward = backwardMarksOf(document, theme);
    style.notes = pictureNotesOf(document);
    return style;
}

} // namespace sunder
