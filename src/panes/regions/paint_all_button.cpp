#include "panes/regions/paint_all_button.h"

#include "document/text.h"
#include "models/tag_style_of.h"
#include "panes/regions/ui_paint_all_button.h"
#include "text/amounts.h"

#include <QLayout>
#include <QMenu>

namespace sunder {

PaintAllButton::PaintAllButton(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_ui(std::make_unique<Ui::PaintAllButton>())
{
    m_ui->setupUi(this);
    m_ui->other->setMenu(new QMenu(m_ui->other));
    connect(m_ui->paint, &QToolButton::clicked, this, [this] {
        if (m_group)
            paintGroup(m_document, *m_group, m_document.activeTag());
    });
    connect(m_ui->other->menu(), &QMenu::aboutToShow, this, [this] {
        m_ui->other->menu()->clear();
        if (m_group)
            addPaintActions(*m_ui->other->menu(), m_document, *m_group);
    });
    refresh();
}

PaintAllButton::~PaintAllButton() = default;

QToolButton& PaintAllButton::button()
{
    return *m_ui->paint;
}

void PaintAllButton::setGroup(std::optional<RegionGroupRef> group)
{
    m_group = std::move(group);
    refresh();
}

void PaintAllButton::refresh()
{
    const int tag = m_document.activeTag();
    m_ui->paint->setEnabled(m_group && tag >= 0);
    m_ui->other->setEnabled(m_group.has_value());
    if (!m_group || tag < 0) {
        setTag({});
        m_ui->paint->setToolTip(tr("Add a tag first (Ctrl+T)."));
        m_ui->paint->setAccessibleName(tr("Paint all occurrences"));
        return;
    }
    setTag(tagLooksOf(m_document, currentTheme())[static_cast<std::size_t>(tag)].code);
    m_ui->paint->setToolTip(
        tr("Give all %1 of %2 the tag %3. The arrow offers the other tags.")
            .arg(countText(m_group->regions().nodes.size(), "op"), m_group->title, brief(m_document.tagName(tag))));
    m_ui->paint->setAccessibleName(tr("Paint all occurrences of %1 with %2").arg(m_group->title, m_document.tagName(tag)));
}

void PaintAllButton::setTag(const QString& code)
{
    m_code = code;
    m_ui->paint->setText(tr("Paint all"));
    m_ui->paint->setMinimumWidth(m_ui->paint->sizeHint().width());
    fitText();
}

void PaintAllButton::fitText()
{
    m_ui->paint->setText(m_code.isEmpty() ? tr("Paint all") : tr("Paint all: %1").arg(caption(m_code)));
    const int room = width() - m_ui->other->sizeHint().width() - layout()->spacing();
    if (m_ui->paint->sizeHint().width() > room)
        m_ui->paint->setText(tr("Paint all"));
}

void PaintAllButton::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitText();
}

} // namespace sunder

#include "moc_paint_all_button.cpp"
