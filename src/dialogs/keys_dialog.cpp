#include "dialogs/keys_dialog.h"

#include "dialogs/ui_keys_dialog.h"

#include <QHeaderView>

namespace sunder {

KeysDialog::KeysDialog(const std::vector<KeyGroup>& groups, QWidget* parent)
    : QDialog(parent), m_ui(std::make_unique<Ui::KeysDialog>())
{
    m_ui->setupUi(this);
    for (const KeyGroup& group : groups) {
        auto* head = new QTreeWidgetItem(m_ui->rows, {group.title});
        head->setFirstColumnSpanned(true);
        head->setFlags(Qt::ItemIsEnabled);
        QFont bold = font();
        bold.setBold(true);
        head->setFont(0, bold);
        for (const KeyGroup::Row& row : group.rows) {
            auto* item = new QTreeWidgetItem(head, {row.keys, row.does});
            item->setToolTip(1, row.does);
        }
    }
    m_ui->rows->expandAll();
    m_ui->rows->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    connect(m_ui->filter, &QLineEdit::textChanged, this, &KeysDialog::showMatching);
    showMatching({});
}

KeysDialog::~KeysDialog() = default;

QLineEdit& KeysDialog::filter()
{
    return *m_ui->filter;
}

QTreeWidget& KeysDialog::rows()
{
    return *m_ui->rows;
}

void KeysDialog::showMatching(const QString& words)
{
    int shown = 0;
    for (int i = 0; i < m_ui->rows->topLevelItemCount(); ++i) {
        QTreeWidgetItem* head = m_ui->rows->topLevelItem(i);
        int inGroup = 0;
        for (int row = 0; row < head->childCount(); ++row) {
            QTreeWidgetItem* item = head->child(row);
            const bool matches = item->text(0).contains(words, Qt::CaseInsensitive)
                || item->text(1).contains(words, Qt::CaseInsensitive);
            item->setHidden(!matches);
            inGroup += matches ? 1 : 0;
        }
        head->setHidden(inGroup == 0);
        shown += inGroup;
    }
    m_ui->count->setText(shown == 0 ? tr("No shortcut or command contains “%1”.").arg(words)
                                    : tr("%n commands and gestures", nullptr, shown));
}

} // namespace sunder

#include "moc_keys_dialog.cpp"
