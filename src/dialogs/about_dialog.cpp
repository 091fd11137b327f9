#include "dialogs/about_dialog.h"

#include "diagnostics/system_facts.h"
#include "dialogs/ui_about_dialog.h"

#include <QApplication>
#include <QClipboard>

namespace sunder {
namespace {

constexpr int kFactsWidth = 460;

} // namespace

AboutDialog::AboutDialog(QWidget* parent) : QDialog(parent), m_ui(std::make_unique<Ui::AboutDialog>())
{
    m_ui->setupUi(this);
    m_ui->icon->setPixmap(QApplication::windowIcon().pixmap(64));
    m_ui->title->setText(tr("Sunder %1").arg(QApplication::applicationVersion()));
    const QString text = systemFactsText();
    m_ui->facts->setText(text.trimmed());
    m_ui->facts->ensurePolished(); // needed to compute the height of wrapped lines at every scale
    m_ui->facts->setMinimumSize(kFactsWidth, m_ui->facts->heightForWidth(kFactsWidth));
    connect(m_ui->copy, &QPushButton::clicked, this, [this, text] {
        QApplication::clipboard()->setText(text);
        m_ui->copied->setText(tr("Copied."));
    });
}

AboutDialog::~AboutDialog() = default;

QLabel& AboutDialog::facts()
{
    return *m_ui->facts;
}

QPushButton& AboutDialog::copyButton()
{
    return *m_ui->copy;
}

} // namespace sunder

#include "moc_about_dialog.cpp"
