#include "panes/regions/occurrences_panel.h"

#include "document/text.h"
#include "models/paint_menu.h"
#include "models/row_delegate.h"
#include "models/tag_style_of.h"
#include "panes/regions/occurrence_model.h"
#include "panes/regions/ui_occurrences_panel.h"
#include "panes/regions/ui_paint_all_button.h"
#include "text/amounts.h"

#include <QFontDatabase>
#include <QLayout>
#include <QMenu>

#include <algorithm>

namespace sunder {
namespace {

/// Paints a row of the occurrence list: the colors of its tags, and its module and node.
class OccurrenceDelegate final : public RowDelegate {
public:
    OccurrenceDelegate(const Document& document, QObject* parent) : RowDelegate(22, 4, parent), m_document(document) {}

protected:
    void paintContent(Row& row, const QModelIndex& index) const override;
    [[nodiscard]] bool isLit(const QModelIndex& index) const override { return index.data(OccurrenceModel::LitRole).toBool(); }

private:
    const Document& m_document;
};

constexpr int kSwatch = 9;
constexpr int kBesideName = 8 + kSwatch + 8 + 8;

QFont nameFont(const QFont& rowFont)
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(rowFont.pointSizeF() > 0 ? rowFont.pointSizeF() : font.pointSizeF());
    return font;
}

void OccurrenceDelegate::paintContent(Row& row, const QModelIndex& index) const
{
    const Theme& theme = currentTheme();
    const QRectF swatch(row.rest.left() + 8, row.rest.center().y() - kSwatch / 2.0, kSwatch, kSwatch);
    paintTagStrip(row.painter, swatch, index.data(OccurrenceModel::SharesRole).value<TagShares>(),
                  shownLooksOf(m_document, theme), theme);
    row.setFont(nameFont(row.font));
    row.rest.adjust(8 + kSwatch + 8, 0, -8, 0);
    const QString node = index.data(OccurrenceModel::NodeRole).toString();
    const int nodeWidth = std::min(QFontMetrics(row.font).horizontalAdvance(node), row.rest.width() * 3 / 5);
    const int moduleWidth = row.rest.width() - (node.isEmpty() ? 0 : nodeWidth + 8);
    row.paintLeft(row.name(index, OccurrenceModel::ShortRole, moduleWidth), theme.text, 8);
    row.paintLeft(row.name(index, OccurrenceModel::NodeRole, row.rest.width()), theme.dim);
}

} // namespace

OccurrencesPanel::OccurrencesPanel(Document& document, OccurrenceModel& occurrences, QItemSelectionModel* rows, QWidget* parent)
    : QWidget(parent), m_occurrences(occurrences), m_ui(std::make_unique<Ui::OccurrencesPanel>()),
      m_paint(new PaintAllButton(document, this))
{
    m_ui->setupUi(this);
    setAttribute(Qt::WA_StyledBackground);
    m_ui->title->setLine(tr("Occurrences"), {});
    QFont bold = m_ui->title->font();
    bold.setWeight(QFont::DemiBold);
    m_ui->title->setFont(bold);
    m_ui->list->setModel(&occurrences);
    m_ui->list->setItemDelegate(new OccurrenceDelegate(document, m_ui->list));
    m_ui->list->setSelectionModel(rows);
    m_ui->column->addWidget(m_paint);
    connect(&occurrences, &QAbstractItemModel::modelReset, this, &OccurrencesPanel::fitNames);
    connect(&occurrences, &QAbstractItemModel::dataChanged, this, [this](const auto&, const auto&, const QList<int>& roles) {
        if (roles.contains(Qt::DisplayRole))
            fitNames();
    });
}

