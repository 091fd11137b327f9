#pragma once

#include "document/document.h"
#include "jobs/jobs.h"

#include <QTimer>

class QLabel;
class QStatusBar;

namespace sunder {

class ElidedLabel;
class ZoomField;

/// Status bar: size of the model, last message, running job, and duration of the last check.
class StatusLine final {
public:
    StatusLine(QStatusBar& bar, const Document& document, Jobs& jobs);

    /// Shows a message for a limited time, or until a change in `until` or another document.
    void say(const QString& text, Changes until = {});
    [[nodiscard]] ZoomField& zoom() { return *m_zoom; }
    void showCounts(int errors, int warnings);

private:
    const Document& m_document;
    QLabel* m_counts;
    ElidedLabel* m_message;
    QLabel* m_speed;
    ZoomField* m_zoom;
    QTimer m_messageTime;
    Changes m_until; ///< changes that make the message obsolete
};

} // namespace sunder
