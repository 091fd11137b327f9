#include "dialogs/export_options.h"

#include "canvas/timeline_content.h"
#include "dialogs/ui_export_options.h"
#include "document/runs/result_kinds.h"
#include "document/text.h"
#include "export/picture_area.h"
#include "models/tag_style_of.h"
#include "models/themed_icon.h"
#include "text/shown_text.h"

#include <QLabel>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <algorithm>

namespace sunder {
namespace {

constexpr int kFormatRole = Qt::UserRole; ///< id of the format

} // namespace

ExportList::ExportList(QWidget* parent) : QListWidget(parent)
{
    setViewportMargins(8, 8, 8, 8);
    connect(this, &QListWidget::currentItemChanged, this, &ExportList::formatChanged);
}

void ExportList::setSubject(const ExportSubject& subject)
{
    clear();
    m_results.clear();
    for (const ShownResult& shown : subject.results)
        m_results.push_back(shown.result);
    for (const ResultDescription& kind : resultKinds()) {
        const auto at = std::ranges::find_if(subject.results,
                                             [&](const ShownResult& shown) { return shown.result->kind == kind.kind; });
        addGroup(kind.heading, at == subject.results.end() ? QString() : at->run, kind.kind);
    }
    if (subject.schedule)
        addGroup(tr("TIMELINE"), titleOf(*subject.schedule), std::nullopt, true);
    addGroup(tr("MODEL"), subject.name, std::nullopt);
}

/// Adds a heading and its formats; nothing if there are none.
void ExportList::addGroup(const QString& title, const QString& detail, std::optional<ResultKind> kind, bool isOfSchedule)
{
    std::vector<const ExportFormat*> formats;
    for (const ExportFormat& format : exportFormats())
        if (format.of == kind && format.isOfSchedule == isOfSchedule && (format.isListedWithout || format.isThere(m_results)))
            formats.push_back(&format);
    if (formats.empty())
        return;
    if (count() > 0) { // space above the next group
        auto* gap = new QListWidgetItem(this);
        gap->setFlags(Qt::NoItemFlags);
        gap->setSizeHint({0, 8});
    }
    auto* heading = new QListWidgetItem(detail.isEmpty() ? title : tr("%1 · %2").arg(title, brief(visible(detail))), this);
    heading->setFlags(Qt::NoItemFlags);
    heading->setForeground(currentTheme().dim);
    heading->setToolTip(folded(visible(detail)));
    QFont font;
    font.setPointSizeF(font.pointSizeF() - 1);
    heading->setFont(font);
    for (const ExportFormat* format : formats) {
        auto* item = new QListWidgetItem(themedIcon(format->icon), format->title, this);
        item->setData(kFormatRole, format->id);
        item->setToolTip(format->what);
    }
}

/// Skips the heading in the first row, where Home would stop.
QModelIndex ExportList::moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers)
{
    return action == MoveHome ? model()->index(1, 0) : QListWidget::moveCursor(action, modifiers);
}

const ExportFormat& ExportList::format() const
{
    const QListWidgetItem* item = currentItem();
    return item == nullptr ? exportFormats().front() : exportFormat(item->data(kFormatRole).toString());
}

void ExportList::setFormat(const QString& id)
{
    for (int row = 0; row < count(); ++row)
        if (item(row)->data(kFormatRole).toString() == id)
            setCurrentRow(row);
}

void ExportList::setUsualFormat()
{
    const auto usual = std::ranges::find_if(exportFormats(),
                                            [this](const ExportFormat& format) { return format.isThere(m_results); });
    setFormat(usual->id);
}

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
        m_ui->form->setRowVisible(m_ui->area, hasArea());
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

/// A web page shows the whole graph.
bool ExportOptions::hasArea() const
{
    return isOfPicture() && suffix() != QLatin1String(".html");
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
    m_ui->form->setRowVisible(m_ui->area, hasArea());
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
    request.pictureRequest = shown->request;
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
