#include "panels/steps_panel.h"

#include "models/step_model.h"
#include "panels/step_delegate.h"
#include "panels/ui_steps_panel.h"

#include <QMenu>

namespace sunder {

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
