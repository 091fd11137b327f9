#pragma once

#include "document/document.h"
#include "support/json_tape.h"

#include <QToolButton>

namespace sunder {

/// "Colors: tags ▾" in the header of the source: selects painted tags, the parts of a run, either a fixed one or the one shown
/// in the panes, or a cost. A new partition is shown automatically until tags are painted.
class SourceColors final : public QToolButton {
    Q_OBJECT

public:
    explicit SourceColors(Document& document, QWidget* parent = nullptr);

    /// The cut whose parts color the source; null: painted tags.
    [[nodiscard]] SplitOutcomePtr cut() const;
    /// The number of its run; 0: no run.
    [[nodiscard]] int run() const { return cut() ? runNumber() : 0; }
    void showTags();
    /// Shows a cost by its id, see Costs::choices(). The tags remain visible until it is counted.
    void showCost(const QString& id);
    /// Whether a cost is selected; costs() may not be known yet.
    [[nodiscard]] bool areCosts() const { return m_by == By::cost; }
    /// Why the selected cost has no figures although the costs are counted.
    [[nodiscard]] QString refusal() const;
    /// The figures that color the source; null: none, or not counted yet.
    [[nodiscard]] CostFiguresPtr costs() const;
    /// Shows the parts of a run that cuts the model; otherwise the tags.
    void showRun(int number);
    /// Shows the parts of the run shown in the panes, and follows it; the tags while there is none.
    void followRuns();
    /// Returns the selection for a project, as JSON: the number of a run, "shown" for the run shown in the panes, the id of a cost,
    /// or nothing for tags.
    [[nodiscard]] std::string choice() const;
    /// Restores a choice(). Anything else, and a run that does not cut the model, selects the tags.
    void restoreChoice(JsonValue kept);

signals:
    /// Emitted when another cut is selected or its colors changed.
    void colorsChanged();

private:
    enum class By : quint8 { tags, run, shownRun, cost };

    [[nodiscard]] int runNumber() const;
    void set(By by, int run, const QString& cost = {});
    void documentChanged(Changes what);
    [[nodiscard]] bool hasNewPartition() const;
    void fillMenu();
    /// Adds a menu of the devices that seconds can be for, if there are several.
    void addDevices();
    void addFiles();
    void chooseMeasurement();
    void chooseNumbers();
    void showState();

    Document& m_document;
    By m_by = By::tags;
    int m_run = 0; ///< for By::run
    QString m_cost; ///< for By::cost
    int m_newest = 0; ///< number of the last run
    bool m_isByItself = false; ///< a new partition is shown automatically
};

} // namespace sunder
