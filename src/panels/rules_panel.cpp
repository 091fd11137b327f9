#include "panels/rules_panel.h"

#include "document/text.h"
#include "io/side_files/rules_file.h"
#include "models/row_actions.h"
#include "models/rules_model.h"
#include "models/themed_icon.h"
#include "panels/device_table.h"
#include "panels/ui_rules_panel.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QMenu>

#include <algorithm>

namespace sunder {

RulesPanel::RulesPanel(Document& document, Jobs& jobs, QWidget* parent)
    : QWidget(parent), m_document(document), m_jobs(jobs), m_model(new RulesModel(document, this)),
      m_ui(std::make_unique<Ui::RulesPanel>())
{
    m_ui->setupUi(this);
    setThemedIcons(*this);
    setAttribute(Qt::WA_StyledBackground);
    m_ui->rows->setModel(m_model);
    m_ui->rows->header()->setSectionResizeMode(QHeaderView::Interactive);
    m_ui->rows->header()->setSectionResizeMode(RulesModel::TakesColumn, QHeaderView::Stretch);
    constexpr int kModuleWidth = 220;
    m_ui->rows->setColumnWidth(RulesModel::ModuleColumn, kModuleWidth);
    m_ui->rows->header()->setSectionResizeMode(RulesModel::UntaggedColumn, QHeaderView::ResizeToContents);
    auto* menu = new QMenu(m_ui->more);
    menu->addAction(tr("Select matching ops"), this, &RulesPanel::selectCurrent);
    menu->addSeparator();
    menu->addAction(tr("Import rules…"), this, &RulesPanel::chooseFileToRead);
    menu->addAction(tr("Export rules…"), this, &RulesPanel::chooseFileToWrite);
    m_ui->more->setMenu(menu);
    connect(m_ui->add, &QToolButton::clicked, this, &RulesPanel::add);
    connect(m_ui->removeRule, &QToolButton::clicked, this, &RulesPanel::removeCurrent);
    connect(m_ui->up, &QToolButton::clicked, this, [this] { moveCurrent(-1); });
    connect(m_ui->down, &QToolButton::clicked, this, [this] { moveCurrent(1); });
    connect(m_ui->apply, &QPushButton::clicked, this, [this] { m_document.tagSources().applyRules(m_model->rules()); });
    connect(m_ui->revert, &QPushButton::clicked, this, [this] { m_model->setRules(m_document.basis().rules); });
    connect(m_ui->rows, &QTreeView::customContextMenuRequested, this,
            [this, menu](const QPoint& at) { menu->exec(m_ui->rows->viewport()->mapToGlobal(at)); });
    connect(m_ui->rows->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &RulesPanel::showCurrent);
    connect(m_model, &RulesModel::edited, this, &RulesPanel::work);
    connect(m_model, &RulesModel::modelAboutToBeReset, this, [this] { m_row = m_ui->rows->currentIndex().row(); });
    connect(m_model, &RulesModel::modelReset, this, [this] { // after the rules were applied
        if (m_row >= 0 && m_row < m_model->rowCount())
            m_ui->rows->setCurrentIndex(m_model->index(m_row, RulesModel::ModuleColumn));
    });
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what & (Change::program | Change::basis | Change::tagList))
            work();
    });
    addKeys();
    work();
}

RulesPanel::~RulesPanel() = default;

QTreeView& RulesPanel::view()
{
    return *m_ui->rows;
}

void RulesPanel::addKeys()
{
    const auto on = [this](const QString& text, const QKeySequence& key, auto what) {
        addRowAction(*m_ui->rows, text, key, this, what);
    };
    on(tr("Add a rule"), Qt::Key_Insert, [this] { add(); });
    on(tr("Remove"), Qt::Key_Delete, [this] { removeCurrent(); });
    on(tr("Move up"), QKeySequence(Qt::ALT | Qt::Key_Up), [this] { moveCurrent(-1); });
    on(tr("Move down"), QKeySequence(Qt::ALT | Qt::Key_Down), [this] { moveCurrent(1); });
    on(tr("Apply"), QKeySequence(Qt::CTRL | Qt::Key_Return), [this] { m_ui->apply->click(); });
}

