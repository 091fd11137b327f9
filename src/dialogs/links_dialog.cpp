#include "dialogs/links_dialog.h"

#include "analysis/device_links.h"
#include "dialogs/ui_links_dialog.h"
#include "document/text.h"
#include "text/shown_text.h"

#include <QHeaderView>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace sunder {
namespace {

bool hasPairs(const std::vector<Device>& devices)
{
    return std::ranges::any_of(devices, [](const Device& device) {
        return std::ranges::any_of(device.links, [](const DeviceLink& link) { return link.to.has_value(); });
    });
}

/// Leaves only the links of pairs.
std::vector<Device> onlyPairs(std::vector<Device> devices)
{
    for (Device& device : devices)
        std::erase_if(device.links, [](const DeviceLink& link) { return !link.to; });
    return devices;
}

/// Returns the link for all pairs; an empty one if there is none.
DeviceLink linkOfAll(const std::vector<Device>& devices)
{
    for (const Device& device : devices)
        for (const DeviceLink& link : device.links)
            if (!link.to)
                return link;
    return {};
}

} // namespace

LinksDialog::LinksDialog(Document& document, QWidget* parent)
    : QDialog(parent), m_document(document), m_ui(std::make_unique<Ui::LinksDialog>()),
      m_model(new LinkModel(onlyPairs(document.devices().list()), this))
{
    m_ui->setupUi(this);
    const std::vector<Device>& devices = document.devices().list();
    const bool isSmall = devices.size() <= LinkModel::kMostDevices;
    if (isSmall) {
        m_ui->pairs->setModel(m_model);
        m_ui->pairs->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    }
    m_ui->byPair->setEnabled(isSmall);
    const DeviceLink all = linkOfAll(devices);
    m_ui->link->setText(text(linkText(all)));
    (hasPairs(devices) && isSmall ? m_ui->byPair : linkText(all).empty() ? m_ui->byDevices : m_ui->forAll)->setChecked(true);
    connect(m_ui->kinds, &QButtonGroup::idToggled, this, [this] { showState(); });
    connect(m_ui->link, &QLineEdit::textEdited, this, [this] {
        m_ui->forAll->setChecked(true);
        showState();
    });
    connect(m_model, &LinkModel::edited, this, [this] {
        m_refused.clear();
        m_ui->byPair->setChecked(true);
        showState();
    });
    connect(m_model, &LinkModel::refused, this, [this](const QString& why) {
        m_refused = why;
        showState();
    });
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what & (Change::program | Change::devices)) // the links are of other devices
            reject();
    });
    showState();
}

LinksDialog::~LinksDialog() = default;

void LinksDialog::showState()
{
    const QString why = refusal();
    m_ui->refusal->setText(why);
    m_ui->refusal->setVisible(!why.isEmpty());
    m_ui->buttons->button(QDialogButtonBox::Ok)->setEnabled(why.isEmpty() || !m_refused.isEmpty());
}

std::vector<Device> LinksDialog::devices() const
{
    if (m_ui->byPair->isChecked())
        return m_model->devices();
    std::vector<Device> devices = m_document.devices().list();
    const DeviceLink before = linkOfAll(devices);
    // An unchanged text keeps the exact figures.
    DeviceLink link = before;
    if (m_ui->link->text() != text(linkText(before)))
        link = parseLink(m_ui->link->text().toStdString()).value_or(DeviceLink());
    const bool isForAll = m_ui->forAll->isChecked() && !linkText(link).empty();
    for (Device& device : devices)
        device.links = isForAll ? std::vector{link} : std::vector<DeviceLink>();
    return devices;
}

QString LinksDialog::refusal() const
{
    if (m_ui->forAll->isChecked())
        return LinkModel::refusalOf(m_ui->link->text());
    if (!m_ui->byPair->isChecked())
        return {};
    if (!m_refused.isEmpty())
        return m_refused;
    const std::vector<Device>& devices = m_model->devices();
    const DeviceLinks links(devices);
    for (std::size_t from = 0; from < devices.size(); ++from)
        for (std::size_t to = 0; to < devices.size(); ++to)
            if (from != to && !links.between(from, to))
                return tr("No bandwidth from %1 to %2.").arg(text(describe(devices[from])), text(describe(devices[to])));
    return {};
}

void LinksDialog::accept()
{
    const std::vector<Device> changed = devices();
    m_document.disconnect(this);
    m_document.devices().set(changed, tr("Change links"));
    QDialog::accept();
}

} // namespace sunder

#include "moc_links_dialog.cpp"
