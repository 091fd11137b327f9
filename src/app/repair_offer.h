#pragma once

#include "analysis/device.h"
#include "document/document.h"
#include "tagging/repair_all.h"

#include <QObject>

#include <optional>

namespace sunder {

class Jobs;
class NoticeBar;

/// Repairs of all problems: works out in a job which take away most of them, the cheapest first, and asks: what they are, what they
/// cost, what stays. They are made in one undo step. Repairs that remove tags are a choice of their own, which is off. While another
/// dialog or a menu is open, what was found waits in a strip.
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
        std::size_t problems = 0; ///< as they were counted when the search began
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
    std::optional<Found> m_found; ///< waits in the strip
};

} // namespace sunder
