#pragma once

#include "document/document.h"
#include "document/runs/parts_run.h"
#include "jobs/jobs.h"

#include <QDialog>

#include <memory>

class QStandardItemModel;

namespace sunder {

namespace Ui {
class PartsRunDialog;
}

/// Dialog of "Run parts in PyTorch…": runs the parts that the tags make against the whole model in a process of a Python with
/// PyTorch, shows measured next to estimated figures, and offers them as measured costs.
class PartsRunDialog final : public QDialog {
    Q_OBJECT

public:
    /// `python`: the interpreter of the settings; empty: search for one.
    PartsRunDialog(Document& document, Jobs& jobs, const QString& python, QWidget* parent = nullptr);
    ~PartsRunDialog() override;

signals:
    /// Emitted when the user has chosen an interpreter.
    void pythonChosen(const QString& path);

private:
    void choosePython();
    void startOrCancel();
    void start();
    void take(const Result<PartsRunPtr>& made);
    void show(const PartsRun& run);
    void showProgress(int row);
    void setRunning(bool isRunning);
    void takeAsCosts();
    void say(const QString& text, const QString& look, const QString& details = {});

    Document& m_document;
    Jobs& m_jobs;
    std::unique_ptr<Ui::PartsRunDialog> m_ui;
    QStandardItemModel* m_outputs;
    QStandardItemModel* m_parts;
    PartsRunPtr m_run;
    JobId m_job;
    bool m_isOver = false;
};

} // namespace sunder
