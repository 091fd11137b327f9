#include "dialogs/program_dialog.h"

#include "dialogs/ui_program_dialog.h"
#include "document/text.h"
#include "text/amounts.h"

#include <QHeaderView>

namespace sunder {

ProgramDialog::ProgramDialog(const QString& file, const std::vector<Pt2ProgramEntry>& programs, const QString& chosen,
                             QWidget* parent)
    : QDialog(parent), m_ui(std::make_unique<Ui::ProgramDialog>())
{
    m_ui->setupUi(this);
    m_ui->what->setText(tr("%1 contains %2. Choose the one to open; your choice is remembered for this file.")
                            .arg(brief(visible(file)), countText(programs.size(), "program")));
    QTreeWidget& list = *m_ui->programs;
    list.header()->setSectionResizeMode(0, QHeaderView::Stretch);
    for (const Pt2ProgramEntry& entry : programs) {
        const QString name = exact(entry.name);
        const QString weights = entry.weightBytes ? bytesText(*entry.weightBytes) : tr("unknown");
        auto* item = new QTreeWidgetItem(&list, {text(entry.name), bytesText(entry.graphBytes), weights});
        item->setData(0, Qt::UserRole, name);
        item->setToolTip(0, folded(text(entry.name)));
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        item->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
        const bool usual = list.currentItem() == nullptr || (name == QLatin1String("model") && program() != chosen);
        if (name == chosen || usual)
            list.setCurrentItem(item);
    }
    connect(&list, &QTreeWidget::itemActivated, this, &QDialog::accept);
    list.setFocus();
}

ProgramDialog::~ProgramDialog() = default;

QString ProgramDialog::program() const
{
    const QTreeWidgetItem* item = m_ui->programs->currentItem();
    return item == nullptr ? QString() : item->data(0, Qt::UserRole).toString();
}

QTreeWidget& ProgramDialog::list()
{
    return *m_ui->programs;
}

} // namespace sunder

#include "moc_program_dialog.cpp"
