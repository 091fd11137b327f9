#include "dialogs/operators_dialog.h"

#include "dialogs/ui_operators_dialog.h"
#include "document/text.h"
#include "models/look.h"
#include "operators/operator_library.h"
#include "text/amounts.h"

#include <QDir>
#include <QFileDialog>
#include <QFontDatabase>
#include <QPushButton>

namespace sunder {
namespace {

constexpr int kLines = 5;

} // namespace

OperatorsDialog::OperatorsDialog(CustomOperators& operators, Document& document, Jobs& jobs, QWidget* parent)
    : QDialog(parent), m_operators(operators), m_document(document), m_jobs(jobs), m_ui(std::make_unique<Ui::OperatorsDialog>())
{
    m_ui->setupUi(this);
    const QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    m_ui->example->setFont(fixed);
    m_ui->unknown->setFont(fixed);
    m_ui->unknown->setFixedHeight(m_ui->unknown->fontMetrics().lineSpacing() * kLines + 16);
    m_ui->buttons->button(QDialogButtonBox::Close)->setDefault(true);
    connect(m_ui->choose, &QPushButton::clicked, this, &OperatorsDialog::choose);
    connect(m_ui->readAgain, &QPushButton::clicked, &m_operators, &CustomOperators::readAgain);
    connect(m_ui->remove, &QPushButton::clicked, this, [this] { m_operators.take({}); });
    connect(&m_operators, &CustomOperators::changed, this, &OperatorsDialog::refresh);
    connect(&document, &Document::changed, this, [this](Changes changes) {
        if (changes & (Change::program | Change::operators))
            listUnknown();
    });
    refresh();
    listUnknown();
}

OperatorsDialog::~OperatorsDialog() = default;

QLabel& OperatorsDialog::file()
{
    return *m_ui->file;
}

QLabel& OperatorsDialog::state()
{
    return *m_ui->state;
}

QPlainTextEdit& OperatorsDialog::unknown()
{
    return *m_ui->unknown;
}

QPushButton& OperatorsDialog::readAgainButton()
{
    return *m_ui->readAgain;
}

QPushButton& OperatorsDialog::removeButton()
{
    return *m_ui->remove;
}

void OperatorsDialog::choose()
{
    const QString before = m_operators.path().isEmpty() ? m_document.filePath() : m_operators.path();
    const QString path = QFileDialog::getOpenFileName(this, tr("Schemas of custom operators"), QFileInfo(before).absolutePath(),
                                                      tr("Text (*.txt *.schema *.schemas);;All files (*)"));
    if (!path.isEmpty())
        m_operators.take(path);
}

void OperatorsDialog::refresh()
{
    const bool any = !m_operators.path().isEmpty();
    const QString path = visible(QDir::toNativeSeparators(m_operators.path()));
    m_ui->file->setText(any ? tr("File: %1").arg(withShortWords(path)) : tr("No file chosen."));
    m_ui->file->setToolTip(folded(path));
    m_ui->state->setVisible(any);
    const bool isRead = m_operators.library() != nullptr;
    setLook(*m_ui->state,
            !m_operators.fault().isEmpty() ? QStringLiteral("error")
                : isRead                   ? QStringLiteral("proven")
                                           : QStringLiteral("hint"));
    m_ui->state->setText(!m_operators.fault().isEmpty() ? tr("Not read: %1").arg(withShortWords(m_operators.fault()))
                             : isRead                   ? tr("%1 in use for the open model and all models opened later.")
                                            .arg(countText(m_operators.library()->size(), "schema"))
                                      : tr("Reading…"));
    m_ui->readAgain->setEnabled(any);
    m_ui->remove->setEnabled(any);
    fit();
}

/// Fits the height to the content.
void OperatorsDialog::fit()
{
    layout()->activate();
    adjustSize();
}

void OperatorsDialog::listUnknown()
{
    m_ui->unknown->setVisible(false);
    m_ui->unknownTitle->setVisible(m_document.isOpen());
    if (!m_document.isOpen())
        return;
    m_ui->unknownTitle->setText(tr("Looking for unknown operators in the open model…"));
    m_jobs.start<QStringList>(
        {.key = QStringLiteral("unknown operators"), .title = tr("Look for unknown operators"), .quiet = true},
        [snapshot = m_document.snapshot()](ProgressMonitor&) -> Result<QStringList> {
            return unknownOperators(snapshot->program);
        },
        this,
        [this](Result<QStringList> names) {
            if (!names)
                return;
            m_ui->unknownTitle->setText(
                names->isEmpty()
                    ? tr("The open model calls no unknown operators.")
                    : tr("Unknown in the open model: %1").arg(countText(static_cast<std::uint64_t>(names->size()), "operator")));
            m_ui->unknown->setPlainText(names->join(QLatin1Char('\n')));
            m_ui->unknown->setVisible(!names->isEmpty());
            fit();
        });
}

} // namespace sunder

#include "moc_operators_dialog.cpp"
