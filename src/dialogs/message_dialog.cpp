#include "dialogs/message_dialog.h"

#include "dialogs/ui_message_dialog.h"
#include "text/shown_text.h"

#include <QCheckBox>
#include <QPushButton>
#include <QScreen>

#include <algorithm>
#include <utility>

namespace sunder {
namespace {

constexpr int kMessageWidth = 480; ///< minimum width of the texts, for a readable line length

} // namespace

MessageDialog::MessageDialog(const QString& title, const QString& headline, const QString& explanation, QWidget* parent)
    : QDialog(parent), m_ui(std::make_unique<Ui::MessageDialog>())
{
    m_ui->setupUi(this);
    setWindowTitle(title);
    QFont font = m_ui->headline->font();
    font.setBold(true);
    m_ui->headline->setFont(font);
    m_ui->choice->hide();
    setTexts(headline, explanation);
}

MessageDialog::~MessageDialog() = default;

void MessageDialog::setTexts(const QString& headline, const QString& explanation)
{
    m_ui->headline->setText(headline);
    m_ui->explanation->setText(withWholeFigures(explanation));
    m_ui->area->setVisible(!explanation.isEmpty());
    setAccessibleName(headline);
    setAccessibleDescription(explanation);
    if (isVisible())
        fit();
}

QCheckBox& MessageDialog::offerChoice(const QString& text, const QString& tip)
{
    m_ui->choice->setText(text);
    m_ui->choice->setToolTip(tip);
    m_ui->choice->show();
    return *m_ui->choice;
}

QPushButton& MessageDialog::add(const QString& verb, const QString& tip)
{
    auto* button = new QPushButton(verb);
    button->setToolTip(tip);
    button->setAutoDefault(false);
    return *button;
}

void MessageDialog::closeAndDo(const QPushButton& button, std::function<void()> work)
{
    connect(&button, &QPushButton::clicked, this, [this, work = std::move(work)] {
        accept();
        work();
    });
}

QPushButton& MessageDialog::offer(const QString& verb, std::function<void()> work, const QString& tip)
{
    const bool isFirst = std::ranges::none_of(buttons(), &QPushButton::isDefault);
    QPushButton& button = add(verb, tip);
    m_ui->buttons->addButton(&button, QDialogButtonBox::AcceptRole);
    button.setDefault(isFirst);
    closeAndDo(button, std::move(work));
    return button;
}

QPushButton& MessageDialog::offerLoss(const QString& verb, std::function<void()> work, const QString& tip)
{
    QPushButton& button = add(verb, tip);
    m_ui->buttons->addButton(&button, QDialogButtonBox::DestructiveRole);
    closeAndDo(button, std::move(work));
    return button;
}

QPushButton& MessageDialog::offerToLeave(const QString& verb, bool isFirst)
{
    QPushButton& button = add(verb, {});
    m_ui->buttons->addButton(&button, QDialogButtonBox::RejectRole);
    button.setDefault(isFirst);
    connect(&button, &QPushButton::clicked, this, &QDialog::reject);
    return button;
}

QString MessageDialog::headline() const
{
    return m_ui->headline->text();
}

QString MessageDialog::explanation() const
{
    return m_ui->explanation->text();
}

QPushButton* MessageDialog::button(const QString& verb) const
{
    for (QPushButton* button : buttons())
        if (button->text().remove(QLatin1Char('&')) == verb)
            return button;
    return nullptr;
}

QList<QPushButton*> MessageDialog::buttons() const
{
    return m_ui->buttons->findChildren<QPushButton*>();
}

void MessageDialog::fit()
{
    const int width = std::max(
        {kMessageWidth, m_ui->buttons->sizeHint().width(), m_ui->choice->isHidden() ? 0 : m_ui->choice->sizeHint().width()});
    const int most = screen()->availableGeometry().height() / 2;
    m_ui->headline->setMinimumHeight(m_ui->headline->heightForWidth(width));
    const int needed = m_ui->explanation->heightForWidth(width);
    m_ui->area->setMinimumSize(width, std::min(most, needed));
    m_ui->area->setMaximumHeight(std::max(needed, m_ui->area->minimumHeight()));
    adjustSize();
}

void MessageDialog::showEvent(QShowEvent* event)
{
    fit();
    for (QPushButton* button : buttons())
        if (button->isDefault())
            button->setFocus();
    QDialog::showEvent(event);
}

} // namespace sunder

#include "moc_message_dialog.cpp"
