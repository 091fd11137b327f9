#include "dialogs/keys_page.h"

#include "dialogs/message_dialog.h"
#include "dialogs/ui_keys_dialog.h"
#include "dialogs/ui_keys_page.h"
#include "models/look.h"
#include "text/shown_text.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMap>
#include <algorithm>

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

namespace {

/// Ignores Shift if it only produces the character: "?" is not Shift+?.
Qt::KeyboardModifiers countedModifiers(const QKeyEvent& event)
{
    Qt::KeyboardModifiers counted = event.modifiers()
        & (Qt::ShiftModifier | Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
    const QString text = event.text();
    if (!text.isEmpty() && text.front().isPrint() && !text.front().isLetterOrNumber() && !text.front().isSpace())
        counted &= ~Qt::ShiftModifier;
    return counted;
}

bool isModifier(int key)
{
    return key == Qt::Key_Shift || key == Qt::Key_Control || key == Qt::Key_Alt || key == Qt::Key_Meta || key == Qt::Key_AltGr
        || key == Qt::Key_CapsLock || key == Qt::Key_NumLock || key == Qt::Key_Super_L || key == Qt::Key_Super_R || key == 0
        || key == Qt::Key_unknown;
}

} // namespace

KeyField::KeyField(QWidget* parent) : QLineEdit(parent)
{
    setReadOnly(true);
}

void KeyField::forget()
{
    m_keys = {};
    clear();
}

/// Keeps the window's commands from reacting to keys pressed here, and accepts Ctrl+Tab as a shortcut.
bool KeyField::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        event->accept();
        return true;
    }
    return QLineEdit::event(event);
}

void KeyField::keyPressEvent(QKeyEvent* event)
{
    const Qt::KeyboardModifiers modifiers = countedModifiers(*event);
    const bool isPlain = (modifiers & ~Qt::ShiftModifier) == Qt::NoModifier;
    const int key = event->key();
    if (isPlain && (key == Qt::Key_Return || key == Qt::Key_Enter) && !m_keys.isEmpty()) {
        emit confirmed();
        return;
    }
    if (isModifier(key)
        || (isPlain && (key == Qt::Key_Tab || key == Qt::Key_Backtab || (key == Qt::Key_Escape && m_keys.isEmpty())))) {
        event->ignore();
        return;
    }
    if (isPlain && key == Qt::Key_Escape) {
        forget();
    } else {
        m_keys = QKeySequence(QKeyCombination(modifiers, static_cast<Qt::Key>(key)));
        setText(m_keys.toString(QKeySequence::NativeText));
    }
    emit pressed(m_keys);
}

/// No menu, since nothing can be copied or pasted.
void KeyField::contextMenuEvent(QContextMenuEvent* event)
{
    event->accept();
}

namespace {

constexpr int kCommandRole = Qt::UserRole; ///< index of the command; a group has none

QFont boldOf(const QWidget& widget)
{
    QFont bold = widget.font();
    bold.setBold(true);
    return bold;
}

} // namespace

KeysPage::KeysPage(CommandKeys& keys, QWidget* parent) : QWidget(parent), m_keys(keys), m_ui(std::make_unique<Ui::KeysPage>())
{
    m_ui->setupUi(this);
    fill();
    connect(m_ui->filter, &QLineEdit::textChanged, this, &KeysPage::showMatching);
    connect(m_ui->rows, &QTreeWidget::currentItemChanged, this, &KeysPage::showCommand);
    connect(m_ui->rows, &QTreeWidget::itemActivated, this, [this] { m_ui->field->setFocus(); });
    connect(m_ui->field, &KeyField::pressed, this, &KeysPage::showVerdict);
    connect(&m_keys, &CommandKeys::changed, this, &KeysPage::showKeys);
    connectButtons();
    showMatching({});
    showCommand();
}

KeysPage::~KeysPage() = default;

void KeysPage::fill()
{
    QMap<QString, QTreeWidgetItem*> groups;
    for (std::size_t i = 0; i < m_keys.commands().size(); ++i) {
        const CommandKeys::Command& command = m_keys.commands()[i];
        QTreeWidgetItem*& group = groups[command.group];
        if (group == nullptr) {
            group = new QTreeWidgetItem(m_ui->rows, {command.group});
            group->setFirstColumnSpanned(true);
            group->setFlags(Qt::ItemIsEnabled);
            group->setFont(0, boldOf(*this));
        }
        auto* row = new QTreeWidgetItem(group, {CommandKeys::nameOf(*command.action)});
        row->setData(0, kCommandRole, static_cast<int>(i));
        row->setToolTip(0, CommandKeys::tipOf(*command.action));
        m_rows.push_back(row);
    }
    m_ui->rows->expandAll();
    m_ui->rows->header()->setStretchLastSection(false);
    m_ui->rows->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    for (const int column : {1, 2})
        m_ui->rows->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    showKeys();
}

