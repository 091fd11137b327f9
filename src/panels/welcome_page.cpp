#include "panels/welcome_page.h"

#include "models/look.h"
#include "models/tag_style_of.h"
#include "models/themed_icon.h"
#include "text/shown_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace sunder {

namespace {

constexpr int kPageWidth = 640;

/// A line that opens something: title, and dim what it is.
class EntryButton final : public QPushButton {
public:
    EntryButton(QString title, QString detail, QString icon, QWidget* parent)
        : QPushButton(parent), m_title(std::move(title)), m_detail(std::move(detail)), m_icon(std::move(icon))
    {
        setCursor(Qt::PointingHandCursor);
        setAccessibleName(m_title + QStringLiteral(", ") + m_detail);
        setMinimumHeight(44);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const Theme& theme = currentTheme();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
        if (underMouse() || hasFocus()) {
            painter.setPen(hasFocus() ? theme.selection : theme.line);
            painter.setBrush(theme.panel);
            painter.drawRoundedRect(frame, 5, 5);
        }
        paintIcon(painter, m_icon, QRectF(10, height() / 2.0 - 9, 18, 18), theme.dim);
        QRect text = rect().adjusted(38, 5, -10, -5);
        QFont bold = font();
        bold.setWeight(QFont::DemiBold);
        painter.setFont(bold);
        painter.setPen(theme.text);
        const QRect upper(text.left(), text.top(), text.width(), text.height() / 2);
        painter.drawText(upper, Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetrics(bold).elidedText(m_title, Qt::ElideMiddle, upper.width()));
        painter.setFont(font());
        painter.setPen(theme.dim);
        const QRect lower(text.left(), upper.bottom() + 1, text.width(), text.height() / 2);
        painter.drawText(lower, Qt::AlignLeft | Qt::AlignVCenter,
                         fontMetrics().elidedText(m_detail, Qt::ElideMiddle, lower.width()));
    }

private:
    QString m_title;
    QString m_detail;
    QString m_icon;
};

} // namespace

WelcomePage::WelcomePage(QWidget* parent) : QWidget(parent), m_drop(new QWidget(this))
{
    auto* across = new QHBoxLayout(this);
    across->addStretch(1);
    auto* holder = new QWidget(this);
    holder->setFixedWidth(kPageWidth);
    across->addWidget(holder);
    across->addStretch(1);
    auto* column = new QVBoxLayout(holder);
    column->setSpacing(8);
    column->addStretch(2);

    auto* title = new QLabel(tr("Cut a PyTorch model"), holder);
    QFont large = title->font();
    large.setPointSizeF(large.pointSizeF() * 2);
    large.setWeight(QFont::DemiBold);
    title->setFont(large);
    column->addWidget(title);
    auto* what = new QLabel(tr("Paint which op goes into which part, see at once whether the cut is legal, "
                               "and export parts that PyTorch runs."),
                            holder);
    setLook(*what, QStringLiteral("hint"));
    what->setWordWrap(true);
    column->addWidget(what);
    column->addSpacing(16);

    m_drop->setFixedHeight(116);
    auto* drop = new QVBoxLayout(m_drop);
    drop->setAlignment(Qt::AlignCenter);
    drop->setSpacing(8);
    auto* open = new QPushButton(tr("Open a model…"), m_drop);
    setLook(*open, QStringLiteral("primary"));
    open->setToolTip(tr("Open a .pt2 or .fxj file (Ctrl+O)"));
    open->setMinimumWidth(160);
    auto* hint = new QLabel(tr("or drop a .pt2 or .fxj file here"), m_drop);
    setLook(*hint, QStringLiteral("hint"));
    drop->addWidget(open, 0, Qt::AlignHCenter);
    drop->addWidget(hint, 0, Qt::AlignHCenter);
    column->addWidget(m_drop);
    column->addSpacing(16);
    connect(open, &QPushButton::clicked, this, &WelcomePage::openRequested);

    auto* lists = new QHBoxLayout;
    lists->setSpacing(24);
    m_recent = new QVBoxLayout;
    m_samples = new QVBoxLayout;
    for (QVBoxLayout* list : {m_recent, m_samples}) {
        list->setSpacing(2);
        auto* side = new QVBoxLayout;
        side->addLayout(list);
        side->addStretch(1);
        lists->addLayout(side, 1);
    }
    column->addLayout(lists);
    column->addStretch(3);
}

void WelcomePage::setRecent(const std::vector<Entry>& entries)
{
    fill(m_recent, tr("Recent"), entries, QStringLiteral("file"), tr("Models that you open are listed here."));
}

void WelcomePage::setSamples(const std::vector<Entry>& entries)
{
    fill(m_samples, tr("Samples"), entries, QStringLiteral("graph"), tr("No sample models are installed."));
}

void WelcomePage::fill(QVBoxLayout* column, const QString& title, const std::vector<Entry>& entries,
                       const QString& icon, const QString& nothing)
{
    while (QLayoutItem* item = column->takeAt(0)) {
        if (item->widget() != nullptr)
            item->widget()->deleteLater();
        delete item;
    }
    auto* heading = new QLabel(title, this);
    setLook(*heading, QStringLiteral("sectionTitle"));
    heading->setContentsMargins(10, 0, 0, 4);
    column->addWidget(heading);
    if (entries.empty()) {
        auto* none = new QLabel(nothing, this);
        setLook(*none, QStringLiteral("hint"));
        none->setWordWrap(true);
        none->setContentsMargins(10, 0, 0, 0);
        column->addWidget(none);
    }
    for (const Entry& entry : entries) {
        auto* button = new EntryButton(visible(entry.title), visible(entry.detail), icon, this);
        button->setToolTip(folded(visible(entry.path)));
        connect(button, &QPushButton::clicked, this, [this, path = entry.path] { emit fileRequested(path); });
        column->addWidget(button);
    }
}

void WelcomePage::setDropping(bool dropping)
{
    m_dropping = dropping;
    update();
}

void WelcomePage::paintEvent(QPaintEvent*)
{
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.canvas);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame(m_drop->mapTo(this, QPoint()), m_drop->size());
    QPen pen(m_dropping ? theme.selection : theme.line, m_dropping ? 2 : 1.5, Qt::DashLine);
    painter.setPen(pen);
    painter.setBrush(m_dropping ? mixed(theme.canvas, theme.selection, 0.08) : theme.panel);
    painter.drawRoundedRect(frame.adjusted(1, 1, -1, -1), 8, 8);
}

} // namespace sunder
