#include "panels/devices_panel.h"

#include "analysis/device_presets.h"
#include "document/runs/why_here.h"
#include "document/text.h"
#include "io/side_files/devices_file.h"
#include "models/device_model.h"
#include "models/name_delegate.h"
#include "models/row_actions.h"
#include "models/row_delegate.h"
#include "models/tag_style_of.h"
#include "models/themed_icon.h"
#include "panels/device_table.h"
#include "panels/ui_devices_panel.h"
#include "support/memory_text.h"
#include "text/amounts.h"

#include <QClipboard>
#include <QColorDialog>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QResizeEvent>
#include <QStyledItemDelegate>

#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

/// Paints the memory use of a device as a bar. An overflow is red, beyond a tick at the capacity.
class DeviceLoadDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

constexpr int kBarWidth = 48;
constexpr int kBarHeight = 8;
constexpr int kGap = 4; ///< on each side
constexpr double kMinCapacity = 0.06; ///< minimum fraction of the bar if the overflow is large; 0 for a device of 0 B

void DeviceLoadDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyledItemDelegate::paint(painter, option, index); // paints the background; there is no text
    const QVariant share = index.data(DeviceModel::UsedShareRole);
    if (!share.isValid())
        return;
    const Theme& theme = currentTheme();
    const double used = share.toDouble();
    const QRectF cell = QRectF(option.rect).adjusted(kGap, 0, -kGap, 0);
    const QRectF bar(cell.left(), cell.center().y() - kBarHeight / 2.0, cell.width(), kBarHeight);
    // With an overflow, the full bar is the used memory.
    const double capacity = used <= 1 ? 1 : std::isinf(used) ? 0 : std::max(kMinCapacity, 1 / used);
    const double x = bar.left() + capacity * bar.width();
    if (capacity > 0)
        paintBar(*painter, {bar.topLeft(), QPointF(x, bar.bottom())}, std::min(used, 1.0),
                 index.data(DeviceModel::ColorRole).value<QColor>());
    if (used > 1) {
        paintBar(*painter, {QPointF(x, bar.top()), bar.bottomRight()}, 1, theme.error);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(theme.text, 1.4));
        painter->drawLine(QPointF(x, bar.top() - 3), QPointF(x, bar.bottom() + 3));
        painter->restore();
    }
}

QSize DeviceLoadDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    return {kBarWidth + 2 * kGap, QStyledItemDelegate::sizeHint(option, index).height()};
}

/// Returns the columns of values that devices need not have, the first one to hide first.
std::vector<int> optionalColumns()
{
    std::vector<int> columns{DeviceModel::ratesColumn(), DeviceModel::linksColumn()};
    for (const DeviceFigure& figure : deviceFigures())
        if (figure.member != nullptr)
            columns.push_back(DeviceModel::columnOf(figure.key));
    return columns;
}

} // namespace

DevicesPanel::DevicesPanel(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_model(new DeviceModel(document, this)), m_ui(std::make_unique<Ui::DevicesPanel>())
{
    m_ui->setupUi(this);
    setThemedIcons(*this);
    setAttribute(Qt::WA_StyledBackground);
    m_ui->rows->setModel(m_model);
    m_ui->rows->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_ui->rows->header()->setSectionResizeMode(DeviceModel::NameColumn, QHeaderView::Stretch);
    m_ui->rows->setItemDelegate(new NameDelegate(m_ui->rows));
    m_ui->rows->setItemDelegateForColumn(DeviceModel::LoadColumn, new DeviceLoadDelegate(m_ui->rows));

    m_ui->rows->viewport()->installEventFilter(this);

    connect(m_ui->addDevice, &QToolButton::clicked, this, &DevicesPanel::add);
    connect(m_ui->useLast, &QToolButton::clicked, this, [this] { m_document.devices().useLast(); });
    connect(m_ui->more, &QToolButton::clicked, this,
            [this] { showMenu(m_ui->more->mapToGlobal(QPoint(0, m_ui->more->height()))); });
    connect(m_ui->rows, &QTreeView::customContextMenuRequested, this,
            [this](const QPoint& at) { showMenu(m_ui->rows->viewport()->mapToGlobal(at)); });
    connect(m_ui->rows, &QTreeView::doubleClicked, this, [this](const QModelIndex& cell) {
        if (cell.column() == DeviceModel::linksColumn() && m_model->rowCount() > 1)
            emit linksWanted();
    });
    connect(m_model, &DeviceModel::refused, this, &DevicesPanel::message);
    m_ui->rows->setRefusal([this](const QModelIndex& cell, const QString& typed) { return m_model->refusalOf(cell, typed); });
    connect(m_model, &DeviceModel::unitWanted, this, [this](const QModelIndex& at, const QString& typed) {
        // Queued until the editor of the cell is closed.
        QMetaObject::invokeMethod(
            this, [this, cell = QPersistentModelIndex(at), typed] { askForUnit(cell, typed); }, Qt::QueuedConnection);
    });
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what.testFlag(Change::devices))
            showState();
    });
    addActions();
    showState();
}

