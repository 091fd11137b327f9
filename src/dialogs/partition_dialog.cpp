#include "dialogs/partition_dialog.h"

#include "document/runs/tagged_devices.h"
#include "document/text.h"
#include "io/partitioner_files.h"
#include "models/look.h"
#include "passes/partition/even_devices.h"
#include "support/format.h"
#include "support/memory_text.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSettings>
#include <QSpinBox>
#include <QVBoxLayout>

namespace sunder {

namespace {

using Method = PartitionDialog::Method;

struct MethodText {
    const char* key; ///< in the settings
    const char* name;
    const char* what;
};

constexpr std::array<MethodText, PartitionDialog::kMethods> kMethodTexts{{
    {"size_based", QT_TRANSLATE_NOOP("PartitionDialog", "&Size-based"),
     QT_TRANSLATE_NOOP("PartitionDialog", "Fills one device after the other with ops in graph order; quick at any size.")},
    {"sparse_nn", QT_TRANSLATE_NOOP("PartitionDialog", "Sparse &NN"),
     QT_TRANSLATE_NOOP("PartitionDialog", "Shares out the embeddings first, then puts everything else where there is room.")},
    {"cost_aware", QT_TRANSLATE_NOOP("PartitionDialog", "&Cost-aware"),
     QT_TRANSLATE_NOOP("PartitionDialog", "Joins partitions while the model gets faster; needs latencies, for hundreds of ops.")},
    {"kl_based", QT_TRANSLATE_NOOP("PartitionDialog", "&Kernighan-Lin"),
     QT_TRANSLATE_NOOP("PartitionDialog", "Exchanges ops of a size-based cut while it gets faster; needs latencies, for hundreds of ops.")},
    {"aot_based", QT_TRANSLATE_NOOP("PartitionDialog", "As &tagged"),
     QT_TRANSLATE_NOOP("PartitionDialog", "Keeps the cut that is painted: the first tag on the first device, and so on.")},
    {"2020", QT_TRANSLATE_NOOP("PartitionDialog", "Size-based of &2020"),
     QT_TRANSLATE_NOOP("PartitionDialog", "torch.fx's first partitioner: fills devices of equal memory, joins small partitions.")},
}};

constexpr int kHintIndent = 24;

QLabel* makeHint(const QString& text, QWidget* parent)
{
    auto* hint = new QLabel(text, parent);
    setLook(*hint, QStringLiteral("hint"));
    hint->setWordWrap(true);
    return hint;
}

QLabel* makeTitle(const QString& text, QWidget* parent)
{
    auto* title = new QLabel(text, parent);
    setLook(*title, QStringLiteral("sectionTitle"));
    return title;
}

bool needsLatencies(Method method)
{
    return method == Method::costAware || method == Method::klBased;
}

} // namespace

PartitionDialog::PartitionDialog(Document& document, Jobs& jobs, QWidget* parent)
    : QDialog(parent), m_document(document), m_jobs(jobs), m_methods(new QButtonGroup(this)),
      m_missing(new QLabel(this)), m_partition(nullptr)
{
    setWindowTitle(tr("Partition over devices"));
    setObjectName(QStringLiteral("partitionDialog"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(8);
    column->addWidget(makeTitle(tr("Method"), this));
    column->addWidget(makeMethods());
    column->addSpacing(4);
    column->addWidget(makeTitle(tr("Options"), this));
    column->addWidget(makeOptions());
    column->addSpacing(4);
    column->addWidget(makeTitle(tr("Devices"), this));
    column->addWidget(makeDevices());
    setLook(*m_missing, QStringLiteral("warning"));
    m_missing->setWordWrap(true);
    column->addWidget(m_missing);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Close, this);
    m_partition = buttons->button(QDialogButtonBox::Ok);
    m_partition->setText(tr("Partition"));
    m_partition->setToolTip(tr("Cut the model over the devices and verify the parts (Enter)"));
    column->addWidget(buttons);
    setMinimumWidth(560);
    connect(buttons, &QDialogButtonBox::accepted, this, &PartitionDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &PartitionDialog::reject);
    connect(m_methods, &QButtonGroup::idToggled, this, &PartitionDialog::showState);
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what.testFlag(Change::program))
            measureEven();
        if (what & (Change::devices | Change::program | Change::tags | Change::tagList))
            showState();
    });
    restore();
    measureEven();
    showState();
}

QWidget* PartitionDialog::makeMethods()
{
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    for (std::size_t i = 0; i < kMethodTexts.size(); ++i) {
        auto* choice = new QRadioButton(tr(kMethodTexts[i].name), box);
        const QString what = tr(kMethodTexts[i].what);
        choice->setToolTip(what);
        choice->setAccessibleDescription(what);
        m_methods->addButton(choice, static_cast<int>(i));
        column->addWidget(choice);
        auto* hint = makeHint(what, box);
        hint->setWordWrap(false);
        hint->setContentsMargins(kHintIndent, 0, 0, 4);
        column->addWidget(hint);
    }
    return box;
}

