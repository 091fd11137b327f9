#include "panels/tags_panel.h"

#include "document/tag_edits.h"
#include "document/text.h"
#include "models/row_actions.h"
#include "models/tag_model.h"
#include "models/tag_style_of.h"
#include "models/themed_icon.h"
#include "panels/tag_list_view.h"
#include "panels/ui_tags_panel.h"

#include <QColorDialog>
#include <QMenu>
#include <algorithm>

namespace sunder {
namespace {

constexpr int kMaxToMergeInto = 30;

void addMergeActions(QMenu& menu, Document& document, int tag)
{
    const Theme& theme = currentTheme();
    const std::vector<TagLook> looks = tagLooksOf(document, theme);
    for (int other = 0; other < std::min(kMaxToMergeInto, document.tagCount()); ++other)
        if (other != tag)
            menu.addAction(tagSwatch(looks[static_cast<std::size_t>(other)].style, theme), caption(document.tagName(other)),
                           &document, [&document, tag, other] { document.tagList().merge(tag, other); })
                ->setEnabled(!document.tagTraits()[static_cast<std::size_t>(other)].isLocked);
    menu.setEnabled(!menu.isEmpty() && !document.tagTraits()[static_cast<std::size_t>(tag)].isLocked);
}

void addSightActions(QMenu& menu, Document& document, int tag)
{
    const TagTraits& traits = document.tagTraits()[static_cast<std::size_t>(tag)];
    menu.addAction(themedIcon(traits.isLocked ? QStringLiteral("unlock") : QStringLiteral("lock")),
                   traits.isLocked ? QObject::tr("Unlock\tCtrl+L") : QObject::tr("Lock\tCtrl+L"), &document,
                   [&document, tag, locked = traits.isLocked] { document.tagList().setLocked(tag, !locked); });
    menu.addAction(themedIcon(traits.isHidden ? QStringLiteral("eye") : QStringLiteral("eye-off")),
                   traits.isHidden ? QObject::tr("Show\tCtrl+Shift+L") : QObject::tr("Hide\tCtrl+Shift+L"), &document,
                   [&document, tag, hidden = traits.isHidden] { document.tagList().setHidden(tag, !hidden); });
    menu.addAction(themedIcon(QStringLiteral("eye")), QObject::tr("Show only this tag\tCtrl+Alt+L"), &document,
                   [&document, tag] { document.tagList().solo(tag); });
    menu.addAction(QObject::tr("Show all tags"), &document, [&document] { document.tagList().showAll(); })
        ->setEnabled(std::ranges::any_of(document.tagTraits(), &TagTraits::isHidden));
}

} // namespace

void fillTagMenu(QMenu& menu, Document& document, int tag, const TagMenuActions& actions)
{
    menu.addAction(QObject::tr("Rename…\tF2"), &document, actions.rename);
    menu.addAction(QObject::tr("Code…"), &document, actions.changeCode);
    addColorActions(*menu.addMenu(QObject::tr("Color")), document, tag, actions.chooseColor);
    menu.addSeparator();
    addSightActions(menu, document, tag);
    menu.addSeparator();
    menu.addAction(QObject::tr("Select its ops"), &document, [&document, tag] { document.marks().selectTag(tag); });
    QMenu* merge = menu.addMenu(themedIcon(QStringLiteral("merge")), QObject::tr("Merge into"));
    addMergeActions(*merge, document, tag);
    menu.addSeparator();
    menu.addAction(QObject::tr("Move up\tAlt+Up"), &document, [&document, tag] { document.tagList().move(tag, tag - 1); })
        ->setEnabled(tag > 0);
    menu.addAction(QObject::tr("Move down\tAlt+Down"), &document, [&document, tag] { document.tagList().move(tag, tag + 1); })
        ->setEnabled(tag + 1 < document.tagCount());
    menu.addSeparator();
    menu.addAction(themedIcon(QStringLiteral("trash")), QObject::tr("Remove (its ops become untagged)\tDelete"), &document,
                   [&document, tag] { document.tagList().remove(tag); })
        ->setEnabled(!document.tagTraits()[static_cast<std::size_t>(tag)].isLocked);
}

/// The palette first, whose colors are distinguishable in color blindness; then the palette with patterns; then any color.
void addColorActions(QMenu& menu, Document& document, int tag, const std::function<void()>& chooseColor)
{
    const Theme& theme = currentTheme();
    const auto hues = static_cast<std::uint32_t>(theme.tags.size());
    const std::vector<TagTraits>& traits = document.tagTraits();
    const TagColor& now = traits[static_cast<std::size_t>(tag)].color;
    const auto add = [&](QMenu& to, std::uint32_t hue) {
        const auto has = std::ranges::find_if(
            traits, [hue](const TagTraits& other) { return !other.color.own.isValid() && other.color.hue == hue; });
        const auto owner = static_cast<int>(has - traits.begin());
        const QString title = QObject::tr("Color %1").arg(hue % hues + 1);
        QAction* action = to.addAction(tagSwatch(tagStyle(theme, hue), theme),
                                       has == traits.end() || owner == tag
                                           ? title
                                           : QObject::tr("%1: swap with %2").arg(title, caption(document.tagName(owner))),
                                       &document, [&document, tag, hue] { document.tagList().setHue(tag, hue); });
        action->setCheckable(true);
        action->setChecked(owner == tag);
    };
    for (std::uint32_t hue = 0; hue < hues; ++hue)
        add(menu, hue);
    menu.addSeparator();
    const QStringList patterns{QObject::tr("Diagonal"), QObject::tr("Other diagonal"), QObject::tr("Dots"), QObject::tr("Bars")};
    for (qsizetype pattern = 0; pattern < patterns.size(); ++pattern) {
        QMenu* patterned = menu.addMenu(patterns[pattern]);
        for (std::uint32_t hue = 0; hue < hues; ++hue)
            add(*patterned, static_cast<std::uint32_t>(pattern + 1) * hues + hue);
    }
    menu.addSeparator();
    if (now.own.isValid())
        menu.addAction(QObject::tr("Theme color"), &document, [&document, tag] { document.tagList().recolor(tag, QColor()); });
    menu.addAction(QObject::tr("Other color…"), &document, chooseColor);
}

TagsPanel::TagsPanel(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_model(new TagModel(document, this)), m_ui(std::make_unique<Ui::TagsPanel>())
{
    m_ui->setupUi(this);
    setThemedIcons(*this);
    setAttribute(Qt::WA_StyledBackground);
    m_ui->view->setModel(m_model);
    m_delegate = new TagDelegate(document, m_ui->view);
    m_ui->view->setItemDelegate(m_delegate);
    m_ui->otherColors->hide();
    connect(m_ui->showTags, &QToolButton::clicked, this, &TagsPanel::tagColorsWanted);
    connect(m_ui->addTag, &QToolButton::clicked, this, [this] { m_document.tagList().add(); });
    connect(m_ui->protect, &QToolButton::toggled, this, [this](bool on) { m_document.painting().setProtecting(on); });
    connectView();
    addActions();
    connect(m_model, &TagModel::renameRefused, this, &TagsPanel::message);
    m_ui->view->setRefusal([this](const QModelIndex& index, const QString& typed) {
        const QString name = typed.trimmed();
        return m_delegate->editsCode() || index.row() >= m_document.tagCount() || name == m_document.tagName(index.row())
            ? QString()
            : whyNotCalled(m_document.graph(), m_document.tagState(), index.row(), name);
    });
    connect(&document, &Document::changed, this, [this] {
        m_ui->protect->setChecked(m_document.tagState().protectsTagged);
        m_ui->view->viewport()->update();
    });
}

TagsPanel::~TagsPanel() = default;

QListView& TagsPanel::view()
{
    return *m_ui->view;
}

void TagsPanel::renameActive()
{
    if (m_document.activeTag() < 0)
        return;
    const QModelIndex index = m_model->index(m_document.activeTag());
    m_ui->view->setCurrentIndex(index);
    m_ui->view->edit(index);
}

void TagsPanel::showOtherColors(int run)
{
    m_ui->otherColors->setVisible(run > 0);
    m_ui->whichColors->setText(tr("The source shows run %1.").arg(run));
    m_delegate->setHollow(run > 0);
    m_ui->view->viewport()->update();
}

void TagsPanel::editActiveCode()
{
    if (m_document.activeTag() >= 0)
        editCode(m_document.activeTag());
}

void TagsPanel::editCode(int tag)
{
    const QModelIndex index = m_model->index(tag);
    m_ui->view->setCurrentIndex(index);
    m_delegate->editCodeNext();
    m_ui->view->edit(index);
}

/// Adds shortcuts of the list. The window's commands act on the active tag, these on the current row.
void TagsPanel::addActions()
{
    const auto on = [this](const QString& text, const QKeySequence& key, auto what) {
        addRowAction(*m_ui->view, text, key, this, [this, what] {
            if (const int tag = currentTag(); tag >= 0)
                what(tag);
        });
    };
    on(tr("Move up"), QKeySequence(Qt::ALT | Qt::Key_Up), [this](int tag) { move(tag, tag - 1); });
    on(tr("Move down"), QKeySequence(Qt::ALT | Qt::Key_Down), [this](int tag) { move(tag, tag + 1); });
    on(tr("Remove"), Qt::Key_Delete, [this](int tag) { m_document.tagList().remove(tag); });
    on(tr("Select its ops"), QKeySequence(Qt::ALT | Qt::Key_Return), [this](int tag) { m_document.marks().selectTag(tag); });
}

int TagsPanel::currentTag() const
{
    const QModelIndex index = m_ui->view->currentIndex();
    return index.isValid() && !m_model->isUntaggedRow(index) ? index.row() : -1;
}

void TagsPanel::move(int from, int to)
{
    if (to < 0 || to >= m_document.tagCount())
        return;
    m_document.tagList().move(from, to);
    m_ui->view->setCurrentIndex(m_model->index(to));
}

void TagsPanel::connectView()
{
    TagListView* view = m_ui->view;
    const auto choose = [this](const QModelIndex& index) {
        if (!index.isValid())
            return;
        if (!m_model->isUntaggedRow(index))
            m_document.tagList().setActive(index.row());
        else if (!m_document.marks().selectNextUntagged())
            emit message(tr("Every op has a tag."));
    };
    connect(view, &QListView::clicked, this, choose);
    connect(view, &QListView::activated, this, choose);
    connect(view, &QListView::customContextMenuRequested, this, &TagsPanel::showMenu);
    connect(view, &TagListView::swatchClicked, this, &TagsPanel::showColors);
    const auto traitsOf = [this](int row) { return m_document.tagTraits()[static_cast<std::size_t>(row)]; };
    connect(view, &TagListView::lockClicked, this,
            [this, traitsOf](int row) { m_document.tagList().setLocked(row, !traitsOf(row).isLocked); });
    connect(view, &TagListView::eyeClicked, this, [this, traitsOf](int row, bool alone) {
        if (alone)
            m_document.tagList().solo(row);
        else
            m_document.tagList().setHidden(row, !traitsOf(row).isHidden);
    });
    connect(m_delegate, &QAbstractItemDelegate::closeEditor, this, [this] { m_delegate->editNameNext(); });
    connect(m_model, &TagModel::moved, view, [this](int row) { m_ui->view->setCurrentIndex(m_model->index(row)); });
    // The list is reset after each change: keep the current row, or use the last one.
    connect(m_model, &QAbstractItemModel::modelAboutToBeReset, this, [this] { m_row = m_ui->view->currentIndex().row(); });
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        if (m_row >= 0 && m_document.tagCount() > 0)
            m_ui->view->setCurrentIndex(m_model->index(std::min(m_row, m_document.tagCount() - 1)));
    });
}

