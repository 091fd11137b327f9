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
    adjustSize();
    show();
    raise();
}

QString BoundaryCard::text() const
{
    return m_ui->title->text() + QLatin1Char('\n') + m_ui->lines->text() + QLatin1Char('\n') + m_ui->verdict->text();
}

} // namespace sunder

#include "moc_boundary_card.cpp"
