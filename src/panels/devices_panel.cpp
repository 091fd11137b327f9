#include "panels/devices_panel.h"

#include "analysis/device_rows.h"
#include "document/text.h"
#include "io/side_files/partitioner_files.h"
#include "models/device_model.h"
#include "models/themed_icon.h"
#include "panels/device_table.h"
#include "panels/section_header.h"
#include "text/amounts.h"

#include <QAction>
#include <QClipboard>
#include <QColorDialog>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>

namespace sunder {

DevicesPanel::DevicesPanel(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_model(new DeviceModel(document, this)), m_view(new DeviceTable(this))
{
    setObjectName(QStringLiteral("panel"));
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* header = new SectionHeader(tr("Devices"), this);
    auto* add = header->addButton(QStringLiteral("add"), tr("Add a device (Insert, in the table)"));
    add->setObjectName(QStringLiteral("addDevice"));
    auto* more = header->addButton(QStringLiteral("down"), tr("Import, export and paste devices"));
    column->addWidget(header);
    auto* inset = new QVBoxLayout;
    inset->setContentsMargins(8, 0, 4, 0);
    inset->addWidget(m_view);
    column->addLayout(inset, 1);
    m_view->setModel(m_model);
    m_view->setObjectName(QStringLiteral("rows"));
    m_view->setHint(tr("What the model is cut for. Add a device (Insert), paste rows from a spreadsheet (Ctrl+V: name, memory), "
                       "or import DEVICES.json."));
    m_view->setIconSize({14, 14});
    m_view->setDragDropMode(QAbstractItemView::InternalMove);
    m_view->setDefaultDropAction(Qt::MoveAction);
    m_view->setAccessibleName(tr("Devices"));
    m_view->header()->setStretchLastSection(false);
    m_view->header()->setMinimumSectionSize(36);
    m_view->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_view->header()->setSectionResizeMode(DeviceModel::NameColumn, QHeaderView::Stretch);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);

    connect(add, &QToolButton::clicked, this, &DevicesPanel::add);
    connect(more, &QToolButton::clicked, this, [this, more] { showMenu(more->mapToGlobal(QPoint(0, more->height()))); });
    connect(m_view, &QTreeView::customContextMenuRequested, this,
            [this](const QPoint& at) { showMenu(m_view->viewport()->mapToGlobal(at)); });
    connect(m_model, &DeviceModel::refused, this, &DevicesPanel::message);
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what.testFlag(Change::devices))
            showState();
    });
    addActions();
    showState();
}

void DevicesPanel::addActions()
{
    const auto on = [this](const QString& text, const QKeySequence& key, auto what) {
        auto* action = new QAction(text, m_view);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetShortcut);
        m_view->addAction(action);
        connect(action, &QAction::triggered, this, what);
    };
    on(tr("Add a device"), Qt::Key_Insert, [this] { add(); });
    on(tr("Remove"), Qt::Key_Delete, [this] { removeCurrent(); });
    on(tr("Move up"), QKeySequence(Qt::ALT | Qt::Key_Up), [this] { moveCurrent(-1); });
    on(tr("Move down"), QKeySequence(Qt::ALT | Qt::Key_Down), [this] { moveCurrent(1); });
    on(tr("Copy as rows"), QKeySequence::Copy, [this] { copyRows(); });
    on(tr("Paste rows"), QKeySequence::Paste, [this] { pasteRows(QGuiApplication::clipboard()->text()); });
}

void DevicesPanel::showState()
{
    // The optional columns take no room until something stands in them.
    const std::vector<Device>& devices = m_document.devices();
    const auto has = [&](const auto& member) { return std::any_of(devices.begin(), devices.end(), member); };
    const bool anySpeed = has([](const Device& device) { return device.speed.has_value(); });
    const bool anyBandwidth = has([](const Device& device) { return device.bandwidthBytesPerSecond.has_value(); });
    m_view->setColumnHidden(DeviceModel::SpeedColumn, !anySpeed);
    m_view->setColumnHidden(DeviceModel::BandwidthColumn, !anyBandwidth);
    m_view->setHeaderHidden(!anySpeed && !anyBandwidth); // name and memory say what they are
    m_view->viewport()->update();
}

