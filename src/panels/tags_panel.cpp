#include "panels/tags_panel.h"

#include "document/tag_edits.h"
#include "document/text.h"
#include "models/row_actions.h"
#include "models/tag_model.h"
#include "models/tag_style_of.h"
#include "models/themed_icon.h"
#include "panels/tag_delegate.h"
#include "panels/tag_list_view.h"
#include "panels/tag_menu.h"
#include "panels/ui_tags_panel.h"

#include <QColorDialog>
#include <QMenu>

#include <algorithm>

namespace sunder {

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
