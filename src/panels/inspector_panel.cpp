#include "panels/inspector_panel.h"

#include "document/text.h"
#include "models/inspector_model.h"
#include "models/name_delegate.h"
#include "models/tag_style_of.h"
#include "panels/ui_inspector_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPainter>
#include <QRegularExpression>
#include <QScopedValueRollback>
#include <QShortcut>

#include <algorithm>
#include <utility>

namespace sunder {
namespace {

/// Paints properties: names as NameDelegate does, and bars for values that have them.
class PropertyDelegate final : public NameDelegate {
    Q_OBJECT

public:
    using NameDelegate::NameDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

void PropertyDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const auto bars = index.data(InspectorModel::kBarsRole).value<QList<double>>();
    if (bars.isEmpty())
        return NameDelegate::paint(painter, option, index);
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    cell.text.clear();
    const QStyle& style = cell.widget != nullptr ? *cell.widget->style() : *QApplication::style();
    style.drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    const QRectF room = QRectF(style.subElementRect(QStyle::SE_ItemViewItemText, &cell, cell.widget)).adjusted(2, 2, -2, -2);
    const double width = room.width() / static_cast<double>(bars.size());
    for (qsizetype i = 0; i < bars.size(); ++i) {
        const double height = bars[i] > 0 ? std::max(1.0, bars[i] * room.height()) : 0.0;
        const double gap = width > 3 ? 1 : 0;
        painter->fillRect(QRectF(room.left() + static_cast<double>(i) * width, room.bottom() - height, width - gap, height),
                          currentTheme().dim);
    }
}
constexpr int kNameWidth = 84;
constexpr int kMostNameWidth = 116; ///< with names of unfolded lines

/// Returns a valid file name for any weight name.
QString fileNameFor(const QString& weight)
{
    static const QRegularExpression other(QStringLiteral("[^A-Za-z0-9._-]"));
    QString name = weight.left(100);
    name.replace(other, QStringLiteral("_"));
    return name + QStringLiteral(".npy");
}

/// Returns the row numbers of an index and its parent, from the top.
std::pair<int, int> rowsOf(const QModelIndex& index)
{
    return index.parent().isValid() ? std::pair(index.parent().row(), index.row()) : std::pair(index.row(), -1);
}
} // namespace

InspectorPanel::InspectorPanel(Document& document, Jobs& jobs, QWidget* parent)
    : QWidget(parent), m_document(document), m_readings(new WeightReadings(document, jobs, this)),
      m_memories(new PartMemories(document, jobs, this)), m_model(new InspectorModel(this)),
      m_ui(std::make_unique<Ui::InspectorPanel>())
{
    m_ui->setupUi(this);
    setAttribute(Qt::WA_StyledBackground);
    m_ui->view->setModel(m_model);
    m_ui->view->setItemDelegate(new PropertyDelegate(m_ui->view));
    m_ui->view->header()->setSectionResizeMode(0, QHeaderView::Fixed);
    m_ui->view->setColumnWidth(0, kNameWidth);
    connect(m_ui->view, &QTreeView::activated, this, &InspectorPanel::follow);
    connect(m_ui->view, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        const Property* line = m_model->property(index);
        if (line != nullptr && (line->link.node || line->action != LineAction::none))
            follow(index);
    });
    connect(m_ui->view, &QTreeView::expanded, this, [this](const QModelIndex& index) {
        const Property* line = m_model->property(index);
        if (line != nullptr && line->weight && m_readings->of(line->weight) == nullptr)
            m_readings->read(line->weight);
        else if (line != nullptr && line->tag >= 0)
            m_memories->read();
        if (!m_isRefreshing) {
            m_unfolded = index.row();
            revealUnfolded();
        }
    });
    // Queued, because a view that is expanding a line must finish first.
    const auto take = [this] {
        refreshLines();
        revealUnfolded();
    };
    connect(m_readings, &WeightReadings::changed, this, take, Qt::QueuedConnection);
    connect(m_memories, &PartMemories::changed, this, take, Qt::QueuedConnection);
    connect(m_readings, &WeightReadings::failed, this, &InspectorPanel::failed);
    connect(m_readings, &WeightReadings::saved, this, &InspectorPanel::message);
    auto* copyKey = new QShortcut(QKeySequence::Copy, m_ui->view);
    copyKey->setContext(Qt::WidgetShortcut);
    connect(copyKey, &QShortcut::activated, this, &InspectorPanel::copy);

    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what & (Change::selection | Change::tags | Change::program | Change::sizes | Change::outcome | Change::devices))
            refresh();
        else if (what.testFlag(Change::costs) && m_model->rowCount() > 0)
            refreshLines();
    });
    refresh();
}

