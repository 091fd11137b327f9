#include "dialogs/tagging_dialog.h"

#include "analysis/sequence/module_stages.h"
#include "dialogs/ui_tagging_dialog.h"
#include "document/text.h"
#include "models/look.h"
#include "models/name_delegate.h"
#include "models/stage_model.h"
#include "support/format.h"
#include "text/amounts.h"

#include <QHeaderView>
#include <QPushButton>

#include <algorithm>

namespace sunder {
namespace {

using Way = TaggingRequest::Way;

/// Result of a job, with the model's execution order for the next job.
struct MadeProposal {
    std::shared_ptr<const ModelSequence> sequence;
    Result<std::shared_ptr<const TaggingProposal>> proposal;
};

MadeProposal makeProposal(const Snapshot& snapshot, std::shared_ptr<const ModelSequence> sequence, const TagAssignment& tags,
                          const TaggingRequest& wish, ProgressMonitor& monitor)
{
    if (!sequence)
        sequence = std::make_shared<const ModelSequence>(
            modelSequence(snapshot.program, std::make_shared<const CutGraph>(cutGraph(snapshot.program))));
    Result<TaggingProposal> made = proposeTags(snapshot.program, *sequence, tags, wish, monitor);
    if (!made)
        return {std::move(sequence), forward(made)};
    return {std::move(sequence), std::make_shared<const TaggingProposal>(std::move(*made))};
}

/// Returns "Tags 663 ops" or "Retags 12 ops, tags 4 untagged ops".
QString changeText(const TaggingProposal& proposal)
{
    const std::size_t retagged = proposal.changed - proposal.newlyTagged;
    if (proposal.newlyTagged == 0)
        return QObject::tr("Retags %1").arg(countText(retagged, "op"));
    if (retagged == 0)
        return QObject::tr("Tags %1").arg(countText(proposal.newlyTagged, "op"));
    return QObject::tr("Retags %1, tags %2").arg(countText(retagged, "op"), countText(proposal.newlyTagged, "untagged op"));
}

} // namespace

TaggingDialog::TaggingDialog(Document& document, Jobs& jobs, const TaggingRequest& wish, QWidget* parent)
    : QDialog(parent), m_document(document), m_jobs(jobs), m_ui(std::make_unique<Ui::TaggingDialog>()),
      m_stages(new StageModel(this))
{
    m_ui->setupUi(this);
    m_ui->stages->setModel(m_stages);
    m_ui->stages->setItemDelegate(new NameDelegate(m_ui->stages));
    m_ui->stages->verticalHeader()->setMinimumSectionSize(22); // as rows of trees and lists
    m_ui->stages->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_ui->buttons->button(QDialogButtonBox::Ok)->setText(tr("Tag"));
    int id = 0;
    for (QRadioButton* way :
         {m_ui->equalStages, m_ui->byDepth, m_ui->byPattern, m_ui->fillEarliest, m_ui->fillLatest, m_ui->straighten})
        m_ui->ways->setId(way, id++);
    m_ui->count->setMaximum(std::max(1, static_cast<int>(std::min<std::size_t>(document.snapshot()->callCount, 100'000))));
    restore(wish);
    connect(m_ui->ways, &QButtonGroup::idToggled, this, [this](int, bool isOn) {
        if (isOn)
            proposeOther();
    });
    // Changing a detail selects the way it belongs to.
    const auto means = [this](QRadioButton* way) { way->isChecked() ? proposeOther() : way->setChecked(true); };
    connect(m_ui->count, &QSpinBox::valueChanged, this, [this, means] { means(m_ui->equalStages); });
    connect(m_ui->measure, &QComboBox::currentIndexChanged, this, [this, means] { means(m_ui->equalStages); });
    connect(m_ui->atModules, &QCheckBox::toggled, this, [this, means] { means(m_ui->equalStages); });
    connect(m_ui->depth, &QSpinBox::valueChanged, this, [this, means] { means(m_ui->byDepth); });
    connect(m_ui->pattern, &QLineEdit::textChanged, this, [this, means] { means(m_ui->byPattern); });
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what.testFlag(Change::program)) // the proposals are for another model
            reject();
        else if (what & (Change::tags | Change::tagList))
            propose();
    });
    connect(this, &QDialog::finished, this, [this] {
        m_isOver = true;
        emit proposed(nullptr);
    });
    propose();
}

TaggingDialog::~TaggingDialog() = default;

void TaggingDialog::restore(const TaggingRequest& wish)
{
    m_ui->ways->button(static_cast<int>(wish.way))->setChecked(true);
    m_ui->count->setValue(static_cast<int>(wish.stages));
    m_ui->count->selectAll();
    m_ui->measure->setCurrentIndex(wish.measure == StageMeasure::nodes ? 1 : 0);
    if (const std::string list = patternOfModuleList(m_document.snapshot()->program); !list.empty())
        m_ui->pattern->setText(text(list));
    m_ui->atModules->setChecked(wish.borders == TaggingRequest::Borders::modules);
    if (wish.way == Way::equalStages)
        m_ui->count->setFocus();
    else
        m_ui->ways->checkedButton()->setFocus();
}

TaggingRequest TaggingDialog::wish() const
{
    TaggingRequest wish{.way = static_cast<Way>(m_ui->ways->checkedId())};
    wish.stages = static_cast<std::uint32_t>(m_ui->count->value());
    wish.measure = m_ui->measure->currentIndex() == 1 ? StageMeasure::nodes : StageMeasure::bytes;
    if (wish.way == Way::equalStages && m_ui->atModules->isChecked())
        wish.borders = TaggingRequest::Borders::modules;
    if (wish.way == Way::byDepth)
        wish.depth = static_cast<std::uint32_t>(m_ui->depth->value());
    wish.pattern = m_ui->pattern->text().trimmed().toStdString();
    wish.backward = m_document.backwardTags();
    return wish;
}

/// Ignores Enter in a field, which repeats its value: the proposal stays, so that the button can apply it.
void TaggingDialog::proposeOther()
{
    if (wish() != m_asked)
        propose();
}

void TaggingDialog::propose()
{
    m_asked = wish();
    m_proposal = nullptr;
    m_ui->buttons->button(QDialogButtonBox::Ok)->setEnabled(false);
    using Made = std::shared_ptr<MadeProposal>;
    m_jobs.start<Made>(
        {.key = QStringLiteral("tagging proposal"), .title = tr("Compute tags")},
        [snapshot = m_document.snapshot(), sequence = m_sequence, tags = m_document.tags(),
         wish = m_asked](ProgressMonitor& monitor) -> Result<Made> {
            return std::make_shared<MadeProposal>(makeProposal(*snapshot, sequence, tags, wish, monitor));
        },
        this,
        [this, snapshot = m_document.snapshot()](Result<Made> made) {
            if (snapshot != m_document.snapshot())
                return;
            if (made) {
                m_sequence = (*made)->sequence;
                take(std::move((*made)->proposal));
            } else {
                take(forward(made));
            }
        });
}

void TaggingDialog::take(Result<std::shared_ptr<const TaggingProposal>> made)
{
    if (m_isOver) // the result is for tags that have been replaced
        return;
    if (!made) {
        m_stages->setStages({});
        m_ui->why->clear();
        say(withShortWords(text(made.error().message)), isFault(made.error()) ? QStringLiteral("error") : QStringLiteral("hint"));
        emit proposed(nullptr);
        return;
    }
    m_proposal = *made;
    emit proposed(m_proposal.get());
    m_stages->setStages(m_proposal->stages);
    m_ui->stages->resizeColumnsToContents();
    m_ui->why->setText(withShortWords(text(m_proposal->why)));
    m_ui->buttons->button(QDialogButtonBox::Ok)->setEnabled(true);
    say(tr("%1 · %2 transferred between stages · %3")
            .arg(changeText(*m_proposal), bytesText(m_proposal->crossingBytes), text(describe(m_proposal->legality))),
        m_proposal->legality.isLegal() ? QStringLiteral("proven") : QStringLiteral("error"));
}

void TaggingDialog::say(const QString& text, const QString& look)
{
    m_ui->verdict->setText(text);
    setLook(*m_ui->verdict, look);
}

QString TaggingDialog::undoText() const
{
    switch (wish().way) {
    case Way::equalStages: return tr("Tag in %1 equal stages").arg(wish().stages);
    case Way::byDepth: return tr("Tag modules at depth %1").arg(wish().depth);
    case Way::byPattern: return tr("Tag modules matching %1").arg(brief(m_ui->pattern->text()));
    case Way::fillEarliest: return tr("Fill untagged ops (earliest tag)");
    case Way::fillLatest: return tr("Fill untagged ops (latest tag)");
    case Way::straighten: break;
    }
    return tr("Make stages contiguous");
}

void TaggingDialog::accept()
{
    if (!m_proposal)
        return;
    const std::shared_ptr<const TaggingProposal> taken = m_proposal; // changing the tags replaces the proposal
    const TagAssignment before = m_document.tags();
    const int steps = m_document.steps().index();
    if (const QString why = m_document.tagSources().takeTags(taken->tags, undoText()); !why.isEmpty()) {
        say(why, QStringLiteral("error"));
        return;
    }
    if (m_document.steps().index() != steps) // otherwise the tags were the same
        emit this->taken(m_asked, before);
    QDialog::accept();
}

} // namespace sunder

#include "moc_tagging_dialog.cpp"
