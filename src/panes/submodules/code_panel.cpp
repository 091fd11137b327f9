#include "panes/submodules/code_panel.h"

#include "document/text.h"
#include "models/themed_icon.h"
#include "panes/submodules/ui_code_panel.h"
#include "support/format.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>

namespace sunder {

CodePanel::CodePanel(QWidget* parent) : QWidget(parent), m_ui(std::make_unique<Ui::CodePanel>())
{
    m_ui->setupUi(this);
    setThemedIcons(*this);
    setAttribute(Qt::WA_StyledBackground);
    m_ui->find->installEventFilter(this);
    connect(m_ui->find, &QLineEdit::textChanged, this, &CodePanel::findChanged);
    connect(m_ui->previous, &QToolButton::clicked, this, [this] { step(true); });
    connect(m_ui->next, &QToolButton::clicked, this, [this] { step(false); });
    connect(m_ui->copyCode, &QToolButton::clicked, this, &CodePanel::copy);
    connect(m_ui->code, &CodeView::findRequested, this, [this] {
        m_ui->find->setFocus();
        m_ui->find->selectAll();
    });
    findChanged();
}

CodePanel::~CodePanel() = default;

CodeView& CodePanel::view()
{
    return *m_ui->code;
}

QLineEdit& CodePanel::findField()
{
    return *m_ui->find;
}

QString CodePanel::countText() const
{
    return m_ui->count->text();
}

void CodePanel::setCode(std::shared_ptr<const CodeDocument> code)
{
    m_ui->code->setCode(std::move(code));
    m_ui->stack->setCurrentWidget(m_ui->code);
    m_ui->code->setFoundNodes(m_foundNodes);
    findChanged();
}

void CodePanel::setFoundNodes(const std::vector<NodeId>& nodes)
{
    m_foundNodes = nodes;
    m_ui->code->setFoundNodes(nodes);
    showCount();
}

void CodePanel::setWaiting(const QString& text)
{
    m_ui->waiting->setText(text);
    m_ui->stack->setCurrentWidget(m_ui->waiting);
}

void CodePanel::copy()
{
    const QTextCursor cursor = m_ui->code->textCursor();
    if (cursor.hasSelection())
        m_ui->code->copy();
    else if (m_ui->code->code())
        QGuiApplication::clipboard()->setText(m_ui->code->code()->text + QLatin1Char('\n'));
}

void CodePanel::findChanged()
{
    m_ui->code->setFound(m_ui->find->text());
    showCount();
    if (!m_ui->find->text().isEmpty() && m_ui->next->isEnabled()) { // go to the first match from the cursor
        QTextCursor cursor = m_ui->code->textCursor();
        cursor.setPosition(cursor.selectionStart());
        m_ui->code->setTextCursor(cursor);
        step(false);
    }
}

void CodePanel::showCount()
{
    const QString wanted = m_ui->find->text();
    const bool isText = !wanted.isEmpty();
    const qsizetype places = !m_ui->code->code() ? 0
        : isText                                 ? m_ui->code->code()->text.count(wanted, Qt::CaseInsensitive)
                                                 : m_ui->code->foundLines();
    m_ui->count->setText(places == 0 ? (isText ? tr("no matches") : QString())
                                     : text(formatCount(static_cast<std::uint64_t>(places), isText ? "match" : "hit")));
    m_ui->count->setToolTip(isText || places == 0
                                ? QString()
                                : tr("Lines with nodes found by the search, or with calls of parts that contain such nodes"));
    m_ui->previous->setEnabled(places > 0);
    m_ui->next->setEnabled(places > 0);
}

void CodePanel::step(bool backward)
{
    if (m_ui->find->text().isEmpty())
        m_ui->code->goToMarked(backward);
    else
        m_ui->code->findNext(backward);
}

bool CodePanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_ui->find && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            step(key->modifiers().testFlag(Qt::ShiftModifier));
            return true;
        }
        if (key->key() == Qt::Key_Escape && !m_ui->find->text().isEmpty()) {
            m_ui->find->clear();
            m_ui->code->setFocus();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace sunder

#include "moc_code_panel.cpp"