QWidget* PartitionDialog::makeOptions()
{
    auto* box = new QWidget(this);
    auto* form = new QFormLayout(box);
    form->setContentsMargins(0, 0, 0, 0);
    form->setSpacing(8);
    m_saturate = new QCheckBox(tr("Put &replicas onto devices that stay idle"), box);
    m_saturate->setToolTip(tr("saturate_host: every part stands on as many devices as have room for it"));
    form->addRow(m_saturate);
    m_asTorch = new QCheckBox(tr("&Exactly as torch, its faults included"), box);
    m_asTorch->setToolTip(tr("For comparison. Otherwise no device is filled beyond its memory."));
    form->addRow(m_asTorch);
    m_bandwidth = new QLineEdit(box);
    m_bandwidth->setPlaceholderText(tr("25 GB/s"));
    m_bandwidth->setToolTip(tr("How fast devices exchange values: 25 GB/s, 900 MB/s"));
    form->addRow(tr("&Bandwidth between devices"), m_bandwidth);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    auto* choose = new QPushButton(tr("CONFIG.&json…"), box);
    choose->setAutoDefault(false);
    choose->setToolTip(tr("Read \"node_to_latency\" and the bandwidth from a partitioner's CONFIG.json"));
    m_config = makeHint({}, box);
    m_config->setWordWrap(false);
    row->addWidget(choose);
    row->addWidget(m_config, 1);
    form->addRow(tr("Latencies of ops"), row);
    connect(choose, &QPushButton::clicked, this, &PartitionDialog::chooseConfig);
    connect(m_bandwidth, &QLineEdit::textChanged, this, &PartitionDialog::showState);
    return box;
}

QWidget* PartitionDialog::makeDevices()
{
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    m_devices = new QLabel(box);
    m_devices->setWordWrap(true);
    column->addWidget(m_devices);
    m_offer = new QWidget(box);
    auto* row = new QHBoxLayout(m_offer);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_count = new QSpinBox(m_offer);
    m_count->setRange(2, 64);
    m_count->setValue(3);
    m_count->setAccessibleName(tr("Number of devices"));
    m_count->setToolTip(tr("How many devices"));
    m_even = new QLabel(m_offer);
    m_addDevices = new QPushButton(tr("&Add them"), m_offer);
    m_addDevices->setAutoDefault(false);
    m_addDevices->setToolTip(tr("Put these devices into the table; undo takes them away"));
    row->addWidget(m_count);
    row->addWidget(m_even, 1);
    row->addWidget(m_addDevices);
    column->addWidget(m_offer);
    connect(m_count, &QSpinBox::valueChanged, this, &PartitionDialog::measureEven);
    connect(m_addDevices, &QPushButton::clicked, this, &PartitionDialog::addEvenDevices);
    return box;
}

void PartitionDialog::setMethod(Method method)
{
    m_methods->button(static_cast<int>(method))->setChecked(true);
}

PartitionDialog::Method PartitionDialog::method() const
{
    return static_cast<Method>(m_methods->checkedId());
}

QString PartitionDialog::missing() const
{
    return m_missing->text();
}

Result<PartitionRequest> PartitionDialog::request() const
{
    if (!m_document.isOpen())
        return fail(ErrorCode::refused, "open a model first");
    if (m_document.devices().empty())
        return fail(ErrorCode::refused, "there are no devices yet: add some below or in the Devices panel");
    PartitionRequest request;
    request.config.devices = m_document.devices();
    request.asUpstream = m_asTorch->isChecked();
    request.is2020 = method() == Method::of2020;
    if (request.is2020)
        return request;
    request.config.mode = *partitionModeOf(kMethodTexts[static_cast<std::size_t>(method())].key);
    request.config.saturateHost = m_saturate->isChecked();
    if (!m_bandwidth->text().trimmed().isEmpty()) {
        const Result<std::uint64_t> bandwidth = parseBytesPerSecond(m_bandwidth->text().toStdString());
        if (!bandwidth)
            return fail(ErrorCode::refused, "the bandwidth: " + bandwidth.error().message);
        request.config.transferBytesPerSecond = static_cast<double>(*bandwidth);
    }
    if (needsLatencies(method())) {
        if (m_latencies.empty())
            return fail(ErrorCode::refused, "this method needs the latency of every op: choose a CONFIG.json with \"node_to_latency\"");
        if (request.config.transferBytesPerSecond <= 0)
            return fail(ErrorCode::refused, "this method needs the bandwidth between devices, such as 25 GB/s");
    }
    request.config.latencies = m_latencies;
    if (method() == Method::asTagged)
        if (const Result<void> given = putTagsOnDevices(m_document.graph(), m_document.tags(), request.config); !given)
            return forward(given);
    return request;
}

void PartitionDialog::takeConfigFile(const QString& path)
{
    const Result<PartitionerConfig> config = readPartitionerConfig(path.toStdString());
    if (!config) {
        m_config->setText(brief(text(describe(config.error()))));
        m_config->setToolTip(folded(text(describe(config.error()))));
        return;
    }
    m_latencies = config->latencies;
    m_config->setText(tr("of %1, from %2").arg(text(formatCount(m_latencies.size(), "op")), brief(visible(QFileInfo(path).fileName()))));
    m_config->setToolTip(folded(visible(path)));
    if (config->transferBytesPerSecond > 0)
        m_bandwidth->setText(tr("%1/s").arg(text(formatBytes(static_cast<std::uint64_t>(config->transferBytesPerSecond)))));
    showState();
}

