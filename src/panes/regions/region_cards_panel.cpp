#include "panes/regions/region_cards_panel.h"

#include "document/text.h"
#include "models/row_delegate.h"
#include "models/tag_style_of.h"
#include "panes/regions/reason_model.h"
#include "panes/regions/ui_region_cards_panel.h"
#include "support/format.h"
#include "text/amounts.h"

#include <QAbstractItemView>
#include <QPainter>
#include <QStyle>
#include <QTextLayout>
#include <algorithm>
#include <ranges>

namespace sunder {

void RegionCardModel::setCards(std::vector<RegionFigures> cards)
{
    beginResetModel();
    m_cards = std::move(cards);
    endResetModel();
}

int RegionCardModel::rowOf(std::size_t group) const
{
    for (std::size_t row = 0; row < m_cards.size(); ++row)
        if (m_cards[row].group == group)
            return static_cast<int>(row);
    return -1;
}

int RegionCardModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_cards.size());
}

QString RegionCardModel::savingOf(const RegionFigures& card)
{
    return card.saved == 0 ? tr("not shared") : tr("saves %1").arg(countText(card.saved, "op"));
}

QString RegionCardModel::weightOf(const RegionFigures& card)
{
    QStringList parts;
    if (card.isShared && card.shared < card.count)
        parts << tr("%1 of %2 shared").arg(card.shared).arg(card.count);
    if (card.bytes > 0 && card.count > 0)
        parts << tr("%1 each").arg(bytesText(card.bytes / card.count));
    return parts.join(QStringLiteral(" · "));
}

QVariant RegionCardModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const RegionFigures& card = m_cards[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return text(titleOf(card));
    case DetailRole: return savingOf(card);
    case WeightRole: return weightOf(card);
    case OpsRole: return countText(card.length, "op");
    case Qt::ToolTipRole: {
        QStringList lines{
            tr("%1: %2 of %3.").arg(text(card.name), countText(card.count, "repeated region"), countText(card.length, "op"))};
        if (card.isShared)
            lines << tr("%1 became calls of one subgraph, which saves %2.")
                         .arg(text(formatCount(card.shared)), countText(card.saved, "op"));
        else if (card.saved > 0)
            lines << tr("Deduplicating them would save %1.").arg(countText(card.saved, "op"));
        if (card.bytes > 0)
            lines << tr("Weights in total: %1.").arg(bytesText(card.bytes));
        lines << tr("Right-click to select or paint all occurrences.");
        return lines.join(QLatin1Char('\n'));
    }
    case Qt::AccessibleTextRole:
        return QStringList{text(titleOf(card)), tr("%1 each").arg(countText(card.length, "op")), savingOf(card), weightOf(card)}
            .join(QStringLiteral(", "));
    default: return {};
    }
}

namespace {

/// Paints a sentence with line breaks.
class ReasonDelegate final : public RowDelegate {
public:
    explicit ReasonDelegate(QObject* parent) : RowDelegate(0, 0, parent) {}
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void paintContent(Row& row, const QModelIndex& index) const override;
};

constexpr QMargins kMargins(4, 3, 4, 3);

/// Returns the width of a line of text. The scroll bar is always subtracted, because its visibility depends on the row heights.
int textWidth(const QWidget* widget)
{
    const auto* view = qobject_cast<const QAbstractItemView*>(widget);
    const int width = view == nullptr ? 160
                                      : view->width() - view->style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, view);
    return std::max(40, width - kMargins.left() - kMargins.right());
}

/// Allows names longer than a line to break after dots and underscores.
QString breakable(const QString& text, const QFont& font, int width)
{
    constexpr QChar kBreak(0x200B); // zero-width space
    const QFontMetrics metrics(font);
    QStringList words = text.split(QLatin1Char(' '));
    for (QString& word : words)
        if (metrics.horizontalAdvance(word) > width)
            for (const QChar mark : {QLatin1Char('.'), QLatin1Char('_')})
                word.replace(mark, QString(mark) + kBreak);
    return words.join(QLatin1Char(' '));
}

/// Breaks the text into lines of this width and paints it at `at` if there is a painter. Breaks within a word only if it is
/// longer than a line. Returns the height.
int layOut(const QString& text, const QFont& font, int width, QPainter* painter, QPoint at)
{
    QTextLayout layout(breakable(text, font, width), font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    double height = 0;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        line.setPosition({0, height});
        height += line.height();
    }
    layout.endLayout();
    if (painter != nullptr)
        layout.draw(painter, at);
    return qCeil(height);
}

