#include "dialogs/partition_dialog.h"

#include "dialogs/ui_partition_dialog.h"
#include "document/text.h"
#include "io/side_files/partitioner_files.h"
#include "models/device_model.h"
#include "passes/partition/device_mapping.h"
#include "support/memory_text.h"
#include "text/amounts.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>

#include <array>

namespace sunder {
namespace {

using Method = PartitionDialog::Method;

/// Names of the methods in the settings.
constexpr std::array<const char*, PartitionDialog::kMethods> kMethodKeys{"size_based", "sparse_nn", "cost_aware",
                                                                         "kl_based",   "aot_based", "2020"};

const char* keyOf(Method method)
{
    return kMethodKeys[static_cast<std::size_t>(method)];
}

bool needsLatencies(Method method)
{
    return method == Method::costAware || method == Method::klBased;
}

} // namespace

PartitionDialog::PartitionDialog(Document& document, Jobs& jobs, QWidget* parent)
    : QDialog(parent), m_document(document), m_jobs(jobs), m_ui(std::make_unique<Ui::PartitionDialog>())
{
    m_ui->setupUi(this);
    partitionButton().setText(tr("Partition"));
    partitionButton().setToolTip(tr("Distribute the model over the devices and verify the parts (Enter)"));
    int id = 0;
    for (QRadioButton* choice : {m_ui->sizeBased, m_ui->sparseNn, m_ui->costAware, m_ui->klBased, m_ui->asTagged, m_ui->of2020})
        m_ui->methods->setId(choice, id++);
    restore();
    connect(m_ui->methods, &QButtonGroup::idToggled, this, &PartitionDialog::showState);
    connect(m_ui->chooseConfig, &QPushButton::clicked, this, &PartitionDialog::chooseConfig);
    connect(m_ui->bandwidth, &QLineEdit::textChanged, this, &PartitionDialog::showState);
    connect(m_ui->count, &QSpinBox::valueChanged, this, &PartitionDialog::measureEven);
    connect(m_ui->addDevices, &QPushButton::clicked, this, &PartitionDialog::addEvenDevices);
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what.testFlag(Change::program))
            measureEven();
        if (what & (Change::devices | Change::program | Change::tags | Change::tagList))
            showState();
    });
    measureEven();
    showState();
}

PartitionDialog::~PartitionDialog() = default;

QPushButton& PartitionDialog::partitionButton() const
{
    return *m_ui->buttons->button(QDialogButtonBox::Ok);
}

QPushButton& PartitionDialog::addDevicesButton() const
{
    return *m_ui->addDevices;
}

void PartitionDialog::setMethod(Method method)
{
    m_ui->methods->button(static_cast<int>(method))->setChecked(true);
}

PartitionDialog::Method PartitionDialog::method() const
{
    return static_cast<Method>(m_ui->methods->checkedId());
}

QString PartitionDialog::missing() const
{
    return m_ui->missing->text();
}

Result<PartitionRequest> PartitionDialog::request() const
{
    if (!m_document.isOpen())
        return fail(ErrorCode::refused, "open a model first");
    if (m_document.devices().list().empty())
        return fail(ErrorCode::refused, "no devices: add those above, or your own in the Devices panel");
    PartitionRequest request;
    request.config.devices = m_document.devices().list();
    request.asUpstream = m_ui->asTorch->isChecked();
    request.is2020 = method() == Method::of2020;
    if (request.is2020)
        return request;
    request.config.mode = *partitionModeOf(keyOf(method()));
    request.config.saturateHost = m_ui->saturate->isChecked();
    if (!m_ui->bandwidth->text().trimmed().isEmpty()) {
        const Result<std::uint64_t> bandwidth = parseBytesPerSecond(m_ui->bandwidth->text().toStdString());
        if (!bandwidth)
            return fail(ErrorCode::refused, "invalid bandwidth: " + bandwidth.error().message);
        request.config.transferBytesPerSecond = static_cast<double>(*bandwidth);
    }
    if (needsLatencies(method())) {
        if (m_latencies.empty())
            return fail(ErrorCode::refused,
                        "this method needs the latency of each op: load a CONFIG.json with \"node_to_latency\"");
        if (request.config.transferBytesPerSecond <= 0)
            return fail(ErrorCode::refused, "this method needs the bandwidth between devices, e.g. 25 GB/s");
    }
    request.config.latencies = m_latencies;
    if (method() == Method::asTagged)
        SUNDER_PROPAGATE(putTagsOnDevices(m_document.graph(), m_document.tags(), request.config));
    return request;
}

void PartitionDialog::takeConfigFile(const QString& path)
{
    const Result<PartitionerConfig> config = readPartitionerConfig(path.toStdString());
    if (!config) {
        m_ui->config->setText(brief(text(describe(config.error()))));
        m_ui->config->setToolTip(folded(text(describe(config.error()))));
        return;
    }
    m_latencies = config->latencies;
    m_ui->config->setText(tr("%1, from %2").arg(countText(m_latencies.size(), "op"), brief(visible(QFileInfo(path).fileName()))));
    m_ui->config->setToolTip(folded(visible(path)));
    if (config->transferBytesPerSecond > 0)
        m_ui->bandwidth->setText(tr("%1/s").arg(bytesText(static_cast<std::uint64_t>(config->transferBytesPerSecond))));
    showState();
}

void PartitionDialog::chooseConfig()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Op latencies"), {},
                                                      tr("Partitioner configuration (*.json);;All files (*)"));
    if (!path.isEmpty())
        takeConfigFile(path);
}

