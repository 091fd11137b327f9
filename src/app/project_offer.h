#pragma once

#include <QObject>

namespace sunder {

class Document;
class ModelFiles;
class NoticeBar;
class Workflow;

/// Shows a bar if there is a project next to the opened model, or if another window has the project open.
class ProjectOffer final : public QObject {
    Q_OBJECT

public:
    ProjectOffer(NoticeBar& bar, Document& document, ModelFiles& files, Workflow& workflow, QObject* parent);

private:
    void offer(const QString& path);
    void tellOther(const QString& path, const QString& since);
    void choose(int offer);

    NoticeBar& m_bar;
    ModelFiles& m_files;
    QString m_beside; ///< offered project; may be empty
};

} // namespace sunder
