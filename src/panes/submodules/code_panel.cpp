#include "panes/submodules/code_panel.h"

#include "models/look.h"
#include "models/themed_icon.h"
#include "document/text.h"
#include "support/format.h"

#include <QGuiApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>

namespace sunder {

namespace {

QToolButton* smallButton(const QString& icon, const QString& tip, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setIcon(themedIcon(icon));
    button->setIconSize({14, 14});
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    return button;
}

} // namespace

CodePanel::CodePanel(QWidget* parent)
    : QWidget(parent), m_view(new CodeView(this)), m_waiting(new QLabel(tr("Printing the code …"), this)),
      m_stack(new QStackedLayout), m_find(new QLineEdit(this)), m_count(new QLabel(this))
{
    setObjectName(QStringLiteral("panel"));
    setAttribute(Qt::WA_StyledBackground);
    m_find->setPlaceholderText(tr("Find in the code"));
    m_find->setToolTip(tr("Find in the code (Ctrl+F); Enter goes to the next place, Shift+Enter to the one before"));
    m_find->setAccessibleName(tr("Find in the code"));
    m_find->setClearButtonEnabled(true);
    m_find->setMinimumWidth(80);
    m_find->installEventFilter(this);
    setLook(*m_count, QStringLiteral("hint"));
    m_previous = smallButton(QStringLiteral("up"), tr("The place, or hit of the search, before (Shift+Enter; Shift+G in the code)"), this);
    m_next = smallButton(QStringLiteral("down"), tr("The next place, or hit of the search (Enter; G in the code)"), this);
    auto* copy = new QToolButton(this);
    copy->setText(tr("Copy"));
    copy->setToolTip(tr("Copy what is selected, else all of the code (Ctrl+C)"));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 4, 4, 4);
    row->setSpacing(4);
    row->addWidget(m_find, 1);
    row->addWidget(m_count);
    row->addWidget(m_previous);
    row->addWidget(m_next);
    row->addWidget(copy);
    setLook(*m_waiting, QStringLiteral("hint"));
    m_waiting->setAlignment(Qt::AlignCenter);
    m_waiting->setWordWrap(true);
    m_stack->addWidget(m_waiting);
    m_stack->addWidget(m_view);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addLayout(m_stack, 1);
    connect(m_find, &QLineEdit::textChanged, this, &CodePanel::findChanged);
    connect(m_previous, &QToolButton::clicked, this, [this] { step(true); });
    connect(m_next, &QToolButton::clicked, this, [this] { step(false); });
    connect(copy, &QToolButton::clicked, this, &CodePanel::copy);
    connect(m_view, &CodeView::findRequested, this, [this] {
        m_find->setFocus();
        m_find->selectAll();
    });
    findChanged();
}

QString CodePanel::countText() const
{
    return m_count->text();
}

void CodePanel::setCode(std::shared_ptr<const CodeDocument> code)
{
    m_view->setCode(std::move(code));
    m_stack->setCurrentWidget(m_view);
    m_view->setFoundNodes(m_foundNodes);
    findChanged();
}

void CodePanel::setFoundNodes(const std::vector<NodeId>& nodes)
{
    m_foundNodes = nodes;
    m_view->setFoundNodes(nodes);
    showCount();
}

void CodePanel::setWaiting(const QString& text)
{
    m_waiting->setText(text);
    m_stack->setCurrentWidget(m_waiting);
}

void CodePanel::copy()
{
    const QTextCursor cursor = m_view->textCursor();
    if (cursor.hasSelection())
        m_view->copy();
    else if (m_view->code())
        QGuiApplication::clipboard()->setText(m_view->code()->text + QLatin1Char('\n'));
}

void CodePanel::findChanged()
{
    m_view->setFound(m_find->text());
    showCount();
    if (!m_find->text().isEmpty() && m_next->isEnabled()) { // the first one from where one is
        QTextCursor cursor = m_view->textCursor();
        cursor.setPosition(cursor.selectionStart());
        m_view->setTextCursor(cursor);
        step(false);
    }
}

void CodePanel::showCount()
{
    const QString wanted = m_find->text();
    const bool isText = !wanted.isEmpty();
    const qsizetype places = !m_view->code() ? 0
        : isText                             ? m_view->code()->text.count(wanted, Qt::CaseInsensitive)
                                             : m_view->foundLines();
    m_count->setText(places == 0 ? (isText ? tr("not found") : QString())
                                 : text(formatCount(static_cast<std::uint64_t>(places), isText ? "place" : "hit")));
    m_count->setToolTip(isText || places == 0 ? QString()
                                              : tr("Lines of nodes that the search has found, or of calls of parts that hold such nodes"));
    m_previous->setEnabled(places > 0);
    m_next->setEnabled(places > 0);
}

void CodePanel::step(bool backward)
{
    if (m_find->text().isEmpty())
        m_view->goToMarked(backward);
    else
        m_view->findNext(backward);
}

bool CodePanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_find && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            step(key->modifiers().testFlag(Qt::ShiftModifier));
            return true;
        }
        if (key->key() == Qt::Key_Escape && !m_find->text().isEmpty()) {
            m_find->clear();
            m_view->setFocus();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace sunder
