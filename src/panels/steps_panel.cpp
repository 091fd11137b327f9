#include "panels/steps_panel.h"

#include "models/step_model.h"
#include "models/tag_style_of.h"
#include "models/themed_icon.h"
#include "panels/ui_steps_panel.h"
#include "text/elided_name.h"

#include <QMenu>
#include <QPainter>
#include <QStyledItemDelegate>

namespace sunder {
namespace {

/// Paints a row of the undo history: a mark at the present step, the name (pale if undone), and the saved state.
class StepDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

constexpr int kStepRow = 22;
constexpr int kStepLeft = 32;

void StepDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = currentTheme();
    const bool isPresent = index.data(StepModel::PresentRole).toBool();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->fillRect(
        option.rect,
        rowGround(theme, option.state.testFlag(QStyle::State_Selected), option.state.testFlag(QStyle::State_MouseOver)));
    if (isPresent)
        paintIcon(*painter, QStringLiteral("next"), QRectF(option.rect.left() + 12, option.rect.center().y() - 5.5, 12, 12),
                  theme.selection);
    QRect text = option.rect.adjusted(kStepLeft, 0, -12, 0);
    painter->setFont(option.font);
    if (index.data(StepModel::SavedRole).toBool()) {
        const QString saved = index.row() == 0 ? tr("as opened") : tr("saved");
        painter->setPen(theme.dim);
        painter->drawText(text, Qt::AlignRight | Qt::AlignVCenter, saved);
        text.setRight(text.right() - option.fontMetrics.horizontalAdvance(saved) - 12);
    }
    QFont font = option.font;
    font.setBold(isPresent);
    painter->setFont(font);
    painter->setPen(index.data(StepModel::UndoneRole).toBool() ? theme.dim : theme.text);
    if (index.data(StepModel::UndoneRole).toBool()) {
        font.setItalic(true);
        painter->setFont(font);
    }
    painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                      elidedWords(index.data().toString(), QFontMetricsF(painter->font()), text.width()));
    painter->restore();
}

QSize StepDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {200, std::max(kStepRow, option.fontMetrics.height() + 4)};
}

} // namespace

StepsPanel::StepsPanel(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_model(new StepModel(document, this)), m_ui(std::make_unique<Ui::StepsPanel>())
{
    m_ui->setupUi(this);
    setAttribute(Qt::WA_StyledBackground);
    m_ui->rows->setModel(m_model);
    m_ui->rows->setItemDelegate(new StepDelegate(m_ui->rows));
    const auto go = [this](const QModelIndex& row) { m_document.goToStep(row.row()); };
    connect(m_ui->rows, &QListView::clicked, this, go);
    connect(m_ui->rows, &QListView::activated, this, go);
    connect(m_ui->rows, &QListView::customContextMenuRequested, this, &StepsPanel::showMenu);
    connect(m_model, &QAbstractItemModel::dataChanged, this, &StepsPanel::showPresent);
    showPresent();
}

StepsPanel::~StepsPanel() = default;

QListView& StepsPanel::view()
{
    return *m_ui->rows;
}

/// Makes the present step current and scrolls to it.
void StepsPanel::showPresent()
{
    const QModelIndex present = m_model->present();
    if (!present.isValid() || m_ui->rows->currentIndex() == present)
        return;
    m_ui->rows->setCurrentIndex(present);
    m_ui->rows->scrollTo(present);
}

void StepsPanel::showMenu(const QPoint& at)
{
    QModelIndex index = m_ui->rows->indexAt(at);
    if (!index.isValid())
        index = m_ui->rows->currentIndex(); // the menu key has no position
    if (!index.isValid())
        return;
    const int step = index.row();
    const bool hasCommand = step > 0 && m_hasCommand && m_hasCommand(step);
    QMenu menu(this);
    menu.addAction(tr("Go to this step\tEnter"), [this, step] { m_document.goToStep(step); });
    QAction* copy = menu.addAction(hasCommand ? tr("Copy as sunder-cli command") : tr("No sunder-cli command for this step"),
                                   [this, step] { emit commandWanted(step); });
    copy->setEnabled(hasCommand);
    const QPoint place = m_ui->rows->indexAt(at).isValid() ? at : m_ui->rows->visualRect(index).center();
    menu.exec(m_ui->rows->viewport()->mapToGlobal(place));
}

} // namespace sunder

#include "moc_steps_panel.cpp"
#include "steps_panel.moc"
