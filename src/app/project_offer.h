#pragma once

#include <QObject>

namespace sunder {

class Document;
class ModelFiles;
class NoticeBar;
class Workflow;

/// Says what there is to know of a project, in a strip: that one lies beside the model that was opened, or that another window has
/// it open.
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
    QString m_beside; ///< the project that is offered; empty: none is
};

} // namespace sunder
