#include "dialogs/support_dialog.h"

#include "dialogs/ui_support_dialog.h"
#include "document/text.h"
#include "io/side_files/support_files.h"
#include "models/look.h"
#include "models/name_delegate.h"
#include "models/support_break_model.h"
#include "models/support_next_model.h"
#include "models/support_ops_model.h"
#include "support/file.h"
#include "text/amounts.h"

#include <QFileDialog>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPushButton>
#include <QSortFilterProxyModel>

#include <algorithm>
#include <utility>

namespace sunder {
namespace {

const QString kSupportKey = QStringLiteral("support");
const QString kSupportNextKey = QStringLiteral("support next");
const QString kSupportFileKey = QStringLiteral("read SUPPORT.json");

} // namespace

SupportDialog::SupportDialog(Document& document, Jobs& jobs, SupportWish wish, QWidget* parent)
    : QDialog(parent), m_document(document), m_jobs(jobs), m_ui(std::make_unique<Ui::SupportDialog>()), m_wish(std::move(wish)),
      m_ops(new SupportOpsModel(this)), m_shownOps(new QSortFilterProxyModel(this)), m_breaks(new SupportBreakModel(this)),
      m_next(new SupportNextModel(this))
{
    m_ui->setupUi(this);
    m_ui->buttons->button(QDialogButtonBox::Ok)->setText(tr("Apply"));
    m_ui->buttons->button(QDialogButtonBox::Ok)->setToolTip(tr("Tag the ops of each part; one undo step"));
    prepareTables();
    makeOptions();
    m_ui->method->setCurrentIndex(m_wish.options.method == SupportMethod::capability ? 0 : 1);
    showOptions();
    connectAll();
    m_ui->filter->setFocus();
    showNext(tr("Which operators would leave the fewest parts if they were supported as well."));
    search(true);
}

SupportDialog::~SupportDialog() = default;

void SupportDialog::prepareTables()
{
    m_shownOps->setSourceModel(m_ops);
    m_shownOps->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_shownOps->setSortRole(SupportOpsModel::kSortRole);
    m_shownOps->setSortCaseSensitivity(Qt::CaseInsensitive);
    m_ui->ops->setModel(m_shownOps);
    m_ui->ops->sortByColumn(SupportOpsModel::OpsColumn, Qt::DescendingOrder);
    m_ui->breaks->setModel(m_breaks);
    m_ui->next->setModel(m_next);
    for (QTreeView* table : {m_ui->ops, m_ui->breaks, m_ui->next}) {
        table->setItemDelegate(new NameDelegate(table));
        table->header()->setStretchLastSection(false);
        table->header()->setResizeContentsPrecision(100); // rows: there may be thousands
    }
    const auto give = [](QTreeView& table, int wide, std::initializer_list<int> narrow) {
        for (const int column : narrow)
            table.header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
        table.header()->setSectionResizeMode(wide, QHeaderView::Stretch);
    };
    give(*m_ui->ops, SupportOpsModel::NameColumn,
         {SupportOpsModel::OpsColumn, SupportOpsModel::DtypesColumn, SupportOpsModel::BytesColumn});
    give(*m_ui->breaks, SupportBreakModel::WhyColumn, {SupportBreakModel::BetweenColumn});
    give(*m_ui->next, SupportNextModel::OperatorColumn,
         {SupportNextModel::PartsColumn, SupportNextModel::OpsColumn, SupportNextModel::BytesColumn});
    m_ui->both->setStretchFactor(0, 1);
    m_ui->both->setStretchFactor(1, 1);
}

void SupportDialog::makeOptions()
{
    m_options = addSupportOptions(*m_ui->options, m_wish.options, [this] { search(true); });
    QWidget* last = m_ui->compute;
    for (const SupportOptionField& option : m_options) {
        setTabOrder(last, option.field);
        last = option.field;
    }
}

void SupportDialog::connectAll()
{
    connect(m_ui->method, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_wish.options.method = index == 0 ? SupportMethod::capability : SupportMethod::splitter;
        showOptions();
        search(true);
    });
    connect(m_ui->list, &QComboBox::currentIndexChanged, this, [this] { m_ops->setCut(m_cut, list()); });
    connect(m_ui->filter, &QLineEdit::textChanged, m_shownOps, &QSortFilterProxyModel::setFilterFixedString);
    connect(m_ui->all, &QPushButton::clicked, this, [this] { tickShown(true); });
    connect(m_ui->none, &QPushButton::clicked, this, [this] { tickShown(false); });
    connect(m_ui->open, &QPushButton::clicked, this, &SupportDialog::openFile);
    connect(m_ui->save, &QPushButton::clicked, this, &SupportDialog::saveFile);
    connect(m_ops, &SupportOpsModel::ticked, this, [this](int row, bool isSupported) { tick({row}, isSupported); });
    connect(m_next, &SupportNextModel::ticked, this, [this] { search(false); });
    const auto selectOp = [this](const QModelIndex& row) {
        if (!row.isValid())
            return;
        m_document.marks().select({m_breaks->opAt(row.row())});
        m_document.marks().reveal();
    };
    connect(m_ui->breaks, &QTreeView::clicked, this, selectOp);
    connect(m_ui->breaks->selectionModel(), &QItemSelectionModel::currentRowChanged, this, selectOp);
    connect(m_ui->compute, &QPushButton::clicked, this, [this] {
        if (m_nextJob)
            m_jobs.cancel(m_nextJob);
        else
            searchNext();
    });
    connect(m_ui->pages, &QTabWidget::currentChanged, this, [this] {
        if (m_isNextStale && m_ui->pages->currentWidget() == m_ui->nextPage)
            searchNext();
    });
    connect(&m_jobs, &Jobs::changed, this, &SupportDialog::showProgress);
    connect(&m_document, &Document::changed, this, [this](Changes what) {
        if (what.testFlag(Change::program)) // the parts are of another model
            reject();
        else if (what & (Change::sizes | Change::operators))
            search(true);
    });
    connect(this, &QDialog::finished, this, [this] {
        m_isOver = true;
        m_jobs.drop(m_job);
        m_jobs.drop(m_nextJob);
        emit proposed(nullptr);
    });
}

