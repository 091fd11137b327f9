#include "dialogs/stages_dialog.h"

#include "dialogs/ui_stages_dialog.h"

#include <QPushButton>

#include <algorithm>

namespace sunder {

StagesDialog::StagesDialog(int ops, QWidget* parent) : QDialog(parent), m_ui(std::make_unique<Ui::StagesDialog>())
{
    m_ui->setupUi(this);
    m_ui->count->setMaximum(std::max(1, ops));
    m_ui->buttons->button(QDialogButtonBox::Ok)->setText(tr("Tag"));
    m_ui->count->selectAll();
    m_ui->count->setFocus();
}

StagesDialog::~StagesDialog() = default;

int StagesDialog::count() const
{
    return m_ui->count->value();
}

bool StagesDialog::byBytes() const
{
    return m_ui->byBytes->isChecked();
}

} // namespace sunder
