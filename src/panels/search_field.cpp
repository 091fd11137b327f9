#include "panels/search_field.h"

#include "document/text.h"
#include "models/cost_menu.h"
#include "models/look.h"
#include "models/row_delegate.h"
#include "models/search_model.h"
#include "models/tag_style_of.h"
#include "models/themed_icon.h"
#include "panels/search_offers.h"
#include "panels/ui_search_popup.h"
#include "support/format.h"
#include "text/amounts.h"

#include <QAction>
#include <QFrame>
#include <QKeyEvent>
#include <QLayout>
#include <QMenu>
#include <QPainter>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace sunder {
namespace {

constexpr std::size_t kSearchedAtOnce = 30'000; ///< nodes; above this, a job searches
const QString kSearchKey = QStringLiteral("search");
constexpr int kIconWidth = 38;
constexpr int kMinWidth = 140;
constexpr int kSearchingWidth = 220; ///< of a compact field, while searching
constexpr int kMaxWidth = 240;
constexpr int kPopupWidth = 420;
constexpr int kPopupRows = 12;
constexpr int kRow = 22;

int rowHeight(const QFontMetrics& metrics)
{
    return std::max(kRow, metrics.height() + 4);
}

/// Paints the name, kind, and place of a hit, and the color of its tag.
class HitDelegate final : public RowDelegate {
public:
    HitDelegate(const Document& document, QObject* parent) : RowDelegate(kRow, 4, parent), m_document(document) {}

protected:
    void paintContent(Row& row, const QModelIndex& index) const override
    {
        const Theme& theme = currentTheme();
        row.rest.adjust(8, 0, -8, 0);
        const int tag = index.data(SearchModel::TagRole).toInt();
        if (tag >= 0)
            row.painter.fillRect(QRect(row.rest.left(), row.rest.center().y() - 5, 4, 11),
                                 tagLooksOf(m_document, theme)[static_cast<std::size_t>(tag)].style.color);
        row.rest.setLeft(row.rest.left() + 12);
        if (const QString cost = index.data(SearchModel::CostRole).toString(); !cost.isEmpty())
            row.paintRight(cost, theme.text, 12);
        row.paintLeft(row.name(index, Qt::DisplayRole, row.rest.width() / 2.0), theme.text, 12);
        row.paintRight(row.name(index, SearchModel::DetailRole, row.rest.width()), theme.dim);
    }

private:
    const Document& m_document;
};

} // namespace

SearchField::SearchField(Document& document, Jobs& jobs, QWidget* parent)
    : QLineEdit(parent), m_document(document), m_jobs(jobs), m_model(new SearchModel(document, this)),
      m_popup(new QFrame(window())), m_ui(std::make_unique<Ui::SearchPopup>())
{
    setToolTip(tr("Find nodes by name, or with op:mul, class:Linear, module:layers.3, tag:none, shape:[1, *, 16], dtype:f16,\n"
                  "bytes>1MB; a|b: either, -tag:none: not, *: anything, /a.+b/: a regular expression (Ctrl+F)\n"
                  "Tab: complete, ↑ ↓: preview, Enter: jump, Ctrl+Enter: select all, Alt+Enter: paint all with the active tag,\n"
                  "Alt+Down: choose another tag, Alt+Up: sort by costs"));
    setAccessibleName(tr("Search nodes"));
    setObjectName(QStringLiteral("search"));
    setClearButtonEnabled(true);
    addAction(themedIcon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    takeRoom();

    m_ui->setupUi(m_popup);
    setThemedIcons(*m_popup);
    m_popup->hide();
    m_ui->list->setModel(m_model);
    m_ui->query->setTextFormat(Qt::PlainText);
    connect(m_ui->offers, &SearchOffers::chosen, this, [this](const QString& query) {
        setText(query);
        setFocus();
    });
    m_ui->paint->setMenu(new QMenu(m_ui->paint));
    connect(m_ui->paint->menu(), &QMenu::aboutToShow, this, [this] {
        m_ui->paint->menu()->clear();
        const auto add = [this](const QString& title, int tag) {
            m_ui->paint->menu()->addAction(title, this, [this, tag] { accept({Wish::Kind::paintAll, tag}); });
        };
        for (int tag = 0; tag < m_document.tagCount(); ++tag)
            add(tr("Paint all with %1").arg(caption(m_document.tagName(tag))), tag);
        m_ui->paint->menu()->addSeparator();
        add(tr("Erase their tags"), TagAssignment::kUntagged);
    });
    m_ui->order->setMenu(new QMenu(m_ui->order));
    m_ui->order->menu()->setToolTipsVisible(true);
    connect(m_ui->order->menu(), &QMenu::aboutToShow, this, [this] {
        QMenu& menu = *m_ui->order->menu();
        menu.clear();
        const auto add = [&](const QString& title, const QString& tip, const QString& id) {
            QAction* action = menu.addAction(title, this, [this, id] { setOrder(id); });
            action->setToolTip(tip);
            action->setCheckable(true);
            action->setChecked(id == (m_isByCost ? m_document.costs().listed() : QString()));
        };
        add(tr("Graph order"), {}, {});
        for (const CostChoice& choice : m_document.costs().choices())
            add(choice.title, choice.tip, choice.id);
    });
    m_ui->completions->setTextFormat(Qt::PlainText);
    m_ui->count->setTextFormat(Qt::PlainText);
    m_ui->list->setItemDelegate(new HitDelegate(document, m_ui->list));
    connect(m_ui->list, &QListView::clicked, this, [this](const QModelIndex& index) {
        preview(index.row());
        emit chosen(m_model->hits()[static_cast<std::size_t>(index.row())]);
        finish();
    });
    connect(m_ui->paint, &QToolButton::clicked, this, [this] {
        if (m_document.activeTag() >= 0)
            accept({Wish::Kind::paintAll, m_document.activeTag()});
        setFocus();
    });
    connect(this, &QLineEdit::textChanged, this, &SearchField::search);
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what.testFlag(Change::program))
            clear();
        if (what & (Change::activeTag | Change::tagList))
            showPaintButton();
        if (what.testFlag(Change::costs) && m_popup->isVisible() && !isOffering())
            searchAgain();
        setEnabled(m_document.isOpen());
    });
    setEnabled(document.isOpen());
}

