#include "dialogs/program_dialog.h"

#include "document/text.h"
#include "support/format.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace sunder {

ProgramDialog::ProgramDialog(const QString& file, const std::vector<Pt2ProgramEntry>& programs, const QString& chosen,
                             QWidget* parent)
    : QDialog(parent), m_list(new QTreeWidget(this))
{
    setWindowTitle(tr("Which program?"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(12);
    auto* what = new QLabel(tr("%1 holds %2. Choose the one to open; the choice is kept for this file.")
                                .arg(brief(visible(file)), text(formatCount(programs.size(), "program"))),
                            this);
    what->setWordWrap(true);
    what->setMinimumWidth(420);
    column->addWidget(what);

    m_list->setHeaderLabels({tr("Program"), tr("Graph"), tr("Weights")});
    m_list->headerItem()->setToolTip(1, tr("Size of the description of the graph in the file"));
    m_list->headerItem()->setToolTip(2, tr("Parameters, buffers and constants, each once"));
    for (const int figures : {1, 2})
        m_list->headerItem()->setTextAlignment(figures, Qt::AlignRight | Qt::AlignVCenter);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAccessibleName(tr("Programs in the file"));
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    for (const Pt2ProgramEntry& entry : programs) {
        const QString name = exact(entry.name);
        const QString weights = entry.weightBytes ? text(formatBytes(*entry.weightBytes)) : tr("not known");
        auto* item = new QTreeWidgetItem(m_list, {text(entry.name), text(formatBytes(entry.graphBytes)), weights});
        item->setData(0, Qt::UserRole, name);
        item->setToolTip(0, folded(text(entry.name)));
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        item->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
        const bool usual = m_list->currentItem() == nullptr || (name == QLatin1String("model") && program() != chosen);
        if (name == chosen || usual)
            m_list->setCurrentItem(item);
    }
    column->addWidget(m_list);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel, this);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_list, &QTreeWidget::itemActivated, this, &QDialog::accept);
    m_list->setFocus();
}

QString ProgramDialog::program() const
{
    return m_list->currentItem() == nullptr ? QString() : m_list->currentItem()->data(0, Qt::UserRole).toString();
}

} // namespace sunder
