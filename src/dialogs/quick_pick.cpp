#include "dialogs/quick_pick.h"

#include "analysis/search/text_pattern.h"
#include "dialogs/ui_quick_pick.h"
#include "models/name_delegate.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QKeyEvent>

#include <algorithm>
#include <utility>

namespace sunder {
namespace {
constexpr std::size_t kMaxShown = 200;
constexpr int kMinRow = 22; ///< minimum row height in pixels
constexpr int kMargin = 8;  ///< between texts and icons, in pixels
} // namespace

QuickPick::QuickPick(const QString& title, std::vector<Choice> choices, QWidget* parent) : QuickPick(title, Source(), parent)
{
    for (const Choice& choice : choices)
        m_texts.push_back(choice.text.toStdString());
    m_source.texts.assign(m_texts.begin(), m_texts.end());
    m_source.choiceOf = [choices = std::move(choices)](std::size_t place) { return choices[place]; };
    filter({});
}

QuickPick::QuickPick(const QString& title, Source source, QWidget* parent)
    : QDialog(parent), m_source(std::move(source)), m_ui(std::make_unique<Ui::QuickPick>())
{
    m_ui->setupUi(this);
    setWindowTitle(title);
    m_ui->list->header()->setStretchLastSection(false);
    m_ui->list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_ui->list->setItemDelegate(new NameDelegate(m_ui->list));
    m_ui->list->header()->setSectionResizeMode(1, QHeaderView::Fixed);
    m_ui->field->installEventFilter(this);
    m_ui->list->viewport()->installEventFilter(this);
    connect(m_ui->field, &QLineEdit::textChanged, this, &QuickPick::filter);
    connect(m_ui->list, &QTreeWidget::itemClicked, this, &QuickPick::pick);
    filter({});
}

QuickPick::~QuickPick() = default;

void QuickPick::filter(const QString& typed)
{
    const std::string letters = typed.toStdString();
    std::vector<std::pair<int, std::size_t>> ranked;
    for (std::size_t i = 0; i < m_source.texts.size(); ++i)
        if (const std::optional<int> score = fuzzyMatch(letters, m_source.texts[i]))
            ranked.emplace_back(-*score, i);
    const std::size_t shown = std::min(kMaxShown, ranked.size());
    std::ranges::partial_sort(ranked, ranked.begin() + static_cast<std::ptrdiff_t>(shown));
    m_ui->list->clear();
    for (std::size_t i = 0; i < shown; ++i) {
        const Choice choice = m_source.choiceOf(ranked[i].second);
        auto* row = new QTreeWidgetItem(m_ui->list, {choice.text, choice.detail});
        row->setData(0, Qt::UserRole, choice.id);
        row->setSizeHint(0, {0, std::max(kMinRow, fontMetrics().height() + 4)}); // set before the first show, too
        row->setDisabled(!choice.possible);
        row->setIcon(0, choice.icon);
    }
    m_ui->list->setCurrentItem(m_ui->list->topLevelItem(0));
    m_ui->nothing->setVisible(ranked.empty());
    m_ui->nothing->setText(tr("No matches"));
    shareWidth();
}

void QuickPick::shareWidth()
{
    int text = 0;
    int detail = 0;
    for (int i = 0; i < m_ui->list->topLevelItemCount(); ++i) {
        const QTreeWidgetItem* row = m_ui->list->topLevelItem(i);
        const int icon = row->icon(0).isNull() ? 0 : std::max(16, m_ui->list->iconSize().width()) + kMargin;
        text = std::max(text, icon + fontMetrics().horizontalAdvance(row->text(0)) + 2 * kMargin);
        detail = std::max(detail, fontMetrics().horizontalAdvance(row->text(1)) + 2 * kMargin);
    }
    const int room = m_ui->list->viewport()->width();
    m_ui->list->header()->resizeSection(1, std::min(detail, std::max(room - text, room / 3)));
}

void QuickPick::pick()
{
    const QTreeWidgetItem* row = m_ui->list->currentItem();
    if (row == nullptr || row->isDisabled())
        return;
    const int id = row->data(0, Qt::UserRole).toInt();
    accept();
    emit picked(id);
}

bool QuickPick::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_ui->list->viewport() && event->type() == QEvent::Resize)
        shareWidth();
    if (watched != m_ui->field || event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown: QCoreApplication::sendEvent(m_ui->list, event); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: pick(); return true;
    default: return QDialog::eventFilter(watched, event);
    }
}

} // namespace sunder

#include "moc_quick_pick.cpp"
