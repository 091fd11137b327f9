#include "app/main_window.h"

#include "app/crash_offer.h"
#include "app/workspace.h"
#include "io/side_files/partitioner_files.h"
#include "panels/crash_bar.h"
#include "panels/devices_panel.h"
#include "panels/file_change_bar.h"
#include "panels/inspector_panel.h"
#include "panels/job_status.h"
#include "panels/jobs_panel.h"
#include "panels/log_panel.h"
#include "panels/outline_panel.h"
#include "panels/problems_panel.h"
#include "panels/runs_panel.h"
#include "panels/tags_panel.h"
#include "panels/welcome_page.h"
#include "panes/source_pane.h"

#include <QApplication>
#include <QFileInfo>
#include <QLabel>
#include <QScreen>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace sunder {
namespace {

constexpr int kLayoutVersion = 4; ///< raised when panels change such that old sizes make no sense

QSplitter* makeSplitter(Qt::Orientation orientation, QWidget* parent)
{
    auto* splitter = new QSplitter(orientation, parent);
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    return splitter;
}

/// Boxes are laid out by `dot` in a child process where sunder-cli lies beside us, else by our own engine alone.
std::shared_ptr<const LayoutEngine> makeEngine()
{
    const QString cli = QApplication::applicationDirPath() + QStringLiteral("/sunder-cli");
    return makeAutomaticEngine(QFileInfo(cli).isExecutable() ? makeDotEngine(cli.toStdString()) : nullptr);
}

} // namespace

void MainWindow::buildPanels()
{
    m_stack = new QStackedWidget(this);
    setCentralWidget(m_stack);
    m_welcome = new WelcomePage(m_stack);
    m_workspace = makeSplitter(Qt::Horizontal, m_stack);
    m_stack->addWidget(m_welcome);
    m_stack->addWidget(m_workspace);

    m_side = makeSplitter(Qt::Vertical, m_workspace);
    m_outline = new OutlinePanel(m_document, m_jobs, m_side);
    m_tags = new TagsPanel(m_document, m_side);
    m_devices = new DevicesPanel(m_document, m_side);
    m_inspector = new InspectorPanel(m_document, m_side);
    m_outline->setMinimumHeight(100);
    m_tags->setMinimumHeight(92);
    m_devices->setMinimumHeight(88);
    m_inspector->setMinimumHeight(100);
    m_side->setMinimumWidth(220);

    m_rest = makeSplitter(Qt::Vertical, m_workspace);
    auto* panes = new QWidget(m_rest);
    auto* column = new QVBoxLayout(panes);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* crashes = new CrashBar(panes);
    m_crashOffer = new CrashOffer(*crashes, this);
    connect(m_crashOffer, &CrashOffer::failed, this, &MainWindow::complain);
    m_modelChange = new FileChangeBar(panes);
    m_tagsChange = new FileChangeBar(panes);
    m_panes = new Workspace(m_document, m_jobs, makeEngine(), panes);
    m_panes->setWindowFlags(Qt::Widget); // a window within this one
    for (QWidget* part : std::initializer_list<QWidget*>{crashes, m_modelChange, m_tagsChange})
        column->addWidget(part);
    column->addWidget(m_panes, 1);
    m_source = &m_panes->source();

    m_bottom = new QTabWidget(m_rest);
    m_bottom->setObjectName(QStringLiteral("panel"));
    m_bottom->setAutoFillBackground(true);
    m_bottom->setBackgroundRole(QPalette::Base);
    m_bottom->setMinimumHeight(84);
    m_problems = new ProblemsPanel(m_document, m_bottom);
    m_jobsPanel = new JobsPanel(m_jobs, m_bottom);
    m_runs = new RunsPanel(m_document, m_bottom);
    m_log = new LogPanel(m_bottom);
    m_bottom->addTab(m_problems, tr("Problems"));
    m_bottom->addTab(m_jobsPanel, tr("Jobs"));
    m_bottom->addTab(m_runs, tr("Runs"));
    m_bottom->addTab(m_log, tr("Log"));
    m_bottom->setTabToolTip(0, tr("What stands in the way of a split"));
    m_bottom->setTabToolTip(1, tr("What runs in the background"));
    m_bottom->setTabToolTip(2, tr("Every result since the model was opened"));
    m_bottom->setTabToolTip(3, tr("What happened"));

    m_workspace->setStretchFactor(0, 0);
    m_workspace->setStretchFactor(1, 1);
    m_rest->setStretchFactor(0, 1);
    m_rest->setStretchFactor(1, 0);
    m_side->setStretchFactor(0, 1);
}

