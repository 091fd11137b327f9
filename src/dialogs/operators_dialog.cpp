#include "dialogs/operators_dialog.h"

#include "document/text.h"
#include "models/look.h"
#include "operators/operator_library.h"
#include "support/format.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace sunder {

namespace {

constexpr int kWidth = 560;
constexpr int kLines = 5;

QPlainTextEdit* makeLines(QWidget* parent)
{
    auto* lines = new QPlainTextEdit(parent);
    lines->setReadOnly(true);
    lines->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    lines->setLineWrapMode(QPlainTextEdit::NoWrap);
    lines->setTabChangesFocus(true);
    return lines;
}

} // namespace

OperatorsDialog::OperatorsDialog(CustomOperators& operators, Document& document, Jobs& jobs, QWidget* parent)
    : QDialog(parent), m_operators(operators), m_document(document), m_jobs(jobs), m_file(new QLabel(this)),
      m_state(new QLabel(this)), m_choose(new QPushButton(tr("&Choose a file…"), this)),
      m_readAgain(new QPushButton(tr("Read &again"), this)), m_remove(new QPushButton(tr("&Remove"), this)),
      m_unknownTitle(new QLabel(this)), m_unknown(makeLines(this))
{
    setWindowTitle(tr("Custom operators"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(12);
    auto* what = new QLabel(tr("Sunder knows what PyTorch's operators do. A custom operator may do anything: write to its inputs, draw "
                               "random numbers, have effects. So less can be proven and shared of models that call it. Give the "
                               "schemas of such operators in a text file, a line each as torch.library registers them:"),
                            this);
    what->setWordWrap(true);
    what->setMinimumWidth(kWidth);
    column->addWidget(what);
    auto* example = new QLabel(QStringLiteral("my::scale(Tensor x, float factor) -> Tensor\nmy::add_(Tensor(a!) x, Tensor y) -> Tensor(a!)"), this);
    example->setTextFormat(Qt::PlainText);
    example->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    example->setTextInteractionFlags(Qt::TextSelectableByMouse);
    example->setContentsMargins(12, 0, 0, 0);
    column->addWidget(example);

    m_file->setTextFormat(Qt::PlainText);
    m_file->setWordWrap(true);
    m_state->setTextFormat(Qt::PlainText);
    m_state->setWordWrap(true);
    column->addWidget(m_file);
    column->addWidget(m_state);
    auto* row = new QHBoxLayout;
    for (QPushButton* button : {m_choose, m_readAgain, m_remove}) {
        button->setAutoDefault(false);
        row->addWidget(button);
    }
    row->addStretch(1);
    column->addLayout(row);
    m_readAgain->setToolTip(tr("Take what the file says now"));
    m_remove->setToolTip(tr("Go on without these schemas; the file stays"));

    m_unknown->setAccessibleName(tr("Operators that nobody knows"));
    m_unknown->setFixedHeight(m_unknown->fontMetrics().lineSpacing() * kLines + 16);
    column->addWidget(m_unknownTitle);
    column->addWidget(m_unknown);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_choose, &QPushButton::clicked, this, &OperatorsDialog::choose);
    connect(m_readAgain, &QPushButton::clicked, &m_operators, &CustomOperators::readAgain);
    connect(m_remove, &QPushButton::clicked, this, [this] { m_operators.take({}); });
    connect(&m_operators, &CustomOperators::changed, this, &OperatorsDialog::refresh);
    connect(&document, &Document::changed, this, [this](Changes changes) {
        if (changes & (Change::program | Change::operators))
            lookForUnknown();
    });
    refresh();
    lookForUnknown();
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
    m_file->setText(any ? tr("File: %1").arg(withShortWords(path)) : tr("No file is taken."));
    m_file->setToolTip(folded(path));
    m_state->setVisible(any);
    const bool isRead = m_operators.library() != nullptr;
    setLook(*m_state, !m_operators.fault().isEmpty() ? QStringLiteral("error") : isRead ? QStringLiteral("proven") : QStringLiteral("hint"));
    m_state->setText(!m_operators.fault().isEmpty() ? tr("Not read: %1").arg(withShortWords(m_operators.fault()))
                     : isRead ? tr("%1, for the open model and all that are opened from now on.")
                                    .arg(text(formatCount(m_operators.library()->size(), "schema")))
                              : tr("Being read …"));
    m_readAgain->setEnabled(any);
    m_remove->setEnabled(any);
    fit();
}

/// As tall as what is shown now.
void OperatorsDialog::fit()
{
    layout()->activate();
    adjustSize();
}

void OperatorsDialog::lookForUnknown()
{
    m_unknown->setVisible(false);
    m_unknownTitle->setVisible(m_document.isOpen());
    if (!m_document.isOpen())
        return;
    m_unknownTitle->setText(tr("Looking for unknown operators in the open model …"));
    m_jobs.start<QStringList>(
        {.key = QStringLiteral("unknown operators"), .title = tr("Look for unknown operators"), .quiet = true},
        [snapshot = m_document.snapshot()](ProgressMonitor&) -> Result<QStringList> { return unknownOperators(snapshot->program); },
        this, [this](Result<QStringList> names) {
            if (!names)
                return;
            m_unknownTitle->setText(names->isEmpty()
                                        ? tr("All operators that the open model calls are known.")
                                        : tr("The open model calls %1 that nobody knows:")
                                              .arg(text(formatCount(static_cast<std::uint64_t>(names->size()), "operator"))));
            m_unknown->setPlainText(names->join(QLatin1Char('\n')));
            m_unknown->setVisible(!names->isEmpty());
            fit();
        });
}

} // namespace sunder
