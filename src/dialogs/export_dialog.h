#pragma once

#include "export/export_subject.h"
#include "jobs/jobs.h"

#include <QDialog>

#include <map>
#include <memory>

class QPushButton;

namespace sunder {

namespace Ui {
class ExportDialog;
}

class ExportList;
class ExportOptions;

/// Export dialog for all formats. Lists formats with descriptions and shows why one cannot be exported. Asks before writing more
/// than "export/askAboveBytes" (settings) bytes. Shows progress, then the written files, their folder, and how they were checked.
class ExportDialog final : public QDialog {
    Q_OBJECT

public:
    ExportDialog(ExportSubject subject, Jobs& jobs, QWidget* parent = nullptr);
    ~ExportDialog() override;

    /// Selects a format by id; does nothing if it is not listed.
    void setFormat(const QString& id);
    void setPath(const QString& path);
    /// Sets the available exports, keeping the selected format. Does nothing while an export runs.
    void setSubject(ExportSubject subject);
    [[nodiscard]] QString statusText() const;
    [[nodiscard]] QPushButton& exportButton();
    [[nodiscard]] QPushButton& againButton();
    [[nodiscard]] ExportList& list();
    [[nodiscard]] ExportOptions& options();

signals:
    /// Emitted after an export; `folder` is the default for the next one.
    void written(const QString& folder);
    /// Requests to repeat an outdated result.
    void cutAgainRequested(const sunder::RunResult& result);
    /// Emits a message for the log.
    void message(const QString& text);

public slots:
    void accept() override;
    void reject() override;

private:
    void formatChanged();
    void suffixChanged();
    void pathEdited(const QString& text);
    void browse();
    void proposePath();
    void refresh();
    void hideSuggestions();
    void openFolder();
    void begin(const QString& status);
    void end();
    void measure();
    void measured(const Result<std::uint64_t>& bytes);
    void write();
    void showProgress(int row);
    void showFailure(const Error& error);
    void finished(const Result<ExportedFiles>& written);
    void setStatus(const QString& text, const QString& look);
    [[nodiscard]] const ExportFormat& format() const;
    [[nodiscard]] QString& path() { return m_paths[format().id]; }
    /// Returns the result to export if its input has changed since; otherwise null.
    [[nodiscard]] RunResult outdated() const;
    void showDefault();
    [[nodiscard]] ExportRequest request() const;

    ExportSubject m_subject;
    Jobs& m_jobs;
    JobId m_job;
    std::unique_ptr<Ui::ExportDialog> m_ui;
    QString m_writtenFolder;
    bool m_isAgreed = false; ///< the user has confirmed the size
    std::map<QString, QString> m_paths; ///< by format id, as the user left them
};

} // namespace sunder
