#include "panels/welcome_page.h"

#include "models/tag_style_of.h"
#include "models/themed_icon.h"
#include "panels/ui_welcome_page.h"
#include "text/elided_name.h"
#include "text/shown_text.h"

#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace sunder {
namespace {

/// An entry that opens something: a title and a dimmed description.
class EntryButton final : public QPushButton {
public:
    EntryButton(QString title, QString detail, QString icon, QWidget* parent)
        : QPushButton(parent), m_title(std::move(title)), m_detail(std::move(detail)), m_icon(std::move(icon))
    {
        setAutoDefault(true); // Enter opens it; by default, only Space does outside dialogs
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
        painter.drawText(upper, Qt::AlignLeft | Qt::AlignVCenter, elidedName(m_title, QFontMetricsF(bold), upper.width()));
        painter.setFont(font());
        painter.setPen(theme.dim);
        const QRect lower(text.left(), upper.bottom() + 1, text.width(), text.height() / 2);
        painter.drawText(lower, Qt::AlignLeft | Qt::AlignVCenter, elidedName(m_detail, QFontMetricsF(font()), lower.width()));
    }

private:
    QString m_title;
    QString m_detail;
    QString m_icon;
};

} // namespace

WelcomePage::WelcomePage(QWidget* parent) : QWidget(parent), m_ui(std::make_unique<Ui::WelcomePage>())
{
    m_ui->setupUi(this);
    QFont large = m_ui->title->font();
    large.setPointSizeF(large.pointSizeF() * 2);
    m_ui->title->setFont(large);
    connect(m_ui->open, &QPushButton::clicked, this, &WelcomePage::openRequested);
}

WelcomePage::~WelcomePage() = default;

void WelcomePage::setRecent(const std::vector<Entry>& entries)
{
    m_ui->recentNothing->setVisible(entries.empty());
    fill(*m_ui->recentEntries, entries, QStringLiteral("file"));
}

void WelcomePage::setSamples(const std::vector<Entry>& entries)
{
    m_ui->samplesNothing->setVisible(entries.empty());
    fill(*m_ui->samplesEntries, entries, QStringLiteral("graph"));
}

void WelcomePage::fill(QVBoxLayout& column, const std::vector<Entry>& entries, const QString& icon)
{
    while (QLayoutItem* item = column.takeAt(0)) {
        if (item->widget() != nullptr)
            item->widget()->deleteLater();
        delete item;
    }
    for (const Entry& entry : entries) {
        auto* button = new EntryButton(visible(entry.title), visible(entry.detail), icon, this);
        button->setToolTip(folded(visible(entry.path)));
        connect(button, &QPushButton::clicked, this, [this, path = entry.path] { emit fileRequested(path); });
        column.addWidget(button);
    }
    orderTabs();
}

/// Tab goes through the page from top to bottom. New entries are last in the tab order of the window, after its tool bar.
void WelcomePage::orderTabs()
{
    QWidget* before = m_ui->open;
    for (const QVBoxLayout* column : {m_ui->recentEntries, m_ui->samplesEntries})
        for (int i = 0; i < column->count(); ++i)
            if (QWidget* entry = column->itemAt(i)->widget()) {
                setTabOrder(before, entry);
                before = entry;
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
    const QRectF frame(m_ui->drop->mapTo(this, QPoint()), m_ui->drop->size());
    QPen pen(m_dropping ? theme.selection : theme.line, m_dropping ? 2 : 1.5, Qt::DashLine);
    painter.setPen(pen);
    painter.setBrush(m_dropping ? mixed(theme.canvas, theme.selection, 0.08) : theme.panel);
    painter.drawRoundedRect(frame.adjusted(1, 1, -1, -1), 8, 8);
}

} // namespace sunder

#include "moc_welcome_page.cpp"