/// Long names get more room, short ones leave it to the graph. The column never gets more than its names and nodes need.
void OccurrencesPanel::fitNames()
{
    constexpr int kMost = 184;
    constexpr int kMeasured = 200;
    constexpr qsizetype kNode = 10; ///< characters of a node for which there is always room, as in " linear_12"
    constexpr qsizetype kLongestNode = 40;
    const QFontMetrics metrics(nameFont(m_ui->list->font()));
    int widest = 0;
    for (int row = 0; row < std::min(kMeasured, m_occurrences.rowCount()); ++row)
        widest = std::max(widest,
                          metrics.horizontalAdvance(m_occurrences.index(row, 0).data(OccurrenceModel::ShortRole).toString()));
    const QMargins margins = m_ui->column->contentsMargins();
    const int bar = m_ui->list->style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, m_ui->list);
    const int others = widest + kBesideName + bar + margins.left() + margins.right();
    // nodes change with the place, the width does not
    const qsizetype node = std::min(kLongestNode, m_occurrences.longestNode() + 1);
    m_nameWidth = std::min(kMost, others + metrics.averageCharWidth() * static_cast<int>(std::min(kNode, node)));
    const int around = m_ui->place->fontMetrics().horizontalAdvance(QStringLiteral("999 in ") + m_occurrences.around());
    setMaximumWidth(std::max({minimumSizeHint().width(), others + metrics.averageCharWidth() * static_cast<int>(node),
                              around + margins.left() + margins.right()}));
    updateGeometry();
}

QSize OccurrencesPanel::minimumSizeHint() const
{
    return QWidget::minimumSizeHint().expandedTo({m_nameWidth, 0}); // the texts above and below may need more than the names
}

OccurrencesPanel::~OccurrencesPanel() = default;

QListView& OccurrencesPanel::list()
{
    return *m_ui->list;
}

void OccurrencesPanel::setPlace(const QString& place)
{
    m_ui->place->setLine(place, {});
}

void paintGroup(Document& document, const RegionGroupRef& group, int tag)
{
    if (tag >= 0)
        document.painting().paintList(group.regions().nodes, tag, group.title);
}

void addPaintActions(QMenu& menu, Document& document, const RegionGroupRef& group)
{
    addPaintActions(menu, document, {group.regions().nodes, group.title});
}

PaintAllButton::PaintAllButton(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_ui(std::make_unique<Ui::PaintAllButton>())
{
    m_ui->setupUi(this);
    m_ui->other->setMenu(new QMenu(m_ui->other));
    connect(m_ui->paint, &QToolButton::clicked, this, [this] {
        if (m_group)
            paintGroup(m_document, *m_group, m_document.activeTag());
    });
    connect(m_ui->other->menu(), &QMenu::aboutToShow, this, [this] {
        m_ui->other->menu()->clear();
        if (m_group)
            addPaintActions(*m_ui->other->menu(), m_document, *m_group);
    });
    refresh();
}

PaintAllButton::~PaintAllButton() = default;

QToolButton& PaintAllButton::button()
{
    return *m_ui->paint;
}

void PaintAllButton::setGroup(std::optional<RegionGroupRef> group)
{
    m_group = std::move(group);
    refresh();
}

void PaintAllButton::refresh()
{
    const int tag = m_document.activeTag();
    m_ui->paint->setEnabled(m_group && tag >= 0);
    m_ui->other->setEnabled(m_group.has_value());
    if (!m_group || tag < 0) {
        setTag({});
        m_ui->paint->setToolTip(tr("Add a tag first (Ctrl+T)."));
        m_ui->paint->setAccessibleName(tr("Paint all occurrences"));
        return;
    }
    setTag(tagLooksOf(m_document, currentTheme())[static_cast<std::size_t>(tag)].code);
    m_ui->paint->setToolTip(
        tr("Give all %1 of %2 the tag %3. The arrow offers the other tags.")
            .arg(countText(m_group->regions().nodes.size(), "op"), m_group->title, brief(m_document.tagName(tag))));
    m_ui->paint->setAccessibleName(tr("Paint all occurrences of %1 with %2").arg(m_group->title, m_document.tagName(tag)));
}

void PaintAllButton::setTag(const QString& code)
{
    m_code = code;
    m_ui->paint->setText(tr("Paint all"));
    m_ui->paint->setMinimumWidth(m_ui->paint->sizeHint().width());
    fitText();
}

void PaintAllButton::fitText()
{
    m_ui->paint->setText(m_code.isEmpty() ? tr("Paint all") : tr("Paint all: %1").arg(caption(m_code)));
    const int room = width() - m_ui->other->sizeHint().width() - layout()->spacing();
    if (m_ui->paint->sizeHint().width() > room)
        m_ui->paint->setText(tr("Paint all"));
}

void PaintAllButton::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitText();
}

} // namespace sunder

#include "moc_occurrences_panel.cpp"
