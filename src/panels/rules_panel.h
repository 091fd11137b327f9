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

/// The rules that assign tags: an editable table that shows the effect of each rule while typing, also in the graph.
class RulesPanel final : public QWidget {
    Q_OBJECT

public:
    RulesPanel(Document& document, Jobs& jobs, QWidget* parent = nullptr);
    ~RulesPanel() override;
    [[nodiscard]] QTreeView& view();
    [[nodiscard]] RulesModel& model() { return *m_model; }

    /// Replaces the rules in the table by those of a RULES.json; they take effect when applied.
    void readFile(const QString& path);
    void writeFile(const QString& path);

signals:
    /// Emitted with an error for a dialog.
    void failed(const QString& title, const QString& why);
    /// Emitted with a temporary text for the status line.
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
    int m_row = -1; ///< current row while rules are reset
    bool m_isShowing = false; ///< the found nodes are those of a rule
    std::unique_ptr<Ui::RulesPanel> m_ui;
};

} // namespace sunder
