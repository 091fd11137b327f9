#include "panes/partition_dag/move_card.h"

#include "document/text.h"
#include "models/look.h"
#include "panes/partition_dag/ui_move_card.h"
#include "text/amounts.h"

#include <QGraphicsDropShadowEffect>
#include <QKeyEvent>

namespace sunder {
namespace {

constexpr std::size_t kMaxParts = 5;

QString changeOf(std::uint64_t before, std::uint64_t after)
{
    return before == after
        ? QObject::tr("%1, unchanged").arg(bytesText(after))
        : QObject::tr("%1 → %2 (%3)")
              .arg(bytesText(before), bytesText(after), signedBytes(static_cast<std::int64_t>(after - before)));
}

QString nodesText(const std::vector<NodeId>& nodes, const Graph& graph)
{
    return nodes.size() == 1 ? brief(text(graph[nodes.front()].name)) : countText(nodes.size(), "op");
}

/// Returns e.g. "stage1: 6.2 GB → 6.4 GB (+0.2 GB), 12.0 MB beyond cuda:1".
QString lineOf(const CutMeasure& measure, const DagContent& content, const PartChange& change)
{
    QString line = QObject::tr("%1: %2").arg(brief(text(measure.tags().order[static_cast<std::size_t>(change.part)])),
                                             changeOf(change.before.usedBytes(), change.after.usedBytes()));
    if (change.after.ops == 0)
        return QObject::tr("%1, becomes empty").arg(line);
    const int box = content.boxOf(change.part);
    if (box < 0 || !content.boxes[static_cast<std::size_t>(box)].capacity)
        return line;
    const DagBox& at = content.boxes[static_cast<std::size_t>(box)];
    const std::uint64_t after = change.after.usedBytes() + at.elsewhere;
    return after > *at.capacity
        ? QObject::tr("%1, %2 over the capacity of %3").arg(line, bytesText(after - *at.capacity), content.lanes[at.lane].name)
        : line;
}

} // namespace

MoveWords wordsOf(const CutMeasure& measure, const DagContent& content, const MovePreview& preview)
{
    const Graph& graph = measure.source()->graph();
    const QString to = brief(text(measure.tags().order[static_cast<std::size_t>(preview.to)]));
    MoveWords words;
    if (preview.moved.empty()) {
        words.title = QObject::tr("Nothing to move to %1").arg(to);
        words.verdict = QObject::tr("The selection has no ops outside this part.");
        words.isLegal = false;
        return words;
    }
    words.title = QObject::tr("Move %1 to %2").arg(nodesText(preview.moved, graph), to);
    words.lines << QObject::tr("cut: %1").arg(changeOf(preview.cutBytesBefore, preview.cutBytesAfter));
    words.lines << QObject::tr("largest part: %1").arg(changeOf(preview.largestBefore, preview.largestAfter));
    for (std::size_t i = 0; i < preview.parts.size() && i < kMaxParts; ++i)
        words.lines << lineOf(measure, content, preview.parts[i]);
    words.isLegal = preview.isLegal();
    if (words.isLegal)
        words.verdict = preview.mended.empty()
            ? QObject::tr("Legal: no backward edges.")
            : QObject::tr("Legal: %1 fewer.").arg(countText(preview.mended.size(), "backward edge"));
    else if (!preview.broken.empty())
        words.verdict = QObject::tr("%1.").arg(
            text(describe(preview.broken.front(), graph, measure.tags()))); // the text begins with a node name
    else
        words.verdict = QObject::tr("%1, as before.").arg(countText(preview.backwardAfter, "backward edge"));
    if (!words.isLegal && preview.broken.size() > 1)
        words.verdict += QObject::tr(" And %1.").arg(countText(preview.broken.size() - 1, "more edge"));
    if (!words.isLegal)
        words.verdict += preview.isOrderable ? QObject::tr(" Another order of the parts fixes this.")
                                             : QObject::tr(" The parts would depend on each other (cycle).");
    return words;
}

MoveCard::MoveCard(QWidget* parent) : QFrame(parent), m_ui(std::make_unique<Ui::MoveCard>())
{
    m_ui->setupUi(this); // the card takes the focus itself: on its buttons, arrow keys would move between them
    auto* shadow = new QGraphicsDropShadowEffect(this);
    shadow->setBlurRadius(16);
    shadow->setOffset(0, 3);
    shadow->setColor(QColor(0, 0, 0, 60));
    setGraphicsEffect(shadow);
    connect(m_ui->move, &QPushButton::clicked, this, &MoveCard::accepted);
    connect(m_ui->cancel, &QPushButton::clicked, this, &MoveCard::rejected);
    hide();
}

MoveCard::~MoveCard() = default;

QPushButton& MoveCard::moveButton()
{
    return *m_ui->move;
}

void MoveCard::showWords(const MoveWords& words, bool withButtons)
{
    m_ui->title->setText(words.title);
    m_ui->lines->setText(words.lines.join(QLatin1Char('\n')));
    m_ui->lines->setVisible(!words.lines.isEmpty());
    m_ui->verdict->setText(words.verdict);
    setLook(*m_ui->verdict, words.isLegal ? QStringLiteral("proven") : QStringLiteral("error"));
    m_ui->buttons->setVisible(withButtons);
    setAttribute(Qt::WA_TransparentForMouseEvents, !withButtons); // drops go to the box below the card
    m_ui->move->setEnabled(!words.lines.isEmpty());
    setAccessibleDescription(text());
    layout()->activate();
    resize(layout()->hasHeightForWidth() ? QSize(sizeHint().width(), layout()->heightForWidth(sizeHint().width())) : sizeHint());
    show();
    raise();
}

void MoveCard::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->key() == Qt::Key_Escape || (isEnter && m_ui->cancel->hasFocus()))
        emit rejected();
    else if (isEnter && m_ui->move->isEnabled())
        emit accepted();
    else if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)
        emit stepped(event->key() == Qt::Key_Down ? 1 : -1);
    else
        QFrame::keyPressEvent(event);
}

QString MoveCard::text() const
{
    return QStringList{m_ui->title->text(), m_ui->lines->text(), m_ui->verdict->text()}.join(QLatin1Char('\n'));
}

} // namespace sunder

#include "moc_move_card.cpp"
