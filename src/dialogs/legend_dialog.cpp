#include "dialogs/legend_dialog.h"

#include "canvas/picture_legend.h"
#include "dialogs/ui_legend_dialog.h"
#include "models/tag_style_of.h"

#include <QEvent>
#include <QHeaderView>

namespace sunder {

LegendDialog::LegendDialog(QWidget* parent) : QDialog(parent), m_ui(std::make_unique<Ui::LegendDialog>())
{
    m_ui->setupUi(this);
    m_ui->rows->setIconSize(kLegendSample);
    m_ui->rows->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    QTreeWidgetItem* head = nullptr;
    for (const LegendEntry& entry : pictureLegend()) {
        if (head == nullptr || head->text(0) != entry.group) {
            head = new QTreeWidgetItem(m_ui->rows, {entry.group});
            head->setFirstColumnSpanned(true);
            head->setFlags(Qt::ItemIsEnabled);
            QFont bold = font();
            bold.setBold(true);
            head->setFont(0, bold);
        }
        auto* row = new QTreeWidgetItem(head, {QString(), entry.means});
        row->setData(0, Qt::AccessibleTextRole, entry.means);
        row->setToolTip(1, entry.means);
    }
    m_ui->rows->expandAll();
    paintSamples();
}

LegendDialog::~LegendDialog() = default;

QTreeWidget& LegendDialog::rows()
{
    return *m_ui->rows;
}

void LegendDialog::paintSamples()
{
    const std::vector<LegendEntry> entries = pictureLegend();
    auto entry = entries.begin();
    for (int i = 0; i < m_ui->rows->topLevelItemCount(); ++i)
        for (int row = 0; row < m_ui->rows->topLevelItem(i)->childCount(); ++row, ++entry)
            m_ui->rows->topLevelItem(i)->child(row)->setIcon(0, legendSample(*entry, currentTheme(), devicePixelRatioF()));
}

void LegendDialog::changeEvent(QEvent* event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        paintSamples();
}

} // namespace sunder

#include "moc_legend_dialog.cpp"
