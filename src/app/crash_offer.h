#pragma once

#include <QObject>
#include <QString>

namespace sunder {

class NoticeBar;

/// Offers unseen crash reports in a bar above the panes: show or dismiss them.
class CrashOffer final : public QObject {
    Q_OBJECT

public:
    CrashOffer(NoticeBar& bar, QObject* parent);

    /// Shows the bar if this log has unseen reports.
    void offerFrom(const QString& path);

signals:
    void failed(const QString& title, const QString& why);

private:
    void show();
    void dismiss();

    NoticeBar& m_bar;
    QString m_path;
};

} // namespace sunder