void PartitionDialog::chooseConfig()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Latencies of ops"), {}, tr("Partitioner's CONFIG (*.json);;All files (*)"));
    if (!path.isEmpty())
        takeConfigFile(path);
}

void PartitionDialog::measureEven()
{
    m_evenBytes = 0;
    if (!m_document.isOpen() || !m_document.devices().empty()) {
        showState();
        return;
    }
    m_even->setText(tr("devices that hold the model evenly: measuring …"));
    m_jobs.start<std::uint64_t>(
        {.key = QStringLiteral("even devices"), .title = tr("Measure the model for equal devices"), .quiet = true},
        [snapshot = m_document.snapshot(), count = m_count->value()](ProgressMonitor& monitor) {
            return evenDeviceBytes(snapshot->program, static_cast<std::uint32_t>(count), monitor);
        },
        this,
        [this](Result<std::uint64_t> bytes) {
            m_evenBytes = bytes ? *bytes : 0;
            m_even->setText(bytes ? tr("devices of %1 each hold the model evenly").arg(text(formatBytes(*bytes)))
                                  : text(describe(bytes.error())));
            showState();
        });
    showState();
}

void PartitionDialog::addEvenDevices()
{
    std::vector<Device> devices = m_document.devices();
    for (int i = 0; i < m_count->value(); ++i)
        devices.push_back({.name = "dev" + std::to_string(i), .availableBytes = static_cast<double>(m_evenBytes), .logicalId = i});
    m_document.setDevices(std::move(devices), tr("Add %1").arg(text(formatCount(static_cast<std::uint64_t>(m_count->value()), "device"))));
}

void PartitionDialog::showState()
{
    if (m_partition == nullptr)
        return;
    QStringList devices;
    double sum = 0;
    constexpr std::size_t kMostNamed = 8;
    for (const Device& device : m_document.devices()) {
        sum += device.availableBytes;
        const QString name = device.name.empty() ? tr("device %1").arg(device.logicalId) : text(device.name);
        if (devices.size() < static_cast<qsizetype>(kMostNamed))
            devices << tr("%1 %2").arg(brief(name), text(formatBytes(static_cast<std::uint64_t>(device.availableBytes))));
    }
    const bool any = !devices.isEmpty();
    if (m_document.devices().size() > kMostNamed)
        devices << tr("… %1 more").arg(m_document.devices().size() - kMostNamed);
    m_devices->setText(any ? tr("%1 — %2 together. The Devices panel changes them.")
                                 .arg(devices.join(QStringLiteral(", ")), text(formatBytes(static_cast<std::uint64_t>(sum))))
                           : tr("None yet. Add your own in the Devices panel, or take these:"));
    m_offer->setVisible(!any);
    m_addDevices->setEnabled(m_evenBytes > 0);
    if (!any && m_evenBytes == 0 && m_document.isOpen() && !m_jobs.isRunning(QStringLiteral("even devices")) && m_even->text().isEmpty())
        measureEven();
    const Method chosen = method();
    m_saturate->setEnabled(chosen != Method::of2020);
    m_bandwidth->setEnabled(needsLatencies(chosen));
    if (m_latencies.empty() && m_config->toolTip().isEmpty())
        m_config->setText(needsLatencies(chosen) ? tr("none yet") : tr("not needed by this method"));
    const Result<PartitionRequest> wanted = request();
    m_missing->setText(wanted ? QString() : withShortWords(sentence(wanted.error().message)));
    m_missing->setVisible(!wanted);
    m_partition->setEnabled(wanted.has_value());
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

void PartitionDialog::restore()
{
    const QSettings settings;
    const QString key = settings.value(QStringLiteral("partition/method"), QStringLiteral("size_based")).toString();
    setMethod(Method::sizeBased);
    for (std::size_t i = 0; i < kMethodTexts.size(); ++i)
        if (key == QLatin1String(kMethodTexts[i].key))
            setMethod(static_cast<Method>(i));
    m_saturate->setChecked(settings.value(QStringLiteral("partition/saturate")).toBool());
    m_asTorch->setChecked(settings.value(QStringLiteral("partition/asTorch")).toBool());
    m_bandwidth->setText(settings.value(QStringLiteral("partition/bandwidth")).toString());
}

void PartitionDialog::remember() const
{
    QSettings settings;
    settings.setValue(QStringLiteral("partition/method"), QLatin1String(kMethodTexts[static_cast<std::size_t>(method())].key));
    settings.setValue(QStringLiteral("partition/saturate"), m_saturate->isChecked());
    settings.setValue(QStringLiteral("partition/asTorch"), m_asTorch->isChecked());
    settings.setValue(QStringLiteral("partition/bandwidth"), m_bandwidth->text());
}

} // namespace sunder
