#pragma once

#include "app/disk_watch.h"
#include "app/workflow.h"
#include "document/document.h"

#include <QObject>

class QPushButton;

namespace sunder {

class NoticeBar;

/// Shows a bar for each changed file (model, tags) and runs the action chosen there.
class DiskNotices final : public QObject {
    Q_OBJECT

public:
    /// Bars and window must outlive this object; dialogs open over the window.
    DiskNotices(Document& document, Workflow& workflow, NoticeBar& modelBar, NoticeBar& tagsBar, QWidget& window);

    [[nodiscard]] DiskWatch& watch() { return m_watch; }

    enum class Offer { compare, reload, keep };
    /// Returns the button in the bar of this file; the bar must have been shown.
    [[nodiscard]] QPushButton& buttonOf(WatchedFile file, Offer offer);

signals:
    /// Requests to open a project again from its file.
    void projectWanted(const QString& path);
    /// Emits a text for the log.
    void noted(const QString& text);
    /// Emitted when a bar that had the focus was hidden.
    void left();

private:
    [[nodiscard]] NoticeBar& barOf(WatchedFile file) { return file == WatchedFile::model ? m_modelBar : m_tagsBar; }
    void connectBar(WatchedFile file);
    void showChange(WatchedFile file, const std::optional<DiskChange>& change);
    void showComparison(WatchedFile file, const QString& name, const DiskComparison& found);
    void askAboutLoss(std::size_t lost, std::size_t tagged, const std::function<void()>& take);
    void compare(WatchedFile file);
    void reload(WatchedFile file);
    void keep(WatchedFile file);

    Document& m_document;
    Workflow& m_workflow;
    NoticeBar& m_modelBar;
    NoticeBar& m_tagsBar;
    QWidget& m_window;
    DiskWatch m_watch;
};

} // namespace sunder