void DevicesPanel::showMenu(const QPoint& globalPosition)
{
    QMenu menu(this);
    menu.addAction(themedIcon(QStringLiteral("add")), tr("Add a device"), this, &DevicesPanel::add);
    menu.addAction(tr("Paste rows\tCtrl+V"), [this] { pasteRows(QGuiApplication::clipboard()->text()); });
    const int row = m_view->currentIndex().row();
    const bool any = m_model->rowCount() > 0;
    if (row >= 0) {
        menu.addSeparator();
        menu.addAction(tr("Edit…\tEnter"), [this] { m_view->edit(m_view->currentIndex()); });
        menu.addAction(tr("Speed and bandwidth…"), [this, row] {
            m_view->setColumnHidden(DeviceModel::SpeedColumn, false);
            m_view->setColumnHidden(DeviceModel::BandwidthColumn, false);
            m_view->setHeaderHidden(false);
            const QModelIndex speed = m_model->index(row, DeviceModel::SpeedColumn);
            m_view->setCurrentIndex(speed);
            m_view->edit(speed);
        });
        menu.addAction(tr("Colour…"), [this, row] { chooseColor(row); });
        menu.addSeparator();
        menu.addAction(tr("Move up\tAlt+Up"), [this] { moveCurrent(-1); })->setEnabled(row > 0);
        menu.addAction(tr("Move down\tAlt+Down"), [this] { moveCurrent(1); })->setEnabled(row + 1 < m_model->rowCount());
        menu.addAction(themedIcon(QStringLiteral("trash")), tr("Remove\tDelete"), this, &DevicesPanel::removeCurrent);
    }
    menu.addSeparator();
    menu.addAction(tr("Import…"), [this] {
        const QString path = QFileDialog::getOpenFileName(this, tr("Import devices"), {}, tr("Devices (*.json);;All files (*)"));
        if (!path.isEmpty())
            importFile(path);
    });
    QAction* save = menu.addAction(tr("Export…"), [this] {
        const QString path = QFileDialog::getSaveFileName(this, tr("Export devices"), QStringLiteral("devices.json"),
                                                          tr("Devices (*.json)"));
        if (!path.isEmpty())
            exportFile(path);
    });
    save->setEnabled(any);
    menu.exec(globalPosition);
}

void DevicesPanel::add()
{
    const QModelIndex index = m_model->index(m_model->add(), DeviceModel::NameColumn);
    m_view->setCurrentIndex(index);
    m_view->setFocus();
    m_view->edit(index);
}

void DevicesPanel::removeCurrent()
{
    const int row = m_view->currentIndex().row();
    m_model->remove(row);
    if (m_model->rowCount() > 0)
        m_view->setCurrentIndex(m_model->index(std::min(row, m_model->rowCount() - 1), 0));
}

void DevicesPanel::moveCurrent(int by)
{
    const QModelIndex index = m_view->currentIndex();
    const int to = index.row() + by;
    if (!index.isValid() || to < 0 || to >= m_model->rowCount())
        return;
    m_model->move(index.row(), to);
    m_view->setCurrentIndex(m_model->index(to, index.column()));
}

void DevicesPanel::copyRows()
{
    if (!m_document.devices().empty())
        QGuiApplication::clipboard()->setText(exact(deviceRowsText(m_document.devices())));
}

void DevicesPanel::pasteRows(const QString& rows)
{
    Result<std::vector<Device>> devices = parseDeviceRows(rows.toStdString());
    if (!devices) {
        emit failed(tr("Nothing was pasted"), sentence(devices.error().message));
        return;
    }
    const QString count = countText(devices->size(), "device");
    m_model->insert(std::move(*devices), m_view->currentIndex().row(), tr("Paste %1").arg(count));
    emit message(tr("Pasted %1.").arg(count));
}

void DevicesPanel::importFile(const QString& path)
{
    Result<std::vector<Device>> devices = readDevicesFile(path.toStdString());
    if (!devices) {
        emit failed(tr("The devices were not imported"), text(describe(devices.error())));
        return;
    }
    const QString count = countText(devices->size(), "device");
    m_document.setDevices(std::move(*devices), tr("Import %1").arg(count));
    emit message(tr("Imported %1 from %2.").arg(count, QFileInfo(path).fileName()));
}

void DevicesPanel::exportFile(const QString& path)
{
    if (const Result<void> written = writeDevicesFile(m_document.devices(), path.toStdString()); !written) {
        emit failed(tr("The devices were not exported"), text(describe(written.error())));
        return;
    }
    emit message(tr("Exported the devices to %1.").arg(path));
}

void DevicesPanel::chooseColor(int row)
{
    const Device& device = m_document.devices()[static_cast<std::size_t>(row)];
    const QColor chosen = QColorDialog::getColor(deviceColor(device, static_cast<std::size_t>(row)), this,
                                                 tr("Colour of %1").arg(brief(text(device.name))));
    if (chosen.isValid())
        m_model->recolor(row, chosen);
}

} // namespace sunder