void TagsPanel::showMenu(const QPoint& at)
{
    QModelIndex index = m_ui->view->indexAt(at);
    if (!index.isValid() && !m_ui->view->underMouse())
        index = m_ui->view->currentIndex(); // the menu key has no position
    QMenu menu(this);
    if (index.isValid() && !m_model->isUntaggedRow(index)) {
        const int tag = index.row();
        fillTagMenu(menu, m_document, tag,
                    {.rename = [this, index] { m_ui->view->edit(index); },
                     .changeCode = [this, tag] { editCode(tag); },
                     .chooseColor = [this, tag] { chooseColor(tag); }});
        menu.addSeparator();
        menu.addAction(tr("Order tags topologically"), &m_document, [this] { m_document.tagList().orderTopologically(); })
            ->setEnabled(m_document.tagCount() > 1);
    } else if (index.isValid()) {
        menu.addAction(tr("Select the untagged ops"), &m_document,
                       [this] { m_document.marks().selectTag(TagAssignment::kUntagged); });
        menu.addSeparator();
    }
    menu.addAction(themedIcon(QStringLiteral("add")), tr("Add a tag\tCtrl+T"), &m_document,
                   [this] { m_document.tagList().add(); });
    menu.exec(m_ui->view->viewport()->mapToGlobal(at));
}

void TagsPanel::showColors(int tag)
{
    QMenu menu(this);
    addColorActions(menu, m_document, tag, [this, tag] { chooseColor(tag); });
    menu.exec(QCursor::pos());
}

void TagsPanel::chooseColor(int tag)
{
    const QColor now = tagLooksOf(m_document, currentTheme())[static_cast<std::size_t>(tag)].style.color;
    const QColor chosen = QColorDialog::getColor(now, this, tr("Color of %1").arg(brief(m_document.tagName(tag))));
    if (chosen.isValid())
        m_document.tagList().recolor(tag, chosen);
}

} // namespace sunder

#include "moc_tags_panel.cpp"
