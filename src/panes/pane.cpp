#include "panes/pane.h"

#include "panes/graph_view.h"
#include "panes/ui_pane.h"
#include "text/present_keys.h"
#include "text/shown_text.h"

#include <QSettings>

namespace sunder {

Pane::Pane(const QString& title, QWidget* parent)
    : QWidget(parent), m_title(title), m_header(new PaneHeader(title, *this)), m_ui(std::make_unique<Ui::Pane>()),
      m_link(new LinkButton(m_header))
{
    m_ui->setupUi(this);
    m_ui->outer->insertWidget(0, m_header);
    setMinimumSize(200, 120);
    setAutoFillBackground(true); // Qt paints separators of the main window behind tabbed docks
    m_link->hide();
    connect(m_header, &PaneHeader::doubleClicked, this, &Pane::maximizeRequested);
}

Pane::~Pane() = default;

QVBoxLayout& Pane::column()
{
    return *m_ui->column;
}

void Pane::zoomBy(double factor)
{
    if (GraphView* view = graphInFront())
        view->canvas().zoomBy(factor);
}

void Pane::showAll()
{
    if (GraphView* view = graphInFront())
        view->canvas().fitAll();
}

double Pane::zoom()
{
    const GraphView* view = graphInFront();
    return view != nullptr ? view->canvas().camera().zoom() : 1;
}

void Pane::setZoom(double zoom)
{
    if (GraphView* view = graphInFront())
        view->canvas().setZoom(zoom);
}

void Pane::showHint(const QString& hint)
{
    m_hint = hint;
    refreshKeys();
    m_ui->stack->setCurrentIndex(hint.isEmpty() ? 0 : 1);
}

void Pane::refreshKeys()
{
    m_ui->hint->setText(withShortWords(withPresentKeys(m_hint)));
}

void Pane::addExportButton(const QString& tip)
{
    connect(m_header->addButton(QStringLiteral("export"), tip), &QToolButton::clicked, this, &Pane::exportRequested);
}

void Pane::rememberLinkAs(const QString& name)
{
    const QString key = QStringLiteral("link/%1").arg(name);
    const int saved = QSettings().value(key, static_cast<int>(Following::show)).toInt();
    m_link->setFollowing(static_cast<Following>(qBound(0, saved, static_cast<int>(Following::center))));
    connect(m_link, &LinkButton::followingChanged, this,
            [key](Following following) { QSettings().setValue(key, static_cast<int>(following)); });
}

void Pane::link(GraphView& view)
{
    view.setCentering(following() == Following::center);
    connect(m_link, &LinkButton::followingChanged, &view,
            [&view](Following following) { view.setCentering(following == Following::center); });
    connect(&view.canvas(), &CanvasWidget::zoomChosen, this, [this, &view](double zoom) {
        if (&view == graphInFront())
            emit zoomChosen(zoom);
    });
    connect(&view.canvas(), &CanvasWidget::cameraChanged, this, &Pane::zoomed);
    connect(&view, &GraphView::edgeMenuRequested, this, &Pane::edgeMenuRequested);
    connect(&view, &GraphView::pictureShown, this, [this, &view] {
        if (&view == graphInFront())
            emit graphShown();
    });
}

void Pane::addLinkButton()
{
    m_header->addWidget(m_link);
    m_link->show();
}

void Pane::addWindowButtons()
{
    addLinkButton();
    connect(m_header->addButton(QStringLiteral("maximize"), tr("Maximize or restore (double-click the title)")),
            &QToolButton::clicked, this, &Pane::maximizeRequested);
    connect(m_header->addButton(QStringLiteral("close"), tr("Close %1").arg(m_title)), &QToolButton::clicked, this,
            &Pane::closeRequested);
}

} // namespace sunder

#include "moc_pane.cpp"
