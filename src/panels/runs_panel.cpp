#include "panels/runs_panel.h"

#include "models/name_delegate.h"
#include "models/run_model.h"
#include "models/themed_icon.h"
#include "panels/ui_runs_panel.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>
#include <array>
#include <utility>

namespace sunder {
namespace {
constexpr int kRunNameWidth = 280;
} // namespace

RunsPanel::RunsPanel(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_model(new RunModel(document, this)), m_ui(std::make_unique<Ui::RunsPanel>())
{
    m_ui->setupUi(this);
    m_ui->rows->setModel(m_model);
    m_ui->rows->setItemDelegate(new NameDelegate(m_ui->rows));
    m_ui->rows->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_ui->rows->header()->setSectionResizeMode(RunModel::NameColumn, QHeaderView::Interactive);
    m_ui->rows->setColumnWidth(RunModel::NameColumn, kRunNameWidth);
    m_ui->rows->installEventFilter(this);
    connect(m_ui->rows, &QTreeView::activated, this, [this] { m_document.runs().show(currentRun()); });
    connect(m_ui->rows, &QTreeView::customContextMenuRequested, this, &RunsPanel::showMenu);
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what & (Change::runs | Change::program))
            showState();
    });
    showState();
}

RunsPanel::~RunsPanel() = default;

QTreeView& RunsPanel::view()
{
    return *m_ui->rows;
}

void RunsPanel::showState()
{
    const int runs = m_model->rowCount();
    m_ui->rows->setVisible(runs > 0);
    m_ui->empty->setVisible(runs == 0);
    if (runs > 0 && currentRun() == 0)
        m_ui->rows->setCurrentIndex(m_model->index(std::clamp(m_row, 0, runs - 1), 0));
}

/// Keys that have another meaning in the window: there, F2 renames a tag, and Delete removes tags.
bool RunsPanel::eventFilter(QObject* watched, QEvent* event)
{
    const bool isOverride = event->type() == QEvent::ShortcutOverride;
    if (watched != m_ui->rows || !(isOverride || event->type() == QEvent::KeyPress))
        return QWidget::eventFilter(watched, event);
    constexpr std::array<std::pair<Qt::Key, void (RunsPanel::*)()>, 4> kCommands{{{Qt::Key_F2, &RunsPanel::rename},
                                                                                  {Qt::Key_Delete, &RunsPanel::discard},
                                                                                  {Qt::Key_C, &RunsPanel::compare},
                                                                                  {Qt::Key_R, &RunsPanel::runAgain}}};
    const auto& key = static_cast<const QKeyEvent&>(*event);
    const auto command = std::ranges::find(kCommands, key.key(), [](const auto& entry) { return static_cast<int>(entry.first); });
    if (key.modifiers() != Qt::NoModifier || command == kCommands.end())
        return QWidget::eventFilter(watched, event);
    if (isOverride)
        event->accept();
    else
        (this->*command->second)();
    return true;
}

void RunsPanel::rename()
{
    m_ui->rows->edit(m_ui->rows->currentIndex().siblingAtColumn(RunModel::NameColumn));
}

void RunsPanel::discard()
{
    m_row = m_ui->rows->currentIndex().row(); // the adjacent row becomes current
    m_document.runs().discard(currentRun());
}

int RunsPanel::currentRun() const
{
    const QModelIndex index = m_ui->rows->currentIndex();
    return index.isValid() ? index.data(RunModel::NumberRole).toInt() : 0;
}

/// Returns the run to compare with: the shown run of its kind or, if that is this run, the previous one, or else the next one. 0:
/// none.
int RunsPanel::otherRun(int number) const
{
    const Run* run = m_document.runs().find(number);
    if (run == nullptr)
        return 0;
    const int shown = m_document.runs().shown(run->kind());
    if (shown != 0 && shown != number)
        return shown;
    int other = 0;
    for (const Run& at : m_document.runs().list())
        if (at.kind() == run->kind() && at.number != number && (other == 0 || at.number < number))
            other = at.number;
    return other;
}

void RunsPanel::compare()
{
    const int number = currentRun();
    if (number == 0)
        return;
    if (const int other = otherRun(number); other != 0)
        emit compareRequested(std::min(number, other), std::max(number, other));
    else
        emit message(tr("Run %1 is the only run of its kind. Run it again with other options to compare.").arg(number));
}

void RunsPanel::runAgain()
{
    if (const int number = currentRun(); number != 0)
        emit runAgainRequested(number);
}

void RunsPanel::showMenu(const QPoint& at)
{
    QModelIndex index = m_ui->rows->indexAt(at);
    if (!index.isValid())
        index = m_ui->rows->currentIndex(); // the menu key has no position
    if (!index.isValid())
        return;
    m_ui->rows->setCurrentIndex(index);
    const int number = index.data(RunModel::NumberRole).toInt();
    const bool isShown = index.data(RunModel::ShownRole).toBool();
    QMenu menu(this);
    if (isShown)
        menu.addAction(tr("Hide result"), [this, number] { m_document.runs().hide(m_document.runs().find(number)->kind()); });
    else
        menu.addAction(tr("Show result\tEnter"), [this, number] { m_document.runs().show(number); });
    const int other = otherRun(number);
    QAction* compare = menu.addAction(other == 0 ? tr("Compare (no other run of its kind)\tC")
                                                 : tr("Compare with run %1\tC").arg(other),
                                      [this] { this->compare(); });
    compare->setEnabled(other != 0);
    menu.addAction(tr("Run again with other options…\tR"), [this] { runAgain(); });
    menu.addAction(tr("Copy as sunder-cli command"), [this] { emit commandWanted(currentRun()); });
    menu.addAction(tr("Rename…\tF2"), [this] { rename(); });
    menu.addSeparator();
    menu.addAction(themedIcon(QStringLiteral("trash")), tr("Discard\tDelete"), [this] { discard(); });
    const QPoint place = m_ui->rows->indexAt(at).isValid() ? at : m_ui->rows->visualRect(index).center();
    menu.exec(m_ui->rows->viewport()->mapToGlobal(place));
}

} // namespace sunder

#include "moc_runs_panel.cpp"
