#pragma once

#include "document/document.h"
#include "jobs/jobs.h"

#include <QTimer>

class QLabel;
class QStatusBar;

namespace sunder {

class ZoomField;

/// The status line: what the model counts, what was said last, the job that runs, how long the last check took.
class StatusLine final {
public:
    StatusLine(QStatusBar& bar, const Document& document, Jobs& jobs);

    /// Shown for a while, but not beyond such a change of the document, nor in another one.
    void say(const QString& text, Changes until = {});
    [[nodiscard]] ZoomField& zoom() { return *m_zoom; }
    void showCounts(int errors, int warnings);

private:
    const Document& m_document;
    QLabel* m_counts;
    QLabel* m_message;
    QLabel* m_speed;
    ZoomField* m_zoom;
    QTimer m_messageTime;
    Changes m_until; ///< the message is untrue then
};

} // namespace sunder
