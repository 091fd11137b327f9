#include "dialogs/export_options.h"

#include "export/picture_area.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>

namespace sunder {

namespace {

enum Area { WholeArea, SelectedArea, SeenArea };

} // namespace

ExportOptions::ExportOptions(const ExportSubject& subject, QWidget* parent)
    : QWidget(parent), m_subject(subject), m_form(new QFormLayout(this)), m_subjectField(new QComboBox(this)),
      m_format(new QComboBox(this)), m_area(new QComboBox(this)), m_scale(new QSpinBox(this))
{
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setSpacing(8);
    m_form->addRow(tr("&Of"), m_subjectField);
    m_form->addRow(tr("&Format"), m_format);
    m_form->addRow(tr("&Area"), m_area);
    m_form->addRow(tr("&Scale"), m_scale);
    m_area->addItems({tr("The whole graph"), tr("What is selected"), tr("What the pane shows")});
    m_scale->setRange(1, 8);
    m_scale->setValue(2);
    m_scale->setSuffix(tr(" × 100 %"));
    connect(m_format, &QComboBox::currentIndexChanged, this, [this] {
        m_form->setRowVisible(m_scale, m_kind == ExportKind::picture && suffix() == QLatin1String(".png"));
        emit suffixChanged();
    });
    connect(m_subjectField, &QComboBox::currentIndexChanged, this, [this] {
        if (m_kind == ExportKind::picture)
            showAreas();
    });
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
    m_form->setRowVisible(m_area, isPicture);
    m_form->setRowVisible(m_scale, isPicture && suffix() == QLatin1String(".png"));
}

void ExportOptions::fillSubjects()
{
    const QSignalBlocker blocker(m_subjectField);
    m_subjectField->clear();
    if (m_kind == ExportKind::picture) {
        for (const ShownPicture& shown : m_subject.pictures)
            m_subjectField->addItem(shown.title);
        return;
    }
    const auto add = [this](const QString& title, DrawnProgram program) {
        m_subjectField->addItem(title, static_cast<int>(program));
    };
    add(tr("The model with its tags"), DrawnProgram::model);
    if (m_subject.outcome)
        add(tr("The cut: main graph and parts"), DrawnProgram::cut);
    if (m_subject.unflattened)
        add(tr("The unflattened program"), DrawnProgram::unflattened);
    if (m_subject.regions && m_subject.regions->dedup)
        add(tr("The deduplicated program"), DrawnProgram::deduplicated);
}

void ExportOptions::fillFormats()
{
    const QSignalBlocker blocker(m_format);
    m_format->clear();
    if (m_kind == ExportKind::picture) {
        m_format->addItem(tr("SVG, sharp at any size"), QStringLiteral(".svg"));
        m_format->addItem(tr("PNG, pixels"), QStringLiteral(".png"));
        m_format->addItem(tr("PDF, one page"), QStringLiteral(".pdf"));
    } else if (m_kind == ExportKind::drawing) {
        m_format->addItem(tr("DOT, for Graphviz"), QStringLiteral(".dot"));
        m_format->addItem(tr("JSON, for Model Explorer"), QStringLiteral(".json"));
    }
}

const ShownPicture* ExportOptions::picture() const
{
    const int at = m_subjectField->currentIndex();
    return m_kind == ExportKind::picture && at >= 0 && static_cast<std::size_t>(at) < m_subject.pictures.size()
        ? &m_subject.pictures[static_cast<std::size_t>(at)]
        : nullptr;
}

/// "What is selected" needs something that is selected in this graph.
void ExportOptions::showAreas()
{
    const ShownPicture* shown = picture();
    const bool any = shown != nullptr && shown->picture && areaOf(*shown->picture, shown->style.selected);
    auto* item = static_cast<QStandardItemModel*>(m_area->model())->item(SelectedArea);
    item->setEnabled(any);
    item->setToolTip(any ? QString() : tr("Nothing is selected in this graph."));
    if (!any && m_area->currentIndex() == SelectedArea)
        m_area->setCurrentIndex(WholeArea);
}

QString ExportOptions::suffix() const
{
    return m_format->currentData().toString();
}

QStringList ExportOptions::suffixes() const
{
    QStringList all;
    for (int i = 0; i < m_format->count(); ++i)
        all << m_format->itemData(i).toString();
    return all;
}

void ExportOptions::fill(ExportRequest& request) const
{
    if (request.kind == ExportKind::drawing)
        request.drawn = static_cast<DrawnProgram>(m_subjectField->currentData().toInt());
    const ShownPicture* shown = picture();
    if (shown == nullptr)
        return;
    request.picture = shown->picture;
    request.drawing = shown->drawing;
    request.style = shown->style;
    request.pictureOptions.title = m_subject.name;
    if (suffix() == QLatin1String(".png"))
        request.pictureOptions.scale = m_scale->value();
    if (m_area->currentIndex() == SeenArea)
        request.pictureOptions.area = shown->seen;
    if (m_area->currentIndex() == SelectedArea && shown->picture)
        request.pictureOptions.area = areaOf(*shown->picture, shown->style.selected);
}

} // namespace sunder
