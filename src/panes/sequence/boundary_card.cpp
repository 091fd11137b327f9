#include "panes/sequence/boundary_card.h"

#include "models/look.h"
#include "panes/sequence/ui_boundary_card.h"

#include <QGraphicsDropShadowEffect>

namespace sunder {

BoundaryCard::BoundaryCard(QWidget* parent) : QFrame(parent), m_ui(std::make_unique<Ui::BoundaryCard>())
{
    m_ui->setupUi(this);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    auto* shadow = new QGraphicsDropShadowEffect(this);
    shadow->setBlurRadius(16);
    shadow->setOffset(0, 3);
    shadow->setColor(QColor(0, 0, 0, 60));
    setGraphicsEffect(shadow);
    hide();
}

BoundaryCard::~BoundaryCard() = default;

void BoundaryCard::showWords(const BoundaryWords& words, bool isDragged)
{
    m_ui->title->setText(words.title);
    m_ui->lines->setText(words.lines.join(QLatin1Char('\n')));
    m_ui->verdict->setText(words.verdict);
    setLook(*m_ui->verdict, words.isLegal ? QStringLiteral("proven") : QStringLiteral("error"));
    m_ui->keys->setText(isDragged ? tr("Snaps to module boundaries, with Alt moves op by op · Esc cancels")
                                  : tr("↑ ↓ by module, with Alt by op · Enter applies · Esc cancels"));
    showLoads({});
    show();
    raise();
}

void BoundaryCard::showLoads(const LoadWords& loads)
{
    m_loads = loads.lines();
    m_ui->bars->setRows(loads.rows);
    m_ui->largest->setText(loads.largest);
    m_ui->largest->setVisible(!loads.largest.isEmpty());
    setLook(*m_ui->largest, loads.trend > 0 ? QStringLiteral("warning") : loads.trend < 0 ? QStringLiteral("proven") : QString());
    m_ui->note->setText(loads.note);
    m_ui->note->setVisible(!loads.note.isEmpty());
    adjustSize();
}

QString BoundaryCard::text() const
{
    return m_ui->title->text() + QLatin1Char('\n') + m_ui->lines->text() + QLatin1Char('\n') + m_ui->verdict->text()
        + QLatin1Char('\n') + m_loads.join(QLatin1Char('\n'));
}

} // namespace sunder

#include "moc_boundary_card.cpp"
