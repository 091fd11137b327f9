#include "panes/regions/occurrences_panel.h"

#include "panes/regions/occurrence_delegate.h"
#include "panes/regions/ui_occurrences_panel.h"

namespace sunder {

OccurrencesPanel::OccurrencesPanel(Document& document, OccurrenceModel& occurrences, QItemSelectionModel* rows, QWidget* parent)
    : QWidget(parent), m_ui(std::make_unique<Ui::OccurrencesPanel>()), m_paint(new PaintAllButton(document, this))
{
    m_ui->setupUi(this);
    setAttribute(Qt::WA_StyledBackground);
    m_ui->title->setLine(tr("Occurrences"), {});
    QFont bold = m_ui->title->font();
    bold.setWeight(QFont::DemiBold);
    m_ui->title->setFont(bold);
    m_ui->list->setModel(&occurrences);
    m_ui->list->setItemDelegate(new OccurrenceDelegate(document, m_ui->list));
    m_ui->list->setSelectionModel(rows);
    m_ui->column->addWidget(m_paint);
}

OccurrencesPanel::~OccurrencesPanel() = default;

QListView& OccurrencesPanel::list()
{
    return *m_ui->list;
}

void OccurrencesPanel::setPlace(const QString& place)
{
    m_ui->place->setLine(place, {});
}

} // namespace sunder

#include "moc_occurrences_panel.cpp"