void ReasonDelegate::paintContent(Row& row, const QModelIndex& index) const
{
    const Theme& theme = currentTheme();
    row.painter.setPen(readable(index.data(ReasonModel::WarningRole).toBool() ? theme.warning : theme.dim, row.ground));
    layOut(index.data().toString(), row.font, textWidth(row.option.widget), &row.painter,
           row.rest.marginsRemoved(kMargins).topLeft());
}

QSize ReasonDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int width = textWidth(option.widget);
    return {width, layOut(index.data().toString(), option.font, width, nullptr, {}) + kMargins.top() + kMargins.bottom()};
}

/// Paints a group as a card: "R1 ×32", and below it the savings.
class RegionCardDelegate final : public RowDelegate {
public:
    explicit RegionCardDelegate(QObject* parent) : RowDelegate(0, 0, parent) {}
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void paintContent(Row& row, const QModelIndex& index) const override;
    [[nodiscard]] QColor groundOf(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paintGround(Row& row) const override;
};

constexpr int kPadding = 8;
constexpr int kGapBelowCard = 8; ///< between cards
constexpr double kRadius = 5;

QFont titleFont(const QStyleOptionViewItem& option)
{
    QFont font = option.font;
    font.setWeight(QFont::DemiBold);
    return font;
}

/// The frame of a card shows hover.
QColor RegionCardDelegate::groundOf(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return rowGround(currentTheme(), option.state.testFlag(QStyle::State_Selected), false);
}

void RegionCardDelegate::paintGround(Row& row) const
{
    const Theme& theme = currentTheme();
    const QStyle::State state = row.option.state;
    const bool isSelected = state.testFlag(QStyle::State_Selected);
    const QColor frame = isSelected ? theme.selection : state.testFlag(QStyle::State_MouseOver) ? theme.faint : theme.line;
    row.painter.setPen(QPen(frame, isSelected && state.testFlag(QStyle::State_HasFocus) ? 2 : 1));
    row.painter.setBrush(row.ground);
    row.painter.drawRoundedRect(QRectF(row.rest).adjusted(0.5, 0.5, -0.5, -kGapBelowCard + 0.5), kRadius, kRadius);
}

void RegionCardDelegate::paintContent(Row& row, const QModelIndex& index) const
{
    const Theme& theme = currentTheme();
    QRect line = row.rest.adjusted(kPadding, kPadding - 2, -kPadding, 0);
    const auto paintLine = [&](const QFont& font, const QString& words, const QColor& color, const QString& right = {}) {
        line.setHeight(QFontMetrics(font).height());
        row.rest = line;
        row.setFont(row.option.font);
        if (!right.isEmpty())
            row.paintRight(right, theme.dim, 8);
        row.setFont(font);
        row.paintWords(words, color);
        line.translate(0, line.height() + 2);
    };
    paintLine(titleFont(row.option), index.data().toString(), theme.text, index.data(RegionCardModel::OpsRole).toString());
    paintLine(row.option.font, index.data(RegionCardModel::DetailRole).toString(), theme.dim);
    if (const QString weight = index.data(RegionCardModel::WeightRole).toString(); !weight.isEmpty())
        paintLine(row.option.font, weight, theme.dim);
}

QSize RegionCardDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int lines = index.data(RegionCardModel::WeightRole).toString().isEmpty() ? 1 : 2;
    return {120,
            QFontMetrics(titleFont(option)).height() + 2 + lines * (option.fontMetrics.height() + 2) + 2 * kPadding - 4
                + kGapBelowCard};
}
constexpr std::size_t kMaxLines = 500; ///< a malicious file can have as many modules as nodes
} // namespace

RegionCardsPanel::RegionCardsPanel(QWidget* parent)
    : QWidget(parent), m_cardModel(new RegionCardModel(this)), m_reasonModel(new ReasonModel(this)),
      m_restModel(new ReasonModel(this)), m_ui(std::make_unique<Ui::RegionCardsPanel>())
{
    m_ui->setupUi(this);
    setAttribute(Qt::WA_StyledBackground);
    for (ElidedLabel* title : {m_ui->reasonsTitle, m_ui->restTitle}) {
        QFont bold = title->font();
        bold.setWeight(QFont::DemiBold);
        title->setFont(bold);
    }
    m_ui->reasonsTitle->setLine(tr("Why they end"), {});
    m_ui->reasonsTitle->hide();
    m_ui->cards->setModel(m_cardModel);
    m_ui->cards->setItemDelegate(new RegionCardDelegate(m_ui->cards));
    connect(m_ui->cards->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) { emit chosen(index.row()); });
    link(*m_ui->reasons, *m_reasonModel);
    link(*m_ui->rest, *m_restModel);
}