SearchField::~SearchField() = default;

void SearchField::setCompact(bool compact)
{
    m_isCompact = compact;
    takeRoom();
}

void SearchField::takeRoom()
{
    const bool isIcon = m_isCompact && !hasFocus() && text().isEmpty();
    setPlaceholderText(isIcon ? QString() : tr("Search nodes"));
    setMinimumWidth(isIcon ? kIconWidth : m_isCompact ? kSearchingWidth : kMinWidth);
    setMaximumWidth(isIcon ? kIconWidth : kMaxWidth);
}

void SearchField::focusInEvent(QFocusEvent* event)
{
    QLineEdit::focusInEvent(event);
    takeRoom();
    if (event->reason() != Qt::ActiveWindowFocusReason && event->reason() != Qt::PopupFocusReason && m_document.isOpen()
        && text().trimmed().isEmpty())
        showOffers();
}

void SearchField::search()
{
    takeRoom();
    m_accepted.reset();
    if (!m_completing)
        showCompletions();
    searchAgain();
}

void SearchField::searchAgain()
{
    showOrder();
    if (m_document.isOpen() && m_document.graph().size() > kSearchedAtOnce && !text().trimmed().isEmpty()) {
        searchLater();
        return;
    }
    m_model->setQuery(text(), order());
    take();
}

CostFiguresPtr SearchField::order() const
{
    return m_isByCost && m_document.isOpen() ? m_document.costs().figures(m_document.costs().listed()) : nullptr;
}

void SearchField::setOrder(const QString& cost)
{
    m_isByCost = !cost.isEmpty();
    if (m_isByCost)
        m_document.costs().setListed(cost);
    setFocus();
    searchAgain();
}

/// Graph order, then by each cost.
void SearchField::stepOrder()
{
    const std::vector<CostChoice> choices = m_document.costs().choices();
    const auto now = std::ranges::find(choices, m_isByCost ? m_document.costs().listed() : QString(), &CostChoice::id);
    if (now == choices.end())
        setOrder(choices.front().id);
    else
        setOrder(now + 1 == choices.end() ? QString() : (now + 1)->id);
}

void SearchField::showOrder()
{
    const QString title = listedCostTitle(m_document);
    m_ui->order->setText(m_isByCost && !title.isEmpty() ? tr("By %1 ▾").arg(title) : tr("Graph order ▾"));
}

void SearchField::showCompletions()
{
    constexpr std::size_t kOffered = 6;
    m_completed = 0;
    m_completions.clear();
    if (m_document.isOpen() && !text().isEmpty())
        m_completions = completionsOf(*m_document.snapshot(), m_document.tags(), text().toStdString(), kOffered);
    QStringList words;
    for (const QueryCompletion& completion : m_completions)
        words << brief(visible(sunder::text(completion.word)));
    m_ui->completions->setVisible(!words.isEmpty());
    m_ui->completions->setText(tr("Tab: %1").arg(words.join(QStringLiteral("  "))));
}

/// Replaces the typed text by its next completion, wrapping around.
void SearchField::complete()
{
    if (m_completions.empty())
        return;
    m_completing = true;
    setText(sunder::text(m_completions[m_completed % m_completions.size()].query));
    m_completing = false;
    ++m_completed;
    if (text().endsWith(u':') || text().endsWith(u'>'))
        showCompletions(); // a field name was completed: offer its values
}

