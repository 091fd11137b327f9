#include "dialogs/help_dialog.h"

#include "dialogs/ui_help_dialog.h"

#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QUrl>

namespace sunder {
namespace {

const QString kPages = QStringLiteral(":/docs");

QString textOfPage(const QString& name)
{
    QFile file(QStringLiteral("%1/%2.md").arg(kPages, name));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Its first heading.
QString titleOf(const QString& page)
{
    return page.section(u'\n', 0, 0).remove(u'#').remove(u'`').trimmed();
}

} // namespace

HelpDialog::HelpDialog(QWidget* parent) : QDialog(parent), m_ui(std::make_unique<Ui::HelpDialog>())
{
    m_ui->setupUi(this);
    for (const QFileInfo& file : QDir(kPages).entryInfoList({QStringLiteral("*.md")}, QDir::Files, QDir::Name)) {
        auto* row = new QListWidgetItem(titleOf(textOfPage(file.baseName())));
        row->setData(Qt::UserRole, file.baseName());
        row->setToolTip(row->text());
        const bool isFirst = file.baseName() == QLatin1String("first-steps"); // before what is looked up
        m_ui->pages->insertItem(isFirst ? 0 : m_ui->pages->count(), row);
    }
    connect(m_ui->pages, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* row) {
        if (row != nullptr)
            m_ui->page->setMarkdown(textOfPage(row->data(Qt::UserRole).toString()));
    });
    connect(m_ui->page, &QTextBrowser::anchorClicked, this, &HelpDialog::follow);
}

HelpDialog::~HelpDialog() = default;

void HelpDialog::show(const QString& page, QWidget& window)
{
    auto* help = window.findChild<HelpDialog*>();
    if (help == nullptr) {
        help = new HelpDialog(&window);
        help->setAttribute(Qt::WA_DeleteOnClose);
    }
    help->setPage(page);
    help->setVisible(true);
    help->raise();
    help->activateWindow();
}

void HelpDialog::setPage(const QString& name)
{
    for (int row = 0; row < m_ui->pages->count(); ++row)
        if (m_ui->pages->item(row)->data(Qt::UserRole) == name)
            m_ui->pages->setCurrentRow(row);
}

QListWidget& HelpDialog::pages()
{
    return *m_ui->pages;
}

QTextBrowser& HelpDialog::page()
{
    return *m_ui->page;
}

/// Another page, or what the desktop opens.
void HelpDialog::follow(const QUrl& link)
{
    if (link.isRelative())
        setPage(QFileInfo(link.path()).completeBaseName());
    else if (link.scheme() == QLatin1String("https"))
        QDesktopServices::openUrl(link);
}

} // namespace sunder

#include "moc_help_dialog.cpp"