void PartitionDialog::measureEven()
{
    m_evenBytes = 0;
    if (!m_document.isOpen() || !m_document.devices().list().empty()) {
        showState();
        return;
    }
    m_ui->even->setText(tr("equal devices: computing the memory each one needs…"));
    m_jobs.start<std::uint64_t>(
        {.key = QStringLiteral("even devices"), .title = tr("Compute memory of equal devices"), .quiet = true},
        [snapshot = m_document.snapshot(), count = m_ui->count->value()](ProgressMonitor& monitor) {
            return evenDeviceBytes(snapshot->program, static_cast<std::uint32_t>(count), monitor);
        },
        this,
        [this](Result<std::uint64_t> bytes) {
            m_evenBytes = bytes ? *bytes : 0;
            m_ui->even->setText(bytes ? tr("equal devices of %1 hold the model evenly").arg(bytesText(*bytes))
                                      : text(describe(bytes.error())));
            showState();
        });
    showState();
}

void PartitionDialog::addEvenDevices()
{
    std::vector<Device> devices = m_document.devices().list();
    for (int i = 0; i < m_ui->count->value(); ++i)
        devices.push_back(
            {.name = "dev" + std::to_string(i), .availableBytes = static_cast<double>(m_evenBytes), .logicalId = i});
    m_document.devices().set(std::move(devices),
                             tr("Add %1").arg(countText(static_cast<std::uint64_t>(m_ui->count->value()), "device")));
}

void PartitionDialog::showState()
{
    QStringList devices;
    double sum = 0;
    constexpr std::size_t kMaxNamed = 8;
    for (const Device& device : m_document.devices().list()) {
        sum += device.availableBytes;
        const QString name = device.name.empty() ? tr("device %1").arg(device.logicalId) : text(device.name);
        if (devices.size() < static_cast<qsizetype>(kMaxNamed))
            devices << tr("%1 %2").arg(brief(name), bytesText(static_cast<std::uint64_t>(device.availableBytes)));
    }
    const bool any = !devices.isEmpty();
    if (m_document.devices().list().size() > kMaxNamed)
        devices << tr("… %1 more").arg(m_document.devices().list().size() - kMaxNamed);
    m_ui->devices->setText(any ? tr("%1 — %2 in total. Edit them in the Devices panel.")
                                     .arg(devices.join(QStringLiteral(", ")), bytesText(static_cast<std::uint64_t>(sum)))
                               : tr("None yet. Add your own in the Devices panel, or use these:"));
    const QString unused = unusedFigures(m_document.devices().list(), needsLatencies(method()));
    m_ui->unused->setText(unused);
    m_ui->unused->setVisible(!unused.isEmpty());
    m_ui->offer->setVisible(!any);
    m_ui->addDevices->setEnabled(m_evenBytes > 0);
    if (!any && m_evenBytes == 0 && m_document.isOpen() && !m_jobs.isRunning(QStringLiteral("even devices"))
        && m_ui->even->text().isEmpty())
        measureEven();
    const Method chosen = method();
    m_ui->saturate->setEnabled(chosen != Method::of2020);
    m_ui->bandwidth->setEnabled(needsLatencies(chosen));
    if (m_latencies.empty() && m_ui->config->toolTip().isEmpty())
        m_ui->config->setText(needsLatencies(chosen) ? tr("not loaded") : tr("not used by this method"));
    const Result<PartitionRequest> wanted = request();
    m_ui->missing->setText(wanted ? QString() : withShortWords(sentence(wanted.error().message)));
    m_ui->missing->setVisible(!wanted);
    partitionButton().setEnabled(wanted.has_value());
}

void PartitionDialog::accept()
{
    const Result<PartitionRequest> wanted = request();
    if (!wanted)
        return;
    remember();
    QDialog::accept();
    emit partitionRequested(*wanted);
}

void PartitionDialog::takeOptions(const PassOptions& options)
{
    const QString key = options.value(kPartitionMethod).toString();
    setMethod(Method::sizeBased);
    for (int i = 0; i < kMethods; ++i)
        if (key == QLatin1String(keyOf(static_cast<Method>(i))))
            setMethod(static_cast<Method>(i));
    m_ui->saturate->setChecked(options.value(kPartitionSaturate).toBool());
    m_ui->asTorch->setChecked(options.value(kPartitionAsTorch).toBool());
    m_ui->bandwidth->setText(options.value(kPartitionBandwidth).toString());
}

void PartitionDialog::restore()
{
    const QSettings settings;
    PassOptions options;
    for (const QString& key : {kPartitionMethod, kPartitionSaturate, kPartitionAsTorch, kPartitionBandwidth})
        options.insert(key, settings.value(QStringLiteral("partition/%1").arg(key)));
    takeOptions(options);
}

void PartitionDialog::remember() const
{
    QSettings settings;
    settings.setValue(QStringLiteral("partition/%1").arg(kPartitionMethod), QLatin1String(keyOf(method())));
    settings.setValue(QStringLiteral("partition/%1").arg(kPartitionSaturate), m_ui->saturate->isChecked());
    settings.setValue(QStringLiteral("partition/%1").arg(kPartitionAsTorch), m_ui->asTorch->isChecked());
    settings.setValue(QStringLiteral("partition/%1").arg(kPartitionBandwidth), m_ui->bandwidth->text());
}

} // namespace sunder

#include "moc_partition_dialog.cpp"
