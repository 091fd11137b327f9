#include "dialogs/stages_dialog.h"

#include "models/look.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>

#include <algorithm>

namespace sunder {

StagesDialog::StagesDialog(int ops, QWidget* parent)
    : QDialog(parent), m_count(new QSpinBox(this)), m_bytes(new QRadioButton(tr("by &bytes of weights and values"), this))
{
    setWindowTitle(tr("Tag in equal stages"));
    auto* form = new QFormLayout(this);
    form->setContentsMargins(20, 16, 20, 16);
    form->setSpacing(8);
    auto* what = new QLabel(tr("Cuts the model in execution order into consecutive stages of about equal size. "
                               "Such a cut is always legal. It replaces the tags that are there; undo brings them back."),
                            this);
    what->setWordWrap(true);
    setLook(*what, QStringLiteral("hint"));
    what->setMinimumWidth(380);
    form->addRow(what);
    m_count->setRange(1, std::max(1, ops));
    m_count->setValue(std::min(2, std::max(1, ops)));
    m_count->setAccessibleName(tr("Number of stages"));
    m_count->setToolTip(tr("How many parts"));
    form->addRow(tr("&Stages"), m_count);
    auto* nodes = new QRadioButton(tr("by &number of ops"), this);
    m_bytes->setChecked(true);
    form->addRow(tr("Equal"), m_bytes);
    form->addRow(QString(), nodes);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("Tag"));
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    m_count->selectAll();
    m_count->setFocus();
}

int StagesDialog::count() const
{
    return m_count->value();
}

bool StagesDialog::byBytes() const
{
    return m_bytes->isChecked();
}

} // namespace sunder