/// Computes the effects of the rules in a job. Invalid rules are reported in their rows.
void RulesPanel::work()
{
    showState();
    if (!m_document.isOpen() || m_model->rules().empty()) {
        showCurrent();
        return;
    }
    using Effects = std::pair<TagRules, std::vector<RuleEffect>>;
    m_jobs.start<Effects>(
        {.key = QStringLiteral("rules"), .title = tr("Match rules with ops")},
        [snapshot = m_document.snapshot(), rules = m_model->rules(), order = m_document.tags().order,
         backward = m_document.backwardTags()](ProgressMonitor&) -> Result<Effects> {
            SUNDER_TRY(PaintedRules painted, paintRules(*snapshot, rules, order, backward));
            return Effects(rules, std::move(painted.effects));
        },
        this,
        [this](Result<Effects> effects) {
            if (!effects || effects->first != m_model->rules())
                return;
            m_model->setEffects(std::move(effects->second));
            showCurrent();
        });
}

void RulesPanel::showState()
{
    const bool isSound = std::ranges::all_of(m_model->rules().rules,
                                             [](const TagRule& rule) { return bool(checkTypedRule(rule)); });
    const bool isEdited = m_document.isOpen() && m_model->isEdited();
    m_ui->apply->setEnabled(m_document.isOpen() && isSound && (isEdited || !m_model->rules().empty()));
    m_ui->revert->setEnabled(isEdited);
    m_ui->state->setText(!isSound       ? tr("A rule is invalid; its row states the reason.")
                             : isEdited ? tr("Not applied yet.")
                                        : tr("Later rules win; hand-painted tags win over all rules."));
    const int row = m_ui->rows->currentIndex().row();
    m_ui->removeRule->setEnabled(row >= 0);
    m_ui->up->setEnabled(row > 0);
    m_ui->down->setEnabled(row >= 0 && row + 1 < m_model->rowCount());
}

/// Marks the ops of the current rule in the graph.
void RulesPanel::showCurrent()
{
    showState();
    const auto row = static_cast<std::size_t>(m_ui->rows->currentIndex().row());
    const bool has = isVisible() && m_ui->rows->currentIndex().isValid() && row < m_model->effects().size();
    if (has)
        m_document.marks().setFound(m_model->effects()[row].painted);
    else if (m_isShowing)
        m_document.marks().setFound({});
    m_isShowing = has;
}

void RulesPanel::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    if (std::exchange(m_isShowing, false))
        m_document.marks().setFound({});
}

void RulesPanel::selectCurrent()
{
    const auto row = static_cast<std::size_t>(m_ui->rows->currentIndex().row());
    if (!m_ui->rows->currentIndex().isValid() || row >= m_model->effects().size())
        return;
    m_document.marks().select(m_model->effects()[row].painted, text(describe(m_model->rules().rules[row])));
    m_document.marks().reveal();
}

void RulesPanel::add()
{
    const QModelIndex index = m_model->index(m_model->add(m_ui->rows->currentIndex().row()), RulesModel::ModuleColumn);
    m_ui->rows->setCurrentIndex(index);
    m_ui->rows->setFocus();
    m_ui->rows->edit(index);
}

void RulesPanel::removeCurrent()
{
    const int row = m_ui->rows->currentIndex().row();
    m_model->remove(row);
    if (m_model->rowCount() > 0)
        m_ui->rows->setCurrentIndex(m_model->index(std::min(row, m_model->rowCount() - 1), 0));
}

void RulesPanel::moveCurrent(int by)
{
    const QModelIndex index = m_ui->rows->currentIndex();
    const int to = index.row() + by;
    if (!index.isValid() || to < 0 || to >= m_model->rowCount())
        return;
    m_model->move(index.row(), to);
    m_ui->rows->setCurrentIndex(m_model->index(to, index.column()));
    showState();
}

void RulesPanel::chooseFileToRead()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Import rules"), {}, tr("Rules (*.json);;All files (*)"));
    if (!path.isEmpty())
        readFile(path);
}

void RulesPanel::readFile(const QString& path)
{
    Result<TagRules> rules = readRulesFile(path.toStdString());
    if (!rules) {
        emit failed(tr("The rules were not imported"), text(describe(rules.error())));
        return;
    }
    m_model->setRules(std::move(*rules));
    emit message(tr("Imported the rules from %1; they are not applied yet.").arg(visible(QFileInfo(path).fileName())));
}

void RulesPanel::chooseFileToWrite()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Export rules"), QStringLiteral("rules.json"),
                                                      tr("Rules (*.json)"));
    if (!path.isEmpty())
        writeFile(path);
}

void RulesPanel::writeFile(const QString& path)
{
    if (const Result<void> written = writeRulesFile(m_model->rules(), path.toStdString()); !written)
        emit failed(tr("The rules were not exported"), text(describe(written.error())));
    else
        emit message(tr("Exported the rules to %1.").arg(visible(path)));
}

} // namespace sunder

#include "moc_rules_panel.cpp"
