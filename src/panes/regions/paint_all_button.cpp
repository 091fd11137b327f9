#include "panes/regions/paint_all_button.h"

#include "document/text.h"
#include "models/look.h"
#include "models/tag_style_of.h"
#include "text/amounts.h"

#include <QHBoxLayout>
#include <QMenu>

namespace sunder {

PaintAllButton::PaintAllButton(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_paint(new QToolButton(this)), m_other(new QToolButton(this))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    setLook(*m_paint, QStringLiteral("primary"));
    m_paint->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setLook(*m_other, QStringLiteral("drop"));
    m_other->setText(QStringLiteral("▾"));
    m_other->setToolTip(tr("Paint all occurrences with another tag"));
    m_other->setAccessibleName(m_other->toolTip());
    m_other->setPopupMode(QToolButton::InstantPopup);
    m_other->setMenu(new QMenu(m_other));
    for (QToolButton* button : {m_paint, m_other})
        button->setFocusPolicy(Qt::StrongFocus);
    row->addWidget(m_paint, 1);
    row->addWidget(m_other);
    connect(m_paint, &QToolButton::clicked, this, [this] {
        if (m_group)
            paintGroup(m_document, *m_group, m_document.activeTag());
    });
    connect(m_other->menu(), &QMenu::aboutToShow, this, [this] {
        m_other->menu()->clear();
        if (m_group)
            addPaintActions(*m_other->menu(), m_document, *m_group);
    });
    refresh();
}

void PaintAllButton::setGroup(std::optional<RegionGroupRef> group)
{
    m_group = std::move(group);
    refresh();
}

void PaintAllButton::refresh()
{
    const int tag = m_document.activeTag();
    m_paint->setEnabled(m_group && tag >= 0);
    m_other->setEnabled(m_group.has_value());
    if (!m_group || tag < 0) {
        m_paint->setText(tr("Paint all"));
        m_paint->setToolTip(tr("Add a tag first (Ctrl+T)."));
        m_paint->setAccessibleName(tr("Paint all occurrences"));
        return;
    }
    const QString code = tagLooksOf(m_document, currentTheme())[static_cast<std::size_t>(tag)].code;
    m_paint->setText(tr("Paint all: %1").arg(caption(code)));
    m_paint->setToolTip(tr("Give all %1 of %2 the tag %3. The arrow offers the other tags.")
                            .arg(countText(m_group->regions().nodes.size(), "op"), m_group->title, brief(m_document.tagName(tag))));
    m_paint->setAccessibleName(tr("Paint all occurrences of %1 with %2").arg(m_group->title, m_document.tagName(tag)));
}

} // namespace sunder
