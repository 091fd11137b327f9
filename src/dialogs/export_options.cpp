#include "dialogs/export_options.h"

#include "dialogs/ui_export_options.h"
#include "document/runs/result_kinds.h"
#include "document/text.h"
#include "export/picture_area.h"

#include <QLabel>
#include <QSignalBlocker>
#include <QStandardItemModel>

#include <algorithm>

namespace sunder {
namespace {

enum Area { WholeArea, SelectedArea, SeenArea };

/// Releases cannot read a schema of another major version.
bool isReadByLater(int release)
{
    return Pt2Schema{release}.major() == Pt2Schema().major();
}

QString idOf(ResultKind kind)
{
    return QString::fromUtf8(kind.id.data(), static_cast<qsizetype>(kind.id.size()));
}

} // namespace

ExportOptions::ExportOptions(QWidget* parent) : QWidget(parent), m_ui(std::make_unique<Ui::ExportOptions>())
{
    m_ui->setupUi(this);
    connect(m_ui->format, &QComboBox::currentIndexChanged, this, [this] {
        m_ui->form->setRowVisible(m_ui->scale, hasScale());
        m_ui->form->setRowVisible(m_ui->release, hasRelease());
        emit suffixChanged();
    });
    connect(m_ui->subject, &QComboBox::currentIndexChanged, this, [this] {
        if (isOfPicture())
            showAreas();
    });
}

ExportOptions::~ExportOptions() = default;

QComboBox& ExportOptions::subjectField() const
{
    return *m_ui->subject;
}

QComboBox& ExportOptions::formatField() const
{
    return *m_ui->format;
}

QComboBox& ExportOptions::areaField() const
{
    return *m_ui->area;
}

QSpinBox& ExportOptions::scaleField() const
{
    return *m_ui->scale;
}

QComboBox& ExportOptions::releaseField() const
{
    return *m_ui->release;
}

/// Only one variant of a picture has a scale in pixels.
bool ExportOptions::hasScale() const
{
    return isOfPicture() && suffix() == QLatin1String(".png");
}

bool ExportOptions::hasRelease() const
{
    if (m_format == nullptr || !m_format->isPt2 || !m_subject->source)
        return false;
    return isOfParts() ? partFormat() == PartFormat::pt2 : isOfPt2();
}

bool ExportOptions::isOfPt2() const
{
    const Program& program = m_subject->source->program;
    return program.signature && program.origin.format != "fx-json";
}

PartFormat ExportOptions::partFormat() const
{
    return isOfParts() ? m_ui->format->currentData().value<PartFormat>() : PartFormat::asSource;
}

QList<QLabel*> ExportOptions::labels() const
{
    return {m_ui->subjectLabel, m_ui->formatLabel, m_ui->areaLabel, m_ui->scaleLabel, m_ui->releaseLabel};
}

int ExportOptions::labelWidth() const
{
    int widest = 0;
    for (const QLabel* label : labels())
        widest = std::max(widest, label->sizeHint().width());
    return widest;
}

void ExportOptions::setLabelWidth(int width)
{
    for (QLabel* label : labels())
        label->setMinimumWidth(width);
}

void ExportOptions::setFormat(const ExportFormat& format)
{
    const bool isOther = &format != m_format;
    m_format = &format;
    if (isOther) {
        fillSubjects();
        fillFormats();
        fillReleases();
        showAreas();
    }
    setVisible(format.asking != ExportAsking::nothing || !format.variants.empty() || hasRelease());
    m_ui->form->setRowVisible(m_ui->subject, isOfPicture() || format.asking == ExportAsking::program);
    m_ui->form->setRowVisible(m_ui->format, m_ui->format->count() > 0);
    m_ui->form->setRowVisible(m_ui->area, isOfPicture());
    m_ui->form->setRowVisible(m_ui->scale, hasScale());
    m_ui->form->setRowVisible(m_ui->release, hasRelease());
}

void ExportOptions::fillReleases()
{
    m_ui->release->clear();
    if (!m_format->isPt2 || !m_subject->source)
        return;
    if (isOfPt2())
        m_ui->release->addItem(tr("Same as the model, %1").arg(text(pt2SchemaOf(m_subject->source->program).torch())));
    for (int release = Pt2Schema::kToday; release >= Pt2Schema::kFirst; --release)
        m_ui->release->addItem(
            (isReadByLater(release) ? tr("%1 and later") : tr("%1 only")).arg(text(Pt2Schema{release}.torch())), release);
}

void ExportOptions::fillSubjects()
{
    const QSignalBlocker blocker(m_ui->subject);
    m_ui->subject->clear();
    if (isOfPicture()) {
        for (const ShownPicture& shown : m_subject->pictures)
            m_ui->subject->addItem(shown.title);
        return;
    }
    m_ui->subject->addItem(tr("The model with its tags"), QString());
    for (const ResultDescription& kind : resultKinds())
        for (const ShownResult& shown : m_subject->results)
            if (shown.result->kind == kind.kind && kind.program != nullptr && kind.program(*shown.result) != nullptr)
                m_ui->subject->addItem(kind.programTitle, idOf(kind.kind));
}

void ExportOptions::fillFormats()
{
    const QSignalBlocker blocker(m_ui->format);
    m_ui->format->clear();
    for (const ExportVariant& variant : m_format->variants)
        m_ui->format->addItem(variant.title, variant.suffix);
    if (!isOfParts() || !m_subject->source)
        return;
    m_ui->format->addItem(tr(".pt2, loads with PyTorch alone"), QVariant::fromValue(PartFormat::pt2));
    m_ui->format->addItem(tr("fx-json, with weights in a second file"), QVariant::fromValue(PartFormat::fxJson));
    m_ui->format->setCurrentIndex(usualPartFormat(m_subject->source->program) == PartFormat::pt2 ? 0 : 1);
}

const ShownPicture* ExportOptions::picture() const
{
    const int at = m_ui->subject->currentIndex();
    return isOfPicture() && at >= 0 && static_cast<std::size_t>(at) < m_subject->pictures.size()
        ? &m_subject->pictures[static_cast<std::size_t>(at)]
        : nullptr;
}

/// Enables "The selection" only if a node of this graph is selected.
void ExportOptions::showAreas()
{
    const ShownPicture* shown = picture();
    const bool any = shown != nullptr && shown->picture && areaOf(*shown->picture, shown->style.selected);
    auto* item = static_cast<QStandardItemModel*>(m_ui->area->model())->item(SelectedArea);
    item->setEnabled(any);
    item->setToolTip(any ? QString() : tr("Nothing is selected in this graph."));
    if (!any && m_ui->area->currentIndex() == SelectedArea)
        m_ui->area->setCurrentIndex(WholeArea);
}

QString ExportOptions::suffix() const
{
    return isOfParts() ? QString() : m_ui->format->currentData().toString();
}

QStringList ExportOptions::suffixes() const
{
    QStringList all;
    for (int i = 0; i < m_ui->format->count() && !isOfParts(); ++i)
        all << m_ui->format->itemData(i).toString();
    return all;
}

void ExportOptions::fill(ExportRequest& request) const
{
    if (const QVariant release = m_ui->release->currentData(); hasRelease() && release.isValid())
        request.target = Pt2Schema{release.toInt()};
    request.partFormat = partFormat();
    if (m_format->asking == ExportAsking::program)
        for (const RunResult& result : request.results)
            if (idOf(result->kind) == m_ui->subject->currentData().toString())
                request.drawn = result->kind;
    const ShownPicture* shown = picture();
    if (shown == nullptr)
        return;
    request.picture = shown->picture;
    request.drawing = shown->drawing;
    request.style = shown->style;
    request.pictureOptions.title = m_subject->name;
    if (suffix() == QLatin1String(".png"))
        request.pictureOptions.scale = m_ui->scale->value();
    if (m_ui->area->currentIndex() == SeenArea)
        request.pictureOptions.area = shown->seen;
    if (m_ui->area->currentIndex() == SelectedArea && shown->picture)
        request.pictureOptions.area = areaOf(*shown->picture, shown->style.selected);
}

} // namespace sunder

#include "moc_export_options.cpp"