/// Returns the action for Enter, alone or with Ctrl or Alt; nothing for other keys, and for Alt without an active tag.
std::optional<SearchField::Wish> SearchField::wishOf(const QKeyEvent& key) const
{
    using Kind = Wish::Kind;
    const bool isEnter = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
    if (!isEnter)
        return std::nullopt;
    if (key.modifiers() == Qt::AltModifier || key.modifiers() == (Qt::AltModifier | Qt::KeypadModifier)) {
        const int tag = m_document.activeTag();
        return tag >= 0 ? std::optional(Wish{Kind::paintAll, tag}) : std::nullopt;
    }
    return Wish{key.modifiers().testFlag(Qt::ControlModifier) ? Kind::selectAll : Kind::go};
}

void SearchField::paintAll(int tag)
{
    m_document.marks().select(m_model->hits());
    m_document.painting().paintList(m_model->hits(), tag, tr("hits of %1").arg(brief(visible(text().trimmed()), 40)));
}

void SearchField::showPaintButton()
{
    const int tag = m_document.activeTag();
    const auto ops = m_document.isOpen()
        ? std::ranges::count_if(m_model->hits(), [this](NodeId id) { return m_document.snapshot()->isCall(id); })
        : 0;
    m_ui->paint->setVisible(tag >= 0 && ops > 0);
    if (tag < 0)
        return;
    const QString name = brief(m_document.tagName(tag), 24);
    m_ui->paint->setText(tr("Paint %1 with %2").arg(countText(static_cast<std::size_t>(ops), "op"), caption(name, 24)));
    m_ui->paint->setToolTip(tr("Tag all found ops as %1 (Alt+Enter). Alt+Down: choose another tag").arg(name));
    m_ui->paint->setAccessibleName(tr("Paint all hits with %1").arg(name));
}

void SearchField::searchLater()
{
    m_jobs.start<SearchAnswer>(
        {.key = kSearchKey, .title = tr("Search"), .quiet = true},
        [snapshot = m_document.snapshot(), tags = m_document.tags(), query = text(), sorting = order()](
            ProgressMonitor& monitor) -> Result<SearchAnswer> { return answerTo(query, *snapshot, tags, sorting, monitor); },
        this,
        [this, snapshot = m_document.snapshot(), wanted = text()](Result<SearchAnswer> found) {
            if (!found || wanted != text() || !m_document.isOf(snapshot))
                return;
            m_model->setAnswer(std::move(*found));
            take();
            if (const std::optional<Wish> accepted = std::exchange(m_accepted, {}))
                accept(*accepted);
        });
}

bool SearchField::isSearching() const
{
    return m_jobs.isRunning(kSearchKey);
}

/// Goes to the marked hit, or to the first one; or selects or paints all hits.
void SearchField::accept(const Wish& wish)
{
    if (isSearching()) {
        m_accepted = wish;
        return;
    }
    if (m_model->hits().empty() && !text().trimmed().isEmpty()) {
        take(); // keeps the focus: the next keys correct the query, elsewhere they would be commands
        return;
    }
    remember();
    switch (wish.kind) {
    case Wish::Kind::paintAll: paintAll(wish.tag); return; // the search stays open, to paint other hits next
    case Wish::Kind::selectAll:
        m_document.marks().select(m_model->hits());
        m_document.marks().reveal();
        break;
    case Wish::Kind::go: {
        const int row = std::max(0, m_ui->list->currentIndex().row());
        preview(row);
        if (row < m_model->rowCount())
            emit chosen(m_model->hits()[static_cast<std::size_t>(row)]);
        break;
    }
    }
    finish();
}

void SearchField::take()
{
    const auto count = m_model->hits().size();
    m_ui->count->setText(
        count == 0
            ? brief(visible(m_model->why()), 200)
            : tr("%1 · Enter: jump, Ctrl+Enter: select all, Alt+Enter: paint all").arg(sunder::text(formatCount(count, "node"))));
    m_ui->list->setVisible(count > 0);
    m_ui->order->setVisible(count > 0);
    showPaintButton();
    if (text().trimmed().isEmpty()) {
        if (hasFocus() && m_document.isOpen())
            showOffers();
        else
            m_popup->hide();
    } else {
        m_ui->offers->hide();
        m_ui->count->show();
        m_ui->query->setText(visible(text()));
        m_ui->query->setVisible(fontMetrics().horizontalAdvance(text()) > width() - 2 * kIconWidth);
        placePopup();
        m_popup->show();
        m_popup->raise();
    }
    emit found(m_model->hits());
}

bool SearchField::isOffering() const
{
    return m_popup->isVisible() && !m_ui->offers->isHidden();
}