RegionCardsPanel::~RegionCardsPanel() = default;

QListView& RegionCardsPanel::cards()
{
    return *m_ui->cards;
}

QListView& RegionCardsPanel::reasons()
{
    return *m_ui->reasons;
}

QListView& RegionCardsPanel::rest()
{
    return *m_ui->rest;
}

QString RegionCardsPanel::restTitle() const
{
    return m_ui->restTitle->line();
}

void RegionCardsPanel::link(QListView& lines, ReasonModel& model)
{
    lines.setModel(&model);
    lines.setItemDelegate(new ReasonDelegate(&lines));
    const auto show = [this, &model](const QModelIndex& index) {
        if (!index.isValid())
            return;
        const ReasonModel::Reason& reason = model.reasons()[static_cast<std::size_t>(index.row())];
        if (!reason.nodes.empty())
            emit nodesChosen(reason.nodes);
    };
    connect(&lines, &QListView::clicked, this, show);
    connect(&lines, &QListView::activated, this, show);
}

/// A short list of cards is only as high as needed, so that the reasons follow directly.
void RegionCardsPanel::setCards(std::vector<RegionFigures> cards)
{
    constexpr int kAllShown = 20;
    m_cardModel->setCards(std::move(cards));
    const int count = m_cardModel->rowCount();
    int height = 4;
    for (int row = 0; row < std::min(kAllShown, count); ++row)
        height += m_ui->cards->sizeHintForRow(row);
    m_ui->cards->setMaximumHeight(count <= kAllShown ? height : QWIDGETSIZE_MAX);
}

void RegionCardsPanel::setReasons(std::vector<ReasonModel::Reason> reasons)
{
    m_ui->reasonsTitle->setVisible(!reasons.empty());
    m_reasonModel->setReasons(std::move(reasons));
}

void RegionCardsPanel::setSharing(const SharingSummary& sharing, bool isShared)
{
    const QString ops = countText(sharing.ops, "op");
    const QString calls = countText(sharing.calls, "call");
    const QString subgraphs = countText(sharing.subgraphs, "subgraph");
    m_ui->restTitle->setFigures(
        (isShared ? tr("%1 not shared") : tr("%1 in no region")).arg(text(formatCount(sharing.unshared()))),
        (isShared ? tr("Of %1, %2 became %3 of %4 with %5. Not shared:")
                  : tr("Of %1, %2 repeat: they could become %3 of %4 with %5. Not repeated:"))
            .arg(ops, text(formatCount(sharing.shared)), calls, subgraphs, countText(sharing.copies, "op")));
    m_ui->restTitle->setVisible(sharing.ops > 0);
    m_ui->rest->setVisible(sharing.ops > 0);
    std::vector<ReasonModel::Reason> lines;
    for (const UnsharedOps& place : sharing.rest | std::views::take(kMaxLines))
        lines.push_back({tr("%1 %2").arg(countText(place.nodes.size(), "op"), text(describePlace(place))),
                         place.nodes,
                         {},
                         place.why != UnsharedOps::Why::repeatNowhere});
    m_restModel->setReasons(std::move(lines));
    limitRest();
}

/// A short list of the rest is only as high as needed, so that the reasons get its space.
void RegionCardsPanel::limitRest()
{
    constexpr int kAllShown = 20;
    const int count = m_restModel->rowCount();
    int height = 2 * m_ui->rest->frameWidth();
    for (int row = 0; row < std::min(kAllShown, count); ++row)
        height += m_ui->rest->sizeHintForRow(row);
    m_ui->rest->setMaximumHeight(count <= kAllShown ? height : QWIDGETSIZE_MAX);
}

void RegionCardsPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    limitRest();
}

void RegionCardsPanel::choose(int row)
{
    m_ui->cards->setCurrentIndex(m_cardModel->index(row));
}

} // namespace sunder

#include "moc_region_cards_panel.cpp"