DevicesPanel::~DevicesPanel() = default;

DeviceTable& DevicesPanel::view()
{
    return *m_ui->rows;
}

void DevicesPanel::addActions()
{
    const auto on = [this](const QString& text, const QKeySequence& key, auto what) {
        addRowAction(*m_ui->rows, text, key, this, what);
    };
    on(tr("Add a device"), Qt::Key_Insert, [this] { add(); });
    on(tr("Add a preset"), QKeySequence(Qt::ALT | Qt::Key_Insert), [this] { emit presetsWanted(); });
    on(tr("Links"), QKeySequence(Qt::ALT | Qt::Key_Return), [this] {
        if (m_model->rowCount() > 1)
            emit linksWanted();
    });
    on(tr("Remove"), Qt::Key_Delete, [this] { removeCurrent(); });
    on(tr("Move up"), QKeySequence(Qt::ALT | Qt::Key_Up), [this] { moveCurrent(-1); });
    on(tr("Move down"), QKeySequence(Qt::ALT | Qt::Key_Down), [this] { moveCurrent(1); });
    on(tr("Copy as rows"), QKeySequence::Copy, [this] { copyRows(); });
    on(tr("Paste rows"), QKeySequence::Paste, [this] { pasteRows(QGuiApplication::clipboard()->text()); });
}

void DevicesPanel::showState()
{
    showColumns();
    m_ui->rows->viewport()->update();
    showOffer();
}

void DevicesPanel::showColumns()
{
    // Optional columns are hidden while they are empty.
    const std::vector<Device>& devices = m_document.devices().list();
    for (const int column : optionalColumns())
        m_ui->rows->setColumnHidden(column, std::ranges::none_of(devices, [column](const Device& device) {
                                        return DeviceModel::isStated(device, column);
                                    }));
    leaveRoomForNames();
    m_ui->rows->setHeaderHidden(std::ranges::all_of(optionalColumns(), [this](int column) {
        return m_ui->rows->isColumnHidden(column);
    })); // name and memory are self-explanatory
}

bool DevicesPanel::offersLast() const
{
    return m_document.isOpen() && m_document.devices().list().empty() && !m_document.devices().last().empty();
}

void DevicesPanel::showOffer()
{
    constexpr std::size_t kNamed = 8;
    QStringList names;
    for (const Device& device : m_document.devices().last())
        if (names.size() < static_cast<qsizetype>(kNamed))
            names << brief(text(device.name));
    if (m_document.devices().last().size() > kNamed)
        names << tr("and %1 more").arg(m_document.devices().last().size() - kNamed);
    if (!offersLast() && m_ui->useLast->hasFocus())
        m_ui->rows->setFocus();
    m_ui->useLast->setVisible(offersLast());
    m_ui->useLast->setToolTip(folded(names.join(QStringLiteral(", "))));
}

/// Names are shown in full before other columns; speed is hidden first. The tooltips of rows contain the hidden columns.
void DevicesPanel::leaveRoomForNames()
{
    constexpr int kMinName = 72;
    constexpr int kMaxName = 200; ///< limit for names from untrusted files
    const DeviceTable& rows = *m_ui->rows;
    const auto widthOf = [&rows](int column) {
        return std::max(rows.sizeHintForColumn(column), rows.header()->sectionSizeHint(column));
    };
    int room = rows.viewport()->width() - std::clamp(rows.sizeHintForColumn(DeviceModel::NameColumn), kMinName, kMaxName);
    for (const int column : {DeviceModel::LoadColumn, DeviceModel::MemoryColumn})
        room -= widthOf(column);
    for (const int column : optionalColumns())
        room -= rows.isColumnHidden(column) ? 0 : widthOf(column);
    for (const int column : optionalColumns()) {
        if (room >= 0)
            return;
        if (rows.isColumnHidden(column))
            continue;
        room += widthOf(column);
        m_ui->rows->setColumnHidden(column, true);
    }
}