void SupportDialog::showOptions()
{
    for (const SupportOptionField& option : m_options)
        m_ui->options->setRowVisible(option.field, option.method == m_wish.options.method);
}

SupportList SupportDialog::list() const
{
    return static_cast<SupportList>(m_ui->list->currentIndex());
}

SupportWish SupportDialog::wish() const
{
    SupportWish all = m_wish;
    const std::vector<InternedString> taken = m_next->taken();
    all.rules.supported.insert(all.rules.supported.end(), taken.begin(), taken.end());
    return all;
}

// What is supported ------------------------------------------------------------------------------

void SupportDialog::tickShown(bool isSupported)
{
    std::vector<int> entries;
    for (int row = 0; row < m_shownOps->rowCount(); ++row)
        entries.push_back(m_shownOps->mapToSource(m_shownOps->index(row, 0)).row());
    tick(entries, isSupported);
}

void SupportDialog::tick(const std::vector<int>& entries, bool isSupported)
{
    if (!m_cut)
        return;
    SupportRules rules = wish().rules;
    tickSupport(rules, *m_cut, list(), entries, isSupported);
    setRules(std::move(rules));
}

void SupportDialog::setRules(SupportRules rules)
{
    m_wish.rules = std::move(rules);
    m_next->setSteps({}); // its operators, if ticked, are among the rules now
    search(true);
}