void KeysPage::connectButtons()
{
    const auto use = [this] {
        if (m_ui->use->isEnabled())
            changed(m_keys.setKeys(*command(), {m_ui->field->keys()}));
    };
    connect(m_ui->field, &KeyField::confirmed, this, use);
    connect(m_ui->use, &QPushButton::clicked, this, use);
    connect(m_ui->add, &QPushButton::clicked, this, [this] { changed(m_keys.addKey(*command(), m_ui->field->keys())); });
    connect(m_ui->none, &QPushButton::clicked, this, [this] { changed(m_keys.setKeys(*command(), {})); });
    connect(m_ui->reset, &QPushButton::clicked, this, [this] { changed(m_keys.reset(*command())); });
    connect(m_ui->resetAll, &QPushButton::clicked, this, &KeysPage::askToResetAll);
}

void KeysPage::showKeys()
{
    int others = 0;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const CommandKeys::Command& command = m_keys.commands()[i];
        const bool isOther = !CommandKeys::isAtFirst(command);
        const QString first = command.atFirst.isEmpty() ? tr("none") : CommandKeys::textOf(command.atFirst);
        m_rows[i]->setText(1, CommandKeys::textOf(command.action->shortcuts()));
        m_rows[i]->setFont(1, isOther ? boldOf(*this) : font());
        m_rows[i]->setText(2, isOther ? first : QString());
        others += isOther ? 1 : 0;
    }
    m_ui->resetAll->setEnabled(others != 0);
}

void KeysPage::showMatching(const QString& words)
{
    bool isAny = false;
    for (int i = 0; i < m_ui->rows->topLevelItemCount(); ++i) {
        QTreeWidgetItem* group = m_ui->rows->topLevelItem(i);
        bool isHere = false;
        for (int at = 0; at < group->childCount(); ++at) {
            QTreeWidgetItem* row = group->child(at);
            const bool matches = row->text(0).contains(words, Qt::CaseInsensitive)
                || row->text(1).contains(words, Qt::CaseInsensitive) || group->text(0).contains(words, Qt::CaseInsensitive);
            row->setHidden(!matches);
            isHere = isHere || matches;
        }
        group->setHidden(!isHere);
        isAny = isAny || isHere;
    }
    m_ui->nothing->setVisible(!isAny);
    m_ui->nothing->setText(tr("No name or shortcut contains “%1”.").arg(words));
}

QAction* KeysPage::command() const
{
    const QTreeWidgetItem* row = m_ui->rows->currentItem();
    if (row == nullptr || !row->data(0, kCommandRole).isValid())
        return nullptr;
    return m_keys.commands()[static_cast<std::size_t>(row->data(0, kCommandRole).toInt())].action;
}

void KeysPage::showCommand()
{
    const QAction* action = command();
    m_ui->field->forget();
    m_ui->field->setEnabled(action != nullptr);
    m_ui->name->setText(action == nullptr ? tr("S&hortcut") : tr("S&hortcut of “%1”").arg(caption(CommandKeys::nameOf(*action))));
    showVerdict();
}

void KeysPage::showVerdict()
{
    using Kind = KeyVerdict::Kind;
    const QAction* action = command();
    const bool isPressed = action != nullptr && !m_ui->field->keys().isEmpty();
    const KeyVerdict verdict = isPressed ? m_keys.verdict(*action, m_ui->field->keys()) : KeyVerdict{Kind::own, {}};
    const bool isPossible = verdict.kind != Kind::own && verdict.kind != Kind::refused;
    const auto isThis = [action](const CommandKeys::Command& one) { return one.action == action; };
    const auto& all = m_keys.commands();
    m_ui->use->setEnabled(isPossible);
    m_ui->add->setEnabled(isPossible && !action->shortcuts().isEmpty());
    m_ui->none->setEnabled(action != nullptr && !action->shortcuts().isEmpty());
    m_ui->reset->setEnabled(action != nullptr && !CommandKeys::isAtFirst(*std::ranges::find_if(all, isThis)));
    const bool warns = verdict.kind == Kind::taken || verdict.kind == Kind::gesture || verdict.kind == Kind::refused;
    setLook(*m_ui->note, warns ? QStringLiteral("warning") : QStringLiteral("hint"));
    m_ui->note->setText(isPressed               ? verdict.words
                            : action == nullptr ? tr("Choose a command above.")
                                                : tr("Press the new shortcut in the field."));
}

void KeysPage::changed(const QString& words)
{
    m_ui->field->forget();
    showVerdict();
    m_ui->note->setText(words);
}

void KeysPage::askToResetAll()
{
    const auto others = std::ranges::count_if(m_keys.commands(), [](const auto& one) { return !CommandKeys::isAtFirst(one); });
    auto* box = new MessageDialog(tr("Reset all shortcuts"), tr("Reset all commands to their default shortcuts?"),
                                  tr("%n commands have other shortcuts now.", nullptr, static_cast<int>(others)), this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->offer(tr("&Reset all"), [this] {
        m_keys.resetAll();
        changed(tr("All commands have their default shortcuts."));
    });
    box->offerToLeave(tr("Cancel"));
    box->open();
}

} // namespace sunder

#include "moc_keys_page.cpp"
