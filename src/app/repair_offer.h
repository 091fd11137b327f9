#pragma once

#include "analysis/device.h"
#include "document/document.h"
#include "tagging/repair_all.h"

#include <QObject>

#include <optional>

namespace sunder {

class Jobs;
class NoticeBar;

/// Fixes for all problems. A job computes fixes that remove most problems at the lowest cost. A dialog then shows the fixes,
/// their cost, and the remaining problems. Accepted fixes are one undo step. Fixes that remove tags are optional and off by
/// default. While another dialog or menu is open, the result waits in a bar.
class RepairOffer final : public QObject {
    Q_OBJECT

public:
    RepairOffer(NoticeBar& bar, Document& document, Jobs& jobs, QWidget& window);

    void search();

signals:
    void message(const QString& text);

private:
    struct Found {
        SnapshotPtr snapshot;
        TagAssignment before;
        std::vector<Device> devices;
        std::size_t problems = 0; ///< number of problems at the start of the search
        RepairChoice choice = {};
    };

    void take(Found found);
    void ask();
    void choose(int offer);
    void forget();
    [[nodiscard]] bool isOfNow(const Found& found) const;

    NoticeBar& m_bar;
    Document& m_document;
    Jobs& m_jobs;
    QWidget& m_window;
    std::optional<Found> m_found; ///< result that waits in the bar
};

} // namespace sunder
