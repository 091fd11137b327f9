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

/// One dialog for all that leaves the program. Lists what there is, says what each is, what cannot be exported and
/// why, asks before it writes many GB (more than "export/askAboveBytes" of the settings), shows progress, and in the end what was
/// written, where, and how it was checked.
class ExportDialog final : public QDialog {
    Q_OBJECT

public:
    ExportDialog(ExportSubject subject, Jobs& jobs, QWidget* parent = nullptr);
    ~ExportDialog() override;

    /// By its id; nothing happens when it is not listed.
    void setFormat(const QString& id);
    void setPath(const QString& path);
    /// Something else to export, in the format that is chosen; while something is being written nothing happens.
    void setSubject(ExportSubject subject);
    [[nodiscard]] QString statusText() const;
    [[nodiscard]] QPushButton& exportButton();
    [[nodiscard]] QPushButton& againButton();
    [[nodiscard]] ExportList& list();
    [[nodiscard]] ExportOptions& options();

signals:
    /// Something was written; `folder` is where the next export may go.
    void written(const QString& folder);
    /// The result in sight is older than what it was made of, and is to be made again.
    void cutAgainRequested(const sunder::RunResult& result);
    /// For the log.
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
    void hideOffers();
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
    /// The result that the format is made of, where what it was made of has changed since; null where there is none.
    [[nodiscard]] RunResult outdated() const;
    void showDefault();
    [[nodiscard]] ExportRequest request() const;

    ExportSubject m_subject;
    Jobs& m_jobs;
    JobId m_job;
    std::unique_ptr<Ui::ExportDialog> m_ui;
    QString m_writtenFolder;
    bool m_isAgreed = false; ///< the person has seen how much is to be written there
    std::map<QString, QString> m_paths; ///< by the ids of formats, as the person left them
};

} // namespace sunder
