#pragma once

#include "export/export_request.h"
#include "jobs/jobs.h"

#include <QDialog>

#include <array>
#include <functional>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace sunder {

/// What the window has to export; the dialog asks for the rest.
struct ExportSubject {
    QString name; ///< of the model
    QString folder; ///< where files are proposed
    SnapshotPtr source;
    SplitOutcomePtr outcome;       ///< null: not split yet
    bool outcomeIsCurrent = false; ///< false: tags have changed since the split
    TagState tags;
    std::shared_ptr<const Picture> picture;
    PictureStyle style;
    Rect seen; ///< part of the picture that the window shows
};

/// One dialog for all that leaves the program: parts, split graph, tags, picture. Says what cannot be exported and
/// why, shows progress, and in the end what was written and where.
class ExportDialog final : public QDialog {
    Q_OBJECT

public:
    ExportDialog(ExportSubject subject, Jobs& jobs, QWidget* parent = nullptr);

    void setKind(ExportKind kind);
    void setPath(const QString& path);
    [[nodiscard]] QString statusText() const;
    [[nodiscard]] QPushButton& exportButton() { return *m_export; }

signals:
    /// Something was written; `folder` is where the next export may go.
    void written(const QString& folder);
    /// For the log.
    void message(const QString& text);

public slots:
    void accept() override;
    void reject() override;

private:
    QWidget* makeForm();
    void kindChanged();
    void browse();
    void proposePath();
    void refresh();
    void finished(const Result<ExportedFiles>& written);
    void setStatus(const QString& text, const QString& look);
    [[nodiscard]] ExportKind kind() const;
    [[nodiscard]] QString refusal() const;
    [[nodiscard]] ExportRequest request() const;
    [[nodiscard]] QString pictureSuffix() const;

    ExportSubject m_subject;
    Jobs& m_jobs;
    JobId m_job;
    QListWidget* m_kinds;
    QLabel* m_what;
    QLabel* m_pathLabel = nullptr;
    QLineEdit* m_path = nullptr;
    QComboBox* m_format = nullptr;
    QComboBox* m_area = nullptr;
    QSpinBox* m_scale = nullptr;
    std::array<QWidget*, 6> m_pictureRows = {}; ///< labels and fields that only a picture needs
    QLabel* m_status;
    QProgressBar* m_progress;
    QPushButton* m_export;
    QPushButton* m_close;
    QPushButton* m_folder;
    QString m_writtenFolder;
    std::array<QString, 4> m_paths; ///< per kind, as the person left it
};

} // namespace sunder
