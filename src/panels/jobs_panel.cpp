#include "panels/jobs_panel.h"

#include "models/job_model.h"
#include "models/name_delegate.h"
#include "models/row_actions.h"
#include "models/row_delegate.h"
#include "models/tag_style_of.h"
#include "panels/ui_jobs_panel.h"

#include <QHeaderView>
#include <QSortFilterProxyModel>

namespace sunder {
namespace {

/// Newest first, without the many small jobs that draw pictures.
class WorthShowing final : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override
    {
        return !sourceModel()->index(row, 0, parent).data(JobModel::QuietRole).toBool();
    }
    bool lessThan(const QModelIndex& a, const QModelIndex& b) const override { return a.row() > b.row(); }
};

class JobDelegate final : public NameDelegate {
public:
    using NameDelegate::NameDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        NameDelegate::paint(painter, option, index);
        const int permille = index.data(JobModel::PermilleRole).toInt();
        if (index.column() != JobModel::TimeColumn || permille < 0 || !index.data(JobModel::RunningRole).toBool())
            return;
        paintBar(*painter, QRectF(option.rect.left(), option.rect.center().y() - 2, option.rect.width() - 12, 5),
                 permille / 1000.0, currentTheme().selection);
    }
};

} // namespace

JobsPanel::JobsPanel(Jobs& jobs, QWidget* parent) : QWidget(parent), m_jobs(jobs), m_ui(std::make_unique<Ui::JobsPanel>())
{
    m_ui->setupUi(this);
    auto* model = new JobModel(jobs, this);
    auto* proxy = new WorthShowing(this);
    proxy->setSourceModel(model);
    proxy->sort(0);
    m_ui->view->setModel(proxy);
    m_ui->view->setItemDelegate(new JobDelegate(m_ui->view));
    m_ui->view->header()->setSectionResizeMode(JobModel::TitleColumn, QHeaderView::Interactive);
    m_ui->view->setColumnWidth(JobModel::TitleColumn, 280);
    m_ui->view->header()->setSectionResizeMode(JobModel::StateColumn, QHeaderView::Stretch);
    m_ui->view->header()->setSectionResizeMode(JobModel::TimeColumn, QHeaderView::Fixed);
    m_ui->view->setColumnWidth(JobModel::TimeColumn, 120);

    addRowAction(*m_ui->view, tr("Cancel"), Qt::Key_Delete, this, [this, model, proxy] {
        const QModelIndex index = proxy->mapToSource(m_ui->view->currentIndex());
        if (index.isValid())
            m_jobs.cancel(model->jobOf(index));
    });
}

JobsPanel::~JobsPanel() = default;

QTreeView& JobsPanel::view()
{
    return *m_ui->view;
}

} // namespace sunder

#include "moc_jobs_panel.cpp"
