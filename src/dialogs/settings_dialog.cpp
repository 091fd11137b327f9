#include "dialogs/settings_dialog.h"

#include "dialogs/keys_page.h"
#include "dialogs/ui_settings_dialog.h"

namespace sunder {

// In the form, the items of each list are in the order of their enumeration, and the default comes first.

SettingsDialog::SettingsDialog(const WindowWishes& now, CommandKeys& keys, QWidget* parent)
    : QDialog(parent), m_ui(std::make_unique<Ui::SettingsDialog>())
{
    m_ui->setupUi(this);
    m_ui->tabs->addTab(new KeysPage(keys, m_ui->tabs), tr("Shor&tcuts"));
    showWishes(now);
    for (QComboBox* choice : {m_ui->look, m_ui->motion, m_ui->wheel, m_ui->columns, m_ui->direction, m_ui->start})
        connect(choice, &QComboBox::activated, this, [this] { emit wished(chosen()); });
    connect(m_ui->python, &QLineEdit::editingFinished, this, [this] { emit wished(chosen()); });
}

SettingsDialog::~SettingsDialog() = default;

void SettingsDialog::showWishes(const WindowWishes& now)
{
    m_ui->look->setCurrentIndex(static_cast<int>(now.look));
    m_ui->motion->setCurrentIndex(static_cast<int>(now.motion));
    m_ui->wheel->setCurrentIndex(now.wheelMoves ? 1 : 0);
    m_ui->columns->setCurrentIndex(now.oneColumn ? 1 : 0);
    m_ui->direction->setCurrentIndex(now.toTheRight ? 1 : 0);
    m_ui->start->setCurrentIndex(now.reopens ? 0 : 1);
    m_ui->python->setText(now.torchPython);
}

WindowWishes SettingsDialog::chosen() const
{
    return {.look = static_cast<LookWish>(m_ui->look->currentIndex()),
            .motion = static_cast<Motion::Wish>(m_ui->motion->currentIndex()),
            .wheelMoves = m_ui->wheel->currentIndex() == 1,
            .oneColumn = m_ui->columns->currentIndex() == 1,
            .toTheRight = m_ui->direction->currentIndex() == 1,
            .reopens = m_ui->start->currentIndex() == 0,
            .torchPython = m_ui->python->text().trimmed()};
}

} // namespace sunder

#include "moc_settings_dialog.cpp"