InspectorPanel::~InspectorPanel() = default;

QTreeView& InspectorPanel::view()
{
    return *m_ui->view;
}

void InspectorPanel::refresh()
{
    if (m_document.isOpen() && !m_document.marks().selection().source.empty())
        m_document.costs().want();
    m_unfolded = -1;
    m_ui->view->setColumnWidth(0, kNameWidth);
    m_model->setProperties(inspect(m_document, m_readings, m_memories));
    const bool any = m_model->rowCount() > 0;
    m_ui->view->setVisible(any);
    m_ui->empty->setVisible(!any);
}

/// Scrolls to the lines below the line that was expanded last, and gives their names room.
void InspectorPanel::revealUnfolded()
{
    const QModelIndex line = m_model->index(m_unfolded, 0);
    if (const int below = m_model->rowCount(line); line.isValid() && below > 0) {
        m_ui->view->resizeColumnToContents(0);
        m_ui->view->setColumnWidth(0, std::clamp(m_ui->view->columnWidth(0), kNameWidth, kMostNameWidth));
        m_ui->view->scrollTo(m_model->index(below - 1, 0, line));
        m_ui->view->scrollTo(line);
    }
}

void InspectorPanel::refreshLines()
{
    const QScopedValueRollback refreshing(m_isRefreshing, true);
    const auto nameOf = [this](const QModelIndex& index) {
        const Property* line = m_model->property(index);
        return line == nullptr ? QString() : line->key + QLatin1Char('\n') + line->value;
    };
    QStringList open;
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (m_ui->view->isExpanded(m_model->index(row, 0)))
            open += nameOf(m_model->index(row, 0));
    const auto [top, child] = rowsOf(m_ui->view->currentIndex());
    const QString current = nameOf(m_model->index(top, 0));
    m_model->setProperties(inspect(m_document, m_readings, m_memories));
    int now = std::min(top, m_model->rowCount() - 1);
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QString name = nameOf(m_model->index(row, 0));
        if (open.contains(name))
            m_ui->view->expand(m_model->index(row, 0));
        if (name == current)
            now = row;
    }
    const QModelIndex parent = m_model->index(now, 0);
    const int last = m_model->rowCount(parent) - 1;
    m_ui->view->setCurrentIndex(child < 0 ? parent : m_model->index(std::min(child, last), 0, parent));
}

void InspectorPanel::act(const Property& line)
{
    const TensorId weight = line.weight; // copied, because the line is replaced
    if (line.action == LineAction::readWeight)
        m_readings->read(weight);
    else if (line.action == LineAction::saveWeight)
        chooseFileFor(weight);
    else if (line.action == LineAction::countCosts) {
        m_document.costs().retry();
        refreshLines();
    }
}

void InspectorPanel::chooseFileFor(TensorId weight)
{
    const QString name = exact(m_document.snapshot()->program.tensors[weight].fqn.view());
    const QString path = QFileDialog::getSaveFileName(this, tr("Save as .npy"), fileNameFor(name), tr("NumPy (*.npy)"));
    if (!path.isEmpty())
        m_readings->save(weight, path);
}

void InspectorPanel::follow(const QModelIndex& index)
{
    const Property* line = m_model->property(index);
    if (line == nullptr)
        return;
    if (line->action != LineAction::none)
        return act(*line);
    if (!line->link.node) {
        m_ui->view->setExpanded(index.siblingAtColumn(0), !m_ui->view->isExpanded(index.siblingAtColumn(0)));
        return;
    }
    const Property copy = *line; // copied, because selecting replaces the lines
    if (copy.linkRun != 0)
        m_document.marks().selectIn(copy.linkRun, {copy.link});
    else
        m_document.marks().select({copy.link.node});
    m_document.marks().reveal();
}

void InspectorPanel::copy()
{
    if (const Property* line = m_model->property(m_ui->view->currentIndex()))
        QGuiApplication::clipboard()->setText(line->value);
}

} // namespace sunder

#include "inspector_panel.moc"
#include "moc_inspector_panel.cpp"