void MainWindow::buildStatusBar()
{
    statusBar()->setSizeGripEnabled(false);
    m_counts = new QLabel(this);
    m_speed = new QLabel(this);
    m_counts->setContentsMargins(8, 0, 0, 0);
    m_speed->setContentsMargins(0, 0, 8, 0);
    m_message = new QLabel(this);
    m_message->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_messageTime = new QTimer(this);
    m_messageTime->setSingleShot(true);
    connect(m_messageTime, &QTimer::timeout, m_message, &QLabel::clear);
    statusBar()->addWidget(m_counts);
    statusBar()->addWidget(m_message, 1);
    statusBar()->addPermanentWidget(new JobStatus(m_jobs, this));
    statusBar()->addPermanentWidget(m_speed);
}

void MainWindow::resetLayout()
{
    const int wide = std::max(width(), 800);
    const int tall = std::max(height(), 500);
    m_workspace->setSizes({248, wide - 248});
    m_side->setSizes({tall * 30 / 100, tall * 21 / 100, tall * 15 / 100, tall * 28 / 100});
    m_rest->setSizes({tall - 150, 132});
    m_panes->reset();
    m_actions.showSide->setChecked(true);
    m_actions.showBottom->setChecked(true);
}

void MainWindow::restoreLayout()
{
    const QSettings settings;
    if (auto devices = parseDevicesFile(settings.value(QStringLiteral("devices")).toString().toStdString(), "settings"))
        m_document.restoreDevices(std::move(*devices));
    if (!restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray())) {
        const QRect room = screen()->availableGeometry();
        resize(std::min(1440, room.width() * 9 / 10), std::min(900, room.height() * 9 / 10));
    }
    resetLayout();
    if (settings.value(QStringLiteral("window/version")).toInt() != kLayoutVersion)
        return;
    m_workspace->restoreState(settings.value(QStringLiteral("window/workspace")).toByteArray());
    m_side->restoreState(settings.value(QStringLiteral("window/side")).toByteArray());
    m_rest->restoreState(settings.value(QStringLiteral("window/rest")).toByteArray());
    m_panes->restoreArrangement(settings.value(QStringLiteral("window/panes")).toByteArray());
    m_actions.showSide->setChecked(settings.value(QStringLiteral("window/showSide"), true).toBool());
    m_actions.showBottom->setChecked(settings.value(QStringLiteral("window/showBottom"), true).toBool());
}

void MainWindow::saveLayout() const
{
    QSettings settings;
    settings.setValue(QStringLiteral("devices"), QString::fromStdString(devicesFileText(m_document.devices())));
    settings.setValue(QStringLiteral("window/version"), kLayoutVersion);
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/workspace"), m_workspace->saveState());
    settings.setValue(QStringLiteral("window/side"), m_side->saveState());
    settings.setValue(QStringLiteral("window/rest"), m_rest->saveState());
    settings.setValue(QStringLiteral("window/panes"), m_panes->saveArrangement());
    settings.setValue(QStringLiteral("window/showSide"), m_actions.showSide->isChecked());
    settings.setValue(QStringLiteral("window/showBottom"), m_actions.showBottom->isChecked());
}

void MainWindow::offerCrashReports(const QString& path)
{
    m_crashOffer->look(path);
}

std::vector<QWidget*> MainWindow::areas() const
{
    std::vector<QWidget*> areas;
    for (FileChangeBar* bar : {m_modelChange, m_tagsChange})
        if (bar->isVisible())
            areas.push_back(bar);
    for (Pane* pane : m_panes->panesInSight())
        areas.push_back(pane);
    areas.insert(areas.end(), {m_bottom->currentWidget(), m_outline, m_tags, m_devices, m_inspector});
    return areas;
}

} // namespace sunder
