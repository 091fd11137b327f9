#include "panes/regions/occurrences_panel.h"

#include "models/look.h"
#include "panes/elided_label.h"
#include "panes/regions/occurrence_delegate.h"
#include "panes/regions/region_list.h"

#include <QVBoxLayout>

namespace sunder {

OccurrencesPanel::OccurrencesPanel(Document& document, OccurrenceModel& occurrences, QItemSelectionModel* rows, QWidget* parent)
    : QWidget(parent), m_place(new ElidedLabel(this)),
      m_list(makeRegionList(occurrences, tr("The same place elsewhere"),
                            tr("Where the selected op, or the whole region, stands in the other occurrences. Enter goes there."), this)),
      m_paint(new PaintAllButton(document, this))
{
    setObjectName(QStringLiteral("panel"));
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(4);
    auto* title = new ElidedLabel(this);
    title->setLine(tr("The same place elsewhere"), {});
    QFont bold = title->font();
    bold.setWeight(QFont::DemiBold);
    title->setFont(bold);
    title->setBuddy(m_list);
    setMinimumWidth(184); // a module and a node in a row, and the button's words
    setLook(*m_place, QStringLiteral("hint"));
    m_list->setItemDelegate(new OccurrenceDelegate(document, m_list));
    m_list->setSelectionModel(rows);
    m_list->setUniformItemSizes(true);
    m_list->setContextMenuPolicy(Qt::CustomContextMenu);
    column->addWidget(title);
    column->addWidget(m_place);
    column->addWidget(m_list, 1);
    column->addSpacing(4);
    column->addWidget(m_paint);
}

void OccurrencesPanel::setPlace(const QString& place)
{
    m_place->setLine(place, {});
}

} // namespace sunder
