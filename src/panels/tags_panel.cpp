#include "panels/tags_panel.h"

#include "document/text.h"
#include "models/tag_model.h"
#include "models/tag_style_of.h"
#include "models/themed_icon.h"
#include "panels/tag_delegate.h"
#include "panels/ui_tags_panel.h"

#include <QColorDialog>
#include <QMenu>
#include <QMouseEvent>

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
    m_ui->view->viewport()->installEventFilter(this);

    connect(m_ui->addTag, &QToolButton::clicked, this, [this] { m_document.addTag(); });
    const auto choose = [this](const QModelIndex& index) {
        if (!index.isValid())
            return;
        if (!m_model->isUntaggedRow(index))
            m_document.setActiveTag(index.row());
        else if (!m_document.selectNextUntagged())
            emit message(tr("Every op has a tag."));
    };
    connect(m_ui->view, &QListView::clicked, this, choose);
    connect(m_ui->view, &QListView::activated, this, choose);
    connect(m_ui->view, &QListView::customContextMenuRequested, this, &TagsPanel::showMenu);
    connect(m_model, &TagModel::renameRefused, this, &TagsPanel::message);
    connect(&document, &Document::changed, this, [this] { m_ui->view->viewport()->update(); });
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

bool TagsPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseButtonRelease) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const QModelIndex index = m_ui->view->indexAt(mouse->pos());
        if (index.isValid() && !m_model->isUntaggedRow(index) && mouse->button() == Qt::LeftButton
            && TagDelegate::swatch(m_ui->view->visualRect(index)).adjusted(-3, -3, 3, 3).contains(mouse->pos())
            && index.row() == m_document.activeTag())
            QMetaObject::invokeMethod(this, [this, row = index.row()] { showColors(row); }, Qt::QueuedConnection);
    }
    return QWidget::eventFilter(watched, event);
}

void TagsPanel::showMenu(const QPoint& at)
{
    const QModelIndex index = m_ui->view->indexAt(at);
    QMenu menu(this);
    menu.addAction(themedIcon(QStringLiteral("add")), tr("Add a tag"), [this] { m_document.addTag(); });
    if (index.isValid() && !m_model->isUntaggedRow(index)) {
        const int tag = index.row();
        menu.addSeparator();
        menu.addAction(tr("Rename…"), [this, index] { m_ui->view->edit(index); });
        addColors(*menu.addMenu(tr("Colour")), tag);
        menu.addAction(tr("Select its ops"), [this, tag] {
            std::vector<NodeId> nodes;
            for (const NodeId id : m_document.graph().nodes())
                if (m_document.snapshot()->isCall(id) && m_document.tags()[id] == tag)
                    nodes.push_back(id);
            m_document.select(std::move(nodes));
        });
        menu.addSeparator();
        QAction* up = menu.addAction(tr("Move up"), [this, tag] { m_document.moveTag(tag, tag - 1); });
        QAction* down = menu.addAction(tr("Move down"), [this, tag] { m_document.moveTag(tag, tag + 1); });
        up->setEnabled(tag > 0);
        down->setEnabled(tag + 1 < m_document.tagCount());
        menu.addSeparator();
        menu.addAction(themedIcon(QStringLiteral("trash")), tr("Remove (its ops become untagged)"),
                       [this, tag] { m_document.removeTag(tag); });
    }
    menu.exec(m_ui->view->viewport()->mapToGlobal(at));
}

/// The palette first, whose colours stay apart for every eye; then the same with patterns; then any.
void TagsPanel::addColors(QMenu& menu, int tag)
{
    const Theme& theme = currentTheme();
    const auto hues = static_cast<std::uint32_t>(theme.tags.size());
    const std::vector<TagTraits>& traits = m_document.tagTraits();
    const TagColor& now = traits[static_cast<std::size_t>(tag)].color;
    const auto add = [&](QMenu& to, std::uint32_t hue) {
        const auto has = std::ranges::find_if(
            traits, [hue](const TagTraits& other) { return !other.color.own.isValid() && other.color.hue == hue; });
        const auto owner = static_cast<int>(has - traits.begin());
        const QString title = tr("Colour %1").arg(hue % hues + 1);
        QAction* action = to.addAction(
            tagSwatch(tagStyle(theme, hue), theme),
            has == traits.end() || owner == tag ? title : tr("%1: change with %2").arg(title, caption(m_document.tagName(owner))),
            [this, tag, hue] { m_document.setTagHue(tag, hue); });
        action->setCheckable(true);
        action->setChecked(owner == tag);
    };
    for (std::uint32_t hue = 0; hue < hues; ++hue)
        add(menu, hue);
    menu.addSeparator();
    const QStringList patterns{tr("Diagonal"), tr("Other diagonal"), tr("Dots"), tr("Bars")};
    for (qsizetype pattern = 0; pattern < patterns.size(); ++pattern) {
        QMenu* patterned = menu.addMenu(patterns[pattern]);
        for (std::uint32_t hue = 0; hue < hues; ++hue)
            add(*patterned, static_cast<std::uint32_t>(pattern + 1) * hues + hue);
    }
    menu.addSeparator();
    if (now.own.isValid())
        menu.addAction(tr("Colour of the theme"), [this, tag] { m_document.recolorTag(tag, QColor()); });
    menu.addAction(tr("Any other colour…"), [this, tag] { chooseColor(tag); });
}

void TagsPanel::showColors(int tag)
{
    QMenu menu(this);
    addColors(menu, tag);
    menu.exec(QCursor::pos());
}

void TagsPanel::chooseColor(int tag)
{
    const QColor now = tagLooksOf(m_document, currentTheme())[static_cast<std::size_t>(tag)].style.color;
    const QColor chosen = QColorDialog::getColor(now, this, tr("Colour of %1").arg(brief(m_document.tagName(tag))));
    if (chosen.isValid())
        m_document.recolorTag(tag, chosen);
}

} // namespace sunder