void SupportDialog::openFile()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Open what the accelerator supports"),
                                                      QFileInfo(m_document.filePath()).absolutePath(),
                                                      tr("SUPPORT.json (*.json);;All files (*)"));
    if (path.isEmpty())
        return;
    m_jobs.start<SupportRules>(
        {.key = kSupportFileKey, .title = tr("Read %1").arg(visible(QFileInfo(path).fileName())), .quiet = true},
        [file = path.toStdString()](ProgressMonitor&) { return readSupportFile(file); }, this,
        [this](Result<SupportRules> read) {
            if (m_isOver)
                return;
            if (read)
                setRules(std::move(*read));
            else if (isFault(read.error()))
                say(withShortWords(text(describe(read.error()))), QStringLiteral("error"));
        });
}

void SupportDialog::saveFile()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Save what the accelerator supports"),
                                                      QStringLiteral("support.json"), tr("SUPPORT.json (*.json)"));
    if (path.isEmpty())
        return;
    if (const Result<void> written = writeFileAtomically(path.toStdString(), supportFileText(wish().rules)); !written)
        say(withShortWords(text(describe(written.error()))), QStringLiteral("error"));
    else
        say(tr("Saved as %1.").arg(withShortWords(visible(path))), QStringLiteral("proven"));
}

// Parts ------------------------------------------------------------------------------------------

void SupportDialog::search(bool isNextStale)
{
    if (m_isOver || !m_document.isOpen())
        return;
    m_ui->buttons->button(QDialogButtonBox::Ok)->setEnabled(false);
    say(tr("Making parts…"), QStringLiteral("hint"));
    m_job = m_jobs.start<SupportCutPtr>(
        {.key = kSupportKey, .title = tr("Tag by support")},
        [snapshot = m_document.snapshot(), wish = wish()](ProgressMonitor& monitor) {
            return findSupportCut(snapshot, wish, monitor);
        },
        this, [this](Result<SupportCutPtr> found) { take(std::move(found)); });
    if (!isNextStale)
        return;
    m_isNextStale = true;
    m_jobs.drop(std::exchange(m_nextJob, {}));
    if (m_ui->pages->currentWidget() == m_ui->nextPage)
        searchNext();
    else
        showNext(m_ui->nextHint->text());
}

void SupportDialog::take(Result<SupportCutPtr> found)
{
    if (m_isOver)
        return;
    m_job = {};
    if (!found) {
        say(isFault(found.error()) ? withShortWords(sentence(found.error().message)) : tr("Canceled."), QStringLiteral("hint"));
        return;
    }
    SupportCutPtr before = std::exchange(m_cut, *found);
    m_ops->setCut(m_cut, list());
    m_breaks->setCut(m_cut);
    fitBreaks();
    Jobs::discard(std::move(before));
    showCut();
}

/// Gives op and operator the room for their names, and the reason the rest.
void SupportDialog::fitBreaks()
{
    constexpr double kMostShare = 0.34; // of the table, for a column
    QTreeView& table = *m_ui->breaks;
    for (const int column : {SupportBreakModel::OpColumn, SupportBreakModel::OperatorColumn}) {
        table.resizeColumnToContents(column);
        const int most = static_cast<int>(kMostShare * table.viewport()->width());
        if (table.columnWidth(column) > most)
            table.setColumnWidth(column, most);
    }
}

void SupportDialog::showCut()
{
    const bool isCut = m_cut->refusal.empty() && m_cut->figures.nodes > 0;
    m_ui->buttons->button(QDialogButtonBox::Ok)->setEnabled(isCut);
    emit proposed(isCut ? m_cut : nullptr);
    const std::size_t gaps = m_cut->breaks.size();
    m_ui->pages->setTabText(m_ui->pages->indexOf(m_ui->breaksPage),
                            gaps == 0 ? tr("Breaks") : tr("Breaks (%1)").arg(text(formatCount(gaps))));
    m_ui->breaksHint->setText(gaps > 0 ? tr("The ops that separate accelerator parts. Select a row to see its op in the graph.")
                                       : tr("Nothing separates accelerator parts."));
    if (!m_cut->refusal.empty()) {
        say(withShortWords(sentence(m_cut->refusal)), QStringLiteral("error"));
    } else if (!isCut) {
        const bool isEmpty = std::ranges::all_of(m_cut->list(SupportList::operators),
                                                 [](const SupportEntry& entry) { return entry.ops.supported == 0; });
        say(isEmpty ? tr("Nothing is supported yet: tick operators, or open a SUPPORT.json.")
                    : tr("The method leaves no part on the accelerator: its groups are too small."),
            QStringLiteral("hint"));
    } else {
        const SupportFigures& figures = m_cut->figures;
        say(tr("%1 · %2 of %3 on the accelerator · %4 cross boundaries")
                .arg(countText(figures.partitions, "part"), countText(figures.nodes, "op"), text(formatCount(m_cut->ops)),
                     bytesText(figures.bytes)),
            QStringLiteral("proven"));
    }
}

