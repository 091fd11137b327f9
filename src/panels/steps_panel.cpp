#include "panels/steps_panel.h"

#include "models/row_delegate.h"
#include "models/step_model.h"
#include "models/tag_style_of.h"
#include "models/themed_icon.h"
#include "panels/ui_steps_panel.h"

#include <QMenu>

namespace sunder {
namespace {

/// Paints a row of the undo history: a mark at the present step, the name (pale if undone), and the saved state.
class StepDelegate final : public RowDelegate {
    Q_OBJECT

public:
    explicit StepDelegate(QObject* parent) : RowDelegate(22, 4, parent) {}

protected:
    void paintContent(Row& row, const QModelIndex& index) const override;
};

constexpr int kStepLeft = 32;

void StepDelegate::paintContent(Row& row, const QModelIndex& index) const
{
    const Theme& theme = currentTheme();
    const bool isPresent = index.data(StepModel::PresentRole).toBool();
    const bool isUndone = index.data(StepModel::UndoneRole).toBool();
    if (isPresent)
        paintIcon(row.painter, QStringLiteral("next"), QRectF(row.rest.left() + 12, row.rest.center().y() - 5.5, 12, 12),
                  theme.selection);
    row.rest.adjust(kStepLeft, 0, -12, 0);
    if (index.data(StepModel::SavedRole).toBool())
        row.paintRight(index.row() == 0 ? tr("as opened") : tr("saved"), theme.dim, 12);
    QFont font = row.font;
    font.setBold(isPresent);
    font.setItalic(isUndone);
    row.setFont(font);
    row.paintWords(index.data().toString(), isUndone ? theme.dim : theme.text);
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
