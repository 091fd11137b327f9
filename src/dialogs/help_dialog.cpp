#include "dialogs/help_dialog.h"

#include "dialogs/ui_help_dialog.h"

#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QUrl>

namespace sunder {
namespace {

const QString kPages = QStringLiteral(":/docs");

/// Returns the Markdown of a page without its pictures, which are not among the resources.
QString textOfPage(const QString& name)
{
    static const QRegularExpression picture(QStringLiteral("!\\[[^\\]]*\\]\\([^)]*\\)\\n*"));
    QFile file(QStringLiteral("%1/%2.md").arg(kPages, name));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).remove(picture) : QString();
}

/// Returns the first heading of a page.
QString titleOf(const QString& page)
{
    return page.section(u'\n', 0, 0).remove(u'#').remove(u'`').trimmed();
}

} // namespace

HelpDialog::HelpDialog(QWidget* parent) : QDialog(parent), m_ui(std::make_unique<Ui::HelpDialog>())
{
    m_ui->setupUi(this);
    QStringList names{QStringLiteral("index"), QStringLiteral("first-cut")}; // listed first
    for (const QFileInfo& file : QDir(kPages).entryInfoList({QStringLiteral("*.md")}, QDir::Files, QDir::Name))
        if (!names.contains(file.baseName()))
            names << file.baseName();
    for (const QString& name : names) {
        auto* row = new QListWidgetItem(titleOf(textOfPage(name)), m_ui->pages);
        row->setData(Qt::UserRole, name);
        row->setToolTip(row->text());
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

/// Shows another page, or opens an external link.
void HelpDialog::follow(const QUrl& link)
{
    if (link.isRelative() && !link.path().contains(u'/')) // pages in other folders are not here
        setPage(QFileInfo(link.path()).completeBaseName());
    else if (link.scheme() == QLatin1String("https"))
        QDesktopServices::openUrl(link);
}

} // namespace sunder

#include "moc_help_dialog.cpp"
