#include "panels/steps_panel.h"

#include "models/step_model.h"
#include "panels/step_delegate.h"
#include "panels/ui_steps_panel.h"

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
    connect(m_model, &QAbstractItemModel::dataChanged, this, &StepsPanel::showPresent);
    showPresent();
}

StepsPanel::~StepsPanel() = default;

QListView& StepsPanel::view()
{
    return *m_ui->rows;
}

/// The row where things stand is the current one, and in sight.
void StepsPanel::showPresent()
{
    const QModelIndex present = m_model->present();
    if (!present.isValid() || m_ui->rows->currentIndex() == present)
        return;
    m_ui->rows->setCurrentIndex(present);
    m_ui->rows->scrollTo(present);
}

} // namespace sunder

#include "moc_steps_panel.cpp"
