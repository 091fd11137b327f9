#pragma once

#include "document/document.h"
#include "jobs/jobs.h"

#include <QTreeView>
#include <QWidget>

#include <memory>

namespace sunder {

namespace Ui {
class RulesPanel;
}

class RulesModel;

/// Rules that give tags: a table to edit, which says what each rule takes while one types, and shows it in the graph.
class RulesPanel final : public QWidget {
    Q_OBJECT

public:
    RulesPanel(Document& document, Jobs& jobs, QWidget* parent = nullptr);
    ~RulesPanel() override;
    [[nodiscard]] QTreeView& view();
    [[nodiscard]] RulesModel& model() { return *m_model; }

    /// The rules of a RULES.json in place of those in the table; they are applied when somebody says so.
    void readFile(const QString& path);
    void writeFile(const QString& path);

signals:
    /// Something that did not work, worth a dialog.
    void failed(const QString& title, const QString& why);
    /// Something to say for a moment in the status line.
    void message(const QString& text);

protected:
    void hideEvent(QHideEvent* event) override;

private:
    void addKeys();
    void work();
    void showState();
    void showCurrent();
    void add();
    void removeCurrent();
    void moveCurrent(int by);
    void chooseFileToRead();
    void chooseFileToWrite();
    void selectCurrent();

    Document& m_document;
    Jobs& m_jobs;
    RulesModel* m_model;
    int m_row = -1; ///< the current one, while rules are read anew
    bool m_isShowing = false; ///< what the search found is what a rule takes
    std::unique_ptr<Ui::RulesPanel> m_ui;
};

} // namespace sunder
