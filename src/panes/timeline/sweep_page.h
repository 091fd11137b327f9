#pragma once

#include "document/document.h"
#include "jobs/jobs.h"
#include "passes/balance/schedule_sweep.h"

#include <QWidget>

#include <memory>

namespace sunder {

namespace Ui {
class SweepPage;
}

class SweepModel;

using SweepPtr = std::shared_ptr<const Sweep>;

/// Schedules, micro-batches, and stages side by side, with the best row that fits. A row opens its timeline.
class SweepPage final : public QWidget {
    Q_OBJECT

public:
    explicit SweepPage(QWidget* parent = nullptr);
    ~SweepPage() override;

    /// Sets where the model comes from and where the work is done; called once.
    void start(Document& document, Jobs& jobs);
    /// Sets the choices that all rows share. Inference and training are not compared with each other.
    void setChoices(std::uint64_t statesPerParameter, bool isInference);
    /// Compares for the current numbers, unless the rows are up to date.
    void compareOnce();
    /// Notes that tags, devices, or costs differ from those of the rows.
    void markOutdated();
    /// Returns the numbers of micro-batches and stages, for projects.
    [[nodiscard]] QString batches() const;
    [[nodiscard]] QString stages() const;
    void setNumbers(const QString& batches, const QString& stages);

signals:
    /// Requests the timeline of a row. `isOfTags`: its cut is the document's tags.
    void opened(const sunder::SweepPtr& sweep, int row, bool isOfTags);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void compare();
    void take(Result<SweepPtr> made);
    /// Gives each column room for its cells. Schedules are shortened if the table is too narrow.
    void fitColumns();
    void say(const QString& text, const QString& look);
    void sayBest();
    void explain(const QModelIndex& index);
    void open(const QModelIndex& index);
    [[nodiscard]] int rowOf(const QModelIndex& index) const;

    Document* m_document = nullptr;
    Jobs* m_jobs = nullptr;
    std::unique_ptr<Ui::SweepPage> m_ui;
    SweepModel* m_model;
    SweepPtr m_sweep;
    JobId m_job;
    std::uint64_t m_statesPerParameter = 0;
    bool m_isInference = false;
    bool m_isOfTags = true;
    bool m_isOutdated = true;
};

} // namespace sunder