// Support this next ------------------------------------------------------------------------------

void SupportDialog::searchNext()
{
    if (m_isOver || !m_document.isOpen())
        return;
    m_wish = wish();
    m_next->setSteps({});
    m_isNextStale = false;
    m_nextJob = m_jobs.start<std::vector<SupportStep>>(
        {.key = kSupportNextKey, .title = tr("Support this next")},
        [snapshot = m_document.snapshot(), wish = m_wish](ProgressMonitor& monitor) {
            return findSupportNext(snapshot, wish, monitor);
        },
        this, [this](Result<std::vector<SupportStep>> found) { takeNext(std::move(found)); });
    showNext(tr("Trying each operator that is not supported…"));
}

void SupportDialog::takeNext(Result<std::vector<SupportStep>> found)
{
    if (m_isOver)
        return;
    m_nextJob = {};
    if (!found) {
        showNext(isFault(found.error()) ? withShortWords(sentence(found.error().message)) : tr("Stopped."));
        return;
    }
    const bool isEmpty = found->empty();
    m_next->setSteps(std::move(*found));
    showNext(isEmpty
                 ? tr("No operator would make more ops supported.")
                 : tr("Each row adds the operator that leaves the fewest parts, after the rows above. Tick a row to preview it "
                      "with those above."));
}

void SupportDialog::showNext(const QString& hint)
{
    m_ui->nextHint->setText(hint);
    m_ui->compute->setText(m_nextJob ? tr("S&top") : tr("&Compute"));
    m_ui->compute->setEnabled(m_nextJob || m_isNextStale || m_next->rowCount() == 0);
    m_ui->progress->setVisible(bool(m_nextJob));
    m_ui->progress->setValue(0);
}

// ------------------------------------------------------------------------------------------------

void SupportDialog::showProgress(int row)
{
    const JobInfo& job = m_jobs.list()[static_cast<std::size_t>(row)];
    if (job.state != JobState::running || job.permille < 0)
        return;
    if (job.id == m_nextJob)
        m_ui->progress->setValue(job.permille);
    else if (job.id == m_job)
        say(tr("Making parts… %1%").arg(job.permille / 10), QStringLiteral("hint"));
}

void SupportDialog::say(const QString& text, const QString& look)
{
    m_ui->summary->setText(text);
    setLook(*m_ui->summary, look);
}

void SupportDialog::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!isEnter || focusWidget() != m_ui->filter) {
        QDialog::keyPressEvent(event);
        return;
    }
    m_ui->ops->setFocus();
    if (!m_ui->ops->currentIndex().isValid())
        m_ui->ops->setCurrentIndex(m_shownOps->index(0, 0));
}

void SupportDialog::accept()
{
    if (m_job || !m_cut || !m_cut->refusal.empty() || m_cut->figures.nodes == 0)
        return;
    const SupportCutPtr taken = m_cut; // changing the tags may replace it
    if (const QString why = m_document.tagSources().takeTags(taken->tags, tr("Tag by support")); !why.isEmpty()) {
        say(why, QStringLiteral("error"));
        return;
    }
    QDialog::accept();
}

} // namespace sunder

#include "moc_support_dialog.cpp"
