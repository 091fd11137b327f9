#pragma once

#include <QByteArray>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

namespace sunder::test {

/// Part of every name in the model, to distinguish text from the model from text of the program.
inline const QString kMark = QStringLiteral("Q7");

inline QStringList hostileNames()
{
    return {QStringLiteral("Q7<img src=file:///nowhere/zero>"),
            QStringLiteral("<b>Q7</b><br>"),
            QStringLiteral("Q7&amp;"),
            QStringLiteral("Q7&cut & paste&"),
            QStringLiteral("Q7\x1b[31mred\x07\n\r\tend"),
            QStringLiteral("Q7\u202Etxt.exe\u202C\u200B\u2028"),
            QStringLiteral("Q7 %1 %2 %3 %n %L1"),
            QStringLiteral("Q7[*]"),
            QStringLiteral("Q7") + QString(10'000, QLatin1Char('x')),
            QStringLiteral("Q7\"'`;--")};
}

inline QByteArray hostileLine(const QJsonObject& object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
}

/// A chain of calls in which every name that a file can contain is hostile.
inline QByteArray hostileModel()
{
    const QStringList names = hostileNames();
    const auto node = [&](qsizetype i) { return names[i % names.size()] + QString::number(i); };
    QByteArray file = hostileLine({{"k", "fx-json"}, {"v", QJsonArray{1, 0}}, {"min", QJsonArray{1, 0}}, {"producer", names[0]}});
    for (qsizetype i = 0; i < names.size(); ++i) {
        file += hostileLine({{"k", "str"}, {"id", int(i)}, {"s", QStringLiteral("File \"%1.py\", line 7\n%1").arg(names[i])}});
        file += hostileLine({{"k", "stack"},
                             {"id", int(i)},
                             {"mods",
                              QJsonArray{QJsonArray{"root", "", names[(i + 1) % names.size()]},
                                         QJsonArray{"m" + node(i), "m" + node(i).remove('.'), "cls." + names[i]}}}});
    }
    file += hostileLine({{"k", "module"}, {"path", ""}, {"cls", names[1]}});
    for (qsizetype i = 0; i < names.size(); ++i)
        file += hostileLine({{"k", "module"}, {"path", "m" + node(i).remove('.')}, {"cls", "cls." + names[i]}});
    file += hostileLine({{"k", "graph"}, {"id", "g0"}, {"module", ""}});
    const QJsonObject value{
        {"tensor", QJsonObject{{"dtype", "float32"}, {"shape", QJsonArray{4, QJsonObject{{"sym", names[3]}, {"hint", 4}}}}}}};
    const qsizetype count = 2 * names.size();
    for (qsizetype i = 0; i < count; ++i) {
        const bool isInput = i == 0;
        file += hostileLine({{"k", "node"},
                             {"g", "g0"},
                             {"name", node(i)},
                             {"op", isInput ? "placeholder" : "call_function"},
                             {"target",
                              isInput          ? node(i)
                                  : i % 3 == 0 ? "ops." + names[i % names.size()]
                                               : QStringLiteral("torch.relu")},
                             {"args", isInput ? QJsonArray() : QJsonArray{QJsonObject{{"n", node(i - 1)}}}},
                             {"kwargs", QJsonArray()},
                             {"val", value},
                             {"type", names[i % names.size()]},
                             {"mods", int(i % names.size())},
                             {"trace", int(i % names.size())}});
    }
    file += hostileLine({{"k", "node"},
                         {"g", "g0"},
                         {"name", "output"},
                         {"op", "output"},
                         {"target", "output"},
                         {"args", QJsonArray{QJsonObject{{"n", node(count - 1)}}}},
                         {"kwargs", QJsonArray()}});
    file += hostileLine({{"k", "end"}, {"nodes", int(count + 1)}});
    return file;
}

} // namespace sunder::test