/// A scroll bar takes room as well.
bool DevicesPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_ui->rows->viewport() && event->type() == QEvent::Resize) {
        const auto* resized = static_cast<const QResizeEvent*>(event);
        if (resized->size().width() != resized->oldSize().width())
            showColumns();
    }
    return QWidget::eventFilter(watched, event);
}

void DevicesPanel::showMenu(const QPoint& globalPosition)
{
    QMenu menu(this);
    menu.addAction(themedIcon(QStringLiteral("add")), tr("Add a device"), this, &DevicesPanel::add);
    menu.addAction(tr("Add a preset…\tAlt+Insert"), this, &DevicesPanel::presetsWanted);
    menu.addAction(tr("Paste rows\tCtrl+V"), [this] { pasteRows(QGuiApplication::clipboard()->text()); });
    if (offersLast())
        menu.addAction(m_ui->useLast->text(), this, [this] { m_document.devices().useLast(); });
    const int row = m_ui->rows->currentIndex().row();
    const bool any = m_model->rowCount() > 0;
    if (row >= 0) {
        menu.addSeparator();
        menu.addAction(tr("Edit…\tEnter"), [this] { m_ui->rows->edit(m_ui->rows->currentIndex()); });
        menu.addAction(tr("Speed and bandwidth…"), [this, row] {
            for (const int column : optionalColumns())
                m_ui->rows->setColumnHidden(column, false);
            m_ui->rows->setHeaderHidden(false);
            const QModelIndex speed = m_model->index(row, DeviceModel::columnOf("speed"));
            m_ui->rows->setCurrentIndex(speed);
            m_ui->rows->edit(speed);
        });
        menu.addAction(tr("Color…"), [this, row] { chooseColor(row); });
        menu.addAction(tr("Links…\tAlt+Enter"), this, &DevicesPanel::linksWanted)->setEnabled(m_model->rowCount() > 1);
        const SplitOutcomePtr cut = m_document.runs().shownSplit();
        const WhyHere why = cut
            ? whyDeviceHere(m_document.graph(), *cut, m_document.devices().list()[static_cast<std::size_t>(row)].logicalId)
            : WhyHere();
        if (!cut || !cut->plan)
            menu.addAction(tr("&Why here?"), [this, row] { explainStage(row); })->setEnabled(m_document.tagCount() > 1);
        else
            menu.addAction(tr("&Why here?"), [this, why] { emit answered(why.question, why.answer); })
                ->setEnabled(!why.answer.isEmpty());
        menu.addSeparator();
        menu.addAction(tr("Move up\tAlt+Up"), [this] { moveCurrent(-1); })->setEnabled(row > 0);
        menu.addAction(tr("Move down\tAlt+Down"), [this] { moveCurrent(1); })->setEnabled(row + 1 < m_model->rowCount());
        menu.addAction(themedIcon(QStringLiteral("trash")), tr("Remove\tDelete"), this, &DevicesPanel::removeCurrent);
    }
    menu.addSeparator();
    menu.addAction(tr("Import…"), this, &DevicesPanel::chooseImport);
    QAction* save = menu.addAction(tr("Export…"), [this] {
        const QString path = QFileDialog::getSaveFileName(this, tr("Export devices"), QStringLiteral("devices.json"),
                                                          tr("Devices (*.json)"));
        if (!path.isEmpty())
            exportFile(path);
    });
    save->setEnabled(any);
    menu.exec(globalPosition);
}

/// Says what limits the stage that the tags have on a device.
void DevicesPanel::explainStage(int row)
{
    const QString question =
        tr("What limits %1?").arg(text(describe(m_document.devices().list()[static_cast<std::size_t>(row)])));
    m_document.loads().explainDevice(static_cast<std::uint32_t>(row), m_document.tags(),
                                     [this, question](const QString& why) { emit answered(question, why); });
}

