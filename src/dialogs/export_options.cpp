#include "dialogs/export_options.h"

#include "dialogs/ui_export_options.h"
#include "export/picture_area.h"

#include <QSignalBlocker>
#include <QStandardItemModel>

namespace sunder {

namespace {

enum Area { WholeArea, SelectedArea, SeenArea };

} // namespace

ExportOptions::ExportOptions(QWidget* parent) : QWidget(parent), m_ui(std::make_unique<Ui::ExportOptions>())
{
    m_ui->setupUi(this);
    connect(m_ui->format, &QComboBox::currentIndexChanged, this, [this] {
        m_ui->form->setRowVisible(m_ui->scale, m_kind == ExportKind::picture && suffix() == QLatin1String(".png"));
        emit suffixChanged();
    });
    connect(m_ui->subject, &QComboBox::currentIndexChanged, this, [this] {
        if (m_kind == ExportKind::picture)
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

void ExportOptions::setKind(ExportKind kind)
{
    const bool isPicture = kind == ExportKind::picture;
    setVisible(isPicture || kind == ExportKind::drawing);
    if (kind != m_kind) {
        m_kind = kind;
        fillSubjects();
        fillFormats();
        showAreas();
    }
    m_ui->form->setRowVisible(m_ui->area, isPicture);
    m_ui->form->setRowVisible(m_ui->scale, isPicture && suffix() == QLatin1String(".png"));
}

void ExportOptions::fillSubjects()
{
    const QSignalBlocker blocker(m_ui->subject);
    m_ui->subject->clear();
    if (m_kind == ExportKind::picture) {
        for (const ShownPicture& shown : m_subject->pictures)
            m_ui->subject->addItem(shown.title);
        return;
    }
    const auto add = [this](const QString& title, DrawnProgram program) {
        m_ui->subject->addItem(title, static_cast<int>(program));
    };
    add(tr("The model with its tags"), DrawnProgram::model);
    if (m_subject->outcome)
        add(tr("The cut: main graph and parts"), DrawnProgram::cut);
    if (m_subject->unflattened)
        add(tr("The unflattened program"), DrawnProgram::unflattened);
    if (m_subject->regions && m_subject->regions->dedup)
        add(tr("The deduplicated program"), DrawnProgram::deduplicated);
}

void ExportOptions::fillFormats()
{
    const QSignalBlocker blocker(m_ui->format);
    m_ui->format->clear();
    if (m_kind == ExportKind::picture) {
        m_ui->format->addItem(tr("SVG, sharp at any size"), QStringLiteral(".svg"));
        m_ui->format->addItem(tr("PNG, pixels"), QStringLiteral(".png"));
        m_ui->format->addItem(tr("PDF, one page"), QStringLiteral(".pdf"));
    } else if (m_kind == ExportKind::drawing) {
        m_ui->format->addItem(tr("DOT, for Graphviz"), QStringLiteral(".dot"));
        m_ui->format->addItem(tr("JSON, for Model Explorer"), QStringLiteral(".json"));
    }
}

const ShownPicture* ExportOptions::picture() const
{
    const int at = m_ui->subject->currentIndex();
    return m_kind == ExportKind::picture && at >= 0 && static_cast<std::size_t>(at) < m_subject->pictures.size()
        ? &m_subject->pictures[static_cast<std::size_t>(at)]
        : nullptr;
}

/// "What is selected" needs something that is selected in this graph.
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
    return m_ui->format->currentData().toString();
}

QStringList ExportOptions::suffixes() const
{
    QStringList all;
    for (int i = 0; i < m_ui->format->count(); ++i)
        all << m_ui->format->itemData(i).toString();
    return all;
}

void ExportOptions::fill(ExportRequest& request) const
{
    if (request.kind == ExportKind::drawing)
        request.drawn = static_cast<DrawnProgram>(m_ui->subject->currentData().toInt());
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