/// Shows the last searches and examples of all kinds of queries, while the field is empty.
void SearchField::showOffers()
{
    m_ui->offers->fill(rowHeight(fontMetrics()));
    m_ui->offers->show();
    for (QWidget* other :
         std::initializer_list<QWidget*>{m_ui->list, m_ui->query, m_ui->paint, m_ui->order, m_ui->completions, m_ui->count})
        other->hide();
    placePopup();
    m_popup->show();
    m_popup->raise();
}

/// Remembers a search with hits, to be offered again as the first one.
void SearchField::remember()
{
    if (const QString query = text().trimmed(); !query.isEmpty() && !m_model->hits().empty())
        SearchOffers::remember(query);
}

/// Opens the menu of tags to paint all hits.
void SearchField::showTagMenu()
{
    if (!m_ui->paint->isHidden())
        m_ui->paint->showMenu();
}

void SearchField::placePopup()
{
    QWidget* host = window();
    if (m_popup->parentWidget() != host) {
        m_popup->setParent(host);
        host->installEventFilter(this);
    }
    const bool isOffer = !m_ui->offers->isHidden();
    const int rows = isOffer ? m_ui->offers->topLevelItemCount() : std::min(kPopupRows, static_cast<int>(m_model->hits().size()));
    const int wide = std::min(kPopupWidth, host->width() - 16);
    const auto heightOf = [&](const QAbstractItemView& view) { return rows * rowHeight(fontMetrics()) + 2 * view.frameWidth(); };
    m_ui->offers->setFixedHeight(heightOf(*m_ui->offers));
    m_ui->list->setFixedHeight(heightOf(*m_ui->list));
    const QPoint corner = mapTo(host, QPoint(width(), height() + 2));
    QLayout& column = *m_popup->layout();
    const int tall = column.hasHeightForWidth() ? column.totalHeightForWidth(wide) : column.totalSizeHint().height();
    m_popup->setGeometry(std::max(8, corner.x() - wide), corner.y(), wide, tall);
    column.activate(); // now, not with the next event: an open popup gets other contents
}

void SearchField::preview(int row)
{
    if (row < 0 || row >= m_model->rowCount())
        return;
    m_ui->list->setCurrentIndex(m_model->index(row));
    m_document.marks().select({m_model->hits()[static_cast<std::size_t>(row)]});
    m_document.marks().reveal();
}

bool SearchField::event(QEvent* event)
{
    // While searching, Ctrl+Enter selects all hits instead of splitting.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter || key->key() == Qt::Key_Escape) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Tab && !m_completions.empty()) {
        complete(); // keep the focus
        return true;
    }
    const bool isHandled = QLineEdit::event(event);
    if ((event->type() == QEvent::Resize || event->type() == QEvent::Move) && m_popup->isVisible())
        placePopup(); // a compact field grows to the left after it got the focus
    return isHandled;
}

void SearchField::keyPressEvent(QKeyEvent* event)
{
    const int row = m_ui->list->currentIndex().isValid() ? m_ui->list->currentIndex().row() : -1;
    const int rows = m_model->rowCount();
    if (isOffering() && m_ui->offers->takeKey(event->key()))
        return;
    if (event->key() == Qt::Key_Down && event->modifiers() == Qt::AltModifier) {
        showTagMenu();
        return;
    }
    if (event->key() == Qt::Key_Up && event->modifiers() == Qt::AltModifier) {
        if (m_popup->isVisible() && !isOffering())
            stepOrder();
        return;
    }
    if (const std::optional<Wish> wish = wishOf(*event)) {
        accept(*wish);
        return;
    }
    switch (event->key()) {
    case Qt::Key_Down: preview(std::min(rows - 1, row + 1)); return;
    case Qt::Key_Up: preview(std::max(0, row - 1)); return;
    case Qt::Key_PageDown: preview(std::min(rows - 1, row + kPopupRows)); return;
    case Qt::Key_PageUp: preview(std::max(0, row - kPopupRows)); return;
    case Qt::Key_Escape:
        clear();
        finish();
        return;
    default: QLineEdit::keyPressEvent(event);
    }
}

void SearchField::finish()
{
    m_popup->hide();
    if (QWidget* next = window()->findChild<QWidget*>(QStringLiteral("sourceCanvas")))
        next->setFocus();
    else
        clearFocus();
}

void SearchField::focusOutEvent(QFocusEvent* event)
{
    QLineEdit::focusOutEvent(event);
    takeRoom();
    if (event->reason() != Qt::ActiveWindowFocusReason && event->reason() != Qt::PopupFocusReason && !m_popup->underMouse())
        m_popup->hide();
}

bool SearchField::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && m_popup->isVisible())
        placePopup();
    return QLineEdit::eventFilter(watched, event);
}

} // namespace sunder

#include "moc_search_field.cpp"