/// Opens the menu below the cell with the most likely unit first, so that Return takes it.
void DevicesPanel::askForUnit(const QPersistentModelIndex& at, const QString& typed)
{
    const Result<std::uint64_t> figure = parseBytes(typed.toStdString());
    if (!at.isValid() || !figure || !isVisible())
        return;
    const QString suffix = at.column() == DeviceModel::MemoryColumn ? QString() : QStringLiteral("/s");
    const QString likely = text(likelyUnit(static_cast<double>(*figure)));
    QStringList units = {QStringLiteral("GB"), QStringLiteral("GiB"), QStringLiteral("MB"), QStringLiteral("MiB"),
                         QStringLiteral("B")};
    units.removeAll(likely);
    units.prepend(likely);
    auto* menu = new QMenu(m_ui->rows);
    menu->setObjectName(QStringLiteral("units"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("%1 of what?").arg(typed))->setEnabled(false);
    for (const QString& unit : units) {
        const QString whole = QStringLiteral("%1 %2%3").arg(typed, unit, suffix);
        menu->addAction(whole, this, [this, at, whole] {
            if (at.isValid())
                m_model->setData(at, whole, Qt::EditRole);
        });
    }
    menu->popup(m_ui->rows->viewport()->mapToGlobal(m_ui->rows->visualRect(at).bottomLeft()));
    menu->setActiveAction(menu->actions().at(1));
}

void DevicesPanel::add()
{
    const QModelIndex index = m_model->index(m_model->add(), DeviceModel::NameColumn);
    m_ui->rows->setCurrentIndex(index);
    m_ui->rows->setFocus();
    m_ui->rows->edit(index);
}

void DevicesPanel::removeCurrent()
{
    const int row = m_ui->rows->currentIndex().row();
    m_model->remove(row);
    if (m_model->rowCount() > 0)
        m_ui->rows->setCurrentIndex(m_model->index(std::min(row, m_model->rowCount() - 1), 0));
}

void DevicesPanel::moveCurrent(int by)
{
    const QModelIndex index = m_ui->rows->currentIndex();
    const int to = index.row() + by;
    if (!index.isValid() || to < 0 || to >= m_model->rowCount())
        return;
    m_model->move(index.row(), to);
    m_ui->rows->setCurrentIndex(m_model->index(to, index.column()));
}

void DevicesPanel::copyRows()
{
    if (!m_document.devices().list().empty())
        QGuiApplication::clipboard()->setText(exact(deviceRowsText(m_document.devices().list())));
}

void DevicesPanel::pasteRows(const QString& rows, const DeviceUnits& units)
{
    Result<DeviceRows> read = parseDeviceRows(rows.toStdString(), units);
    if (!read) {
        emit failed(tr("Nothing was pasted"), sentence(read.error().message));
        return;
    }
    if (read->isUnclear()) {
        emit unitsWanted(rows);
        return;
    }
    const QString count = countText(read->devices.size(), "device");
    QStringList others;
    for (const std::string& heading : read->passedOver)
        others << brief(text(heading));
    m_model->insert(std::move(read->devices), m_ui->rows->currentIndex().row(), tr("Paste %1").arg(count));
    emit message(others.isEmpty() ? tr("Pasted %1.").arg(count)
                                  : tr("Pasted %1; ignored columns: %2.").arg(count, others.join(QStringLiteral(", "))));
}

void DevicesPanel::addPreset(const DevicePreset& preset, int count)
{
    Result<std::vector<Device>> devices = devicesOf(preset, static_cast<std::size_t>(std::max(0, count)),
                                                    m_document.devices().list());
    if (!devices) {
        emit failed(tr("Nothing was added"), sentence(devices.error().message));
        return;
    }
    const QString what = QStringLiteral("%1 × %2").arg(QString::number(count), text(preset.name));
    m_model->insert(std::move(*devices), m_model->rowCount() - 1, tr("Add %1").arg(what));
    emit message(tr("Added %1. Source: %2.").arg(what, text(preset.source)));
}

void DevicesPanel::chooseImport()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Import devices"), {}, tr("Devices (*.json);;All files (*)"));
    if (!path.isEmpty())
        importFile(path);
}

void DevicesPanel::importFile(const QString& path)
{
    Result<std::vector<Device>> devices = readDevicesFile(path.toStdString());
    if (!devices) {
        emit importFailed(text(describe(devices.error())));
        return;
    }
    const QString count = countText(devices->size(), "device");
    m_document.devices().set(std::move(*devices), tr("Import %1").arg(count));
    emit message(tr("Imported %1 from %2.").arg(count, QFileInfo(path).fileName()));
}

void DevicesPanel::exportFile(const QString& path)
{
    if (const Result<void> written = writeDevicesFile(m_document.devices().list(), path.toStdString()); !written) {
        emit failed(tr("The devices were not exported"), text(describe(written.error())));
        return;
    }
    emit message(tr("Exported the devices to %1.").arg(path));
}

void DevicesPanel::chooseColor(int row)
{
    const Device& device = m_document.devices().list()[static_cast<std::size_t>(row)];
    const QColor chosen = QColorDialog::getColor(deviceColor(device, static_cast<std::size_t>(row)), this,
                                                 tr("Color of %1").arg(brief(text(device.name))));
    if (chosen.isValid())
        m_model->recolor(row, chosen);
}

} // namespace sunder

#include "devices_panel.moc"
#include "moc_devices_panel.cpp"
