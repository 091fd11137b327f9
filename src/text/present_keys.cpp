#include "text/present_keys.h"

#include <QRegularExpression>
#include <QStringList>

namespace sunder {
namespace {

QHash<QString, QString>& presentKeys()
{
    static QHash<QString, QString> keys;
    return keys;
}

/// Replaces each default shortcut in a list such as "Ctrl+PageUp, Ctrl+PageDown" with the current one.
QString listNow(const QString& list)
{
    const QString comma = QStringLiteral(", ");
    QStringList now;
    for (const QString& key : list.split(comma))
        if (const QString present = presentKeys().value(key, key); !present.isEmpty())
            now << present;
    return now.join(comma);
}

} // namespace

void setPresentKeys(QHash<QString, QString> byFirst)
{
    presentKeys() = std::move(byFirst);
}

QString withPresentKeys(const QString& text)
{
    if (presentKeys().isEmpty())
        return text;
    static const QRegularExpression named(QStringLiteral(" ?\\(([^()\\n]{1,80})\\)|\\t([^\\t\\n]{1,40})$"));
    QString shown;
    qsizetype done = 0;
    for (auto all = named.globalMatch(text); all.hasNext();) {
        const QRegularExpressionMatch found = all.next();
        const int group = found.capturedStart(1) >= 0 ? 1 : 2;
        const QString now = listNow(found.captured(group));
        shown += QStringView(text).mid(done, found.capturedStart() - done);
        done = found.capturedEnd();
        if (now.isEmpty())
            continue;
        shown += QStringView(text).mid(found.capturedStart(), found.capturedStart(group) - found.capturedStart());
        shown += now;
        shown += QStringView(text).mid(found.capturedEnd(group), found.capturedEnd() - found.capturedEnd(group));
    }
    return shown + text.mid(done);
}

} // namespace sunder
