#include "analysis/alignment/folded_places.h"
#include "analysis/alignment/model_changes.h"
#include "analysis/outline_tree.h"

#include "test_case.h"
#include "test_support.h"

#include <QTest>

#include <numeric>

using namespace sunder;

namespace {

/// Ops, one a line, in the modules given as "relu layers.0.act".
GraphIdentity modelOf(const QStringList& ops)
{
    std::string text = "x = placeholder() : 1x8\n";
    std::string from = "x";
    for (qsizetype i = 0; i < ops.size(); ++i) {
        const std::string name = "n" + std::to_string(i);
        const QString path = ops[i].section(' ', 1);
        std::string stack;
        for (qsizetype dots = 0; dots <= path.count('.') && !path.isEmpty(); ++dots)
            stack += (dots == 0 ? " @ " : " > ") + path.section('.', 0, dots).toStdString() + " Module";
        text += name + " = " + ops[i].section(' ', 0, 0).toStdString() + "(" + from + ") : 1x8" + stack + "\n";
        from = name;
    }
    return identityOf(test::programFromText(text + "output(" + from + ")\n"));
}

/// The places of the ops of a model with these operators, as "2 in layers.0–1.act".
QStringList placesOf(const GraphIdentity& graph, const QString& operators)
{
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t node = 0; node < graph.nodes.size(); ++node)
        if (operators.split(' ').contains(QString::fromStdString(std::string(shortTarget(graph.nodes[node].target.view())))))
            nodes.push_back(node);
    QStringList places;
    for (const FoldedPlace& place : foldedPlaces(graph, nodes))
        places << QStringLiteral("%1 in %2").arg(place.nodes.size()).arg(QString::fromStdString(place.place));
    return places;
}

/// The changes from one model to another, whose parts are "a" up to the old node, and "b": "2 new in blocks.1: relu ×2; none, b?".
QStringList changesOf(const GraphIdentity& old, const GraphIdentity& now, std::size_t lastOfA)
{
    const GraphAlignment alignment = *alignGraphs(old, now, ProgressMonitor::none());
    std::vector<std::int32_t> tags(old.nodes.size(), 1);
    std::fill_n(tags.begin(), lastOfA, 0);
    const CarriedTags carried = carriedTags(now, alignment, tags);
    const ModelChanges found = modelChanges(old, now, alignment, carried, tags);
    const auto tagText = [](std::int32_t tag) { return tag < 0 ? "none" : tag == 0 ? "a" : "b"; };
    QStringList changes{QStringLiteral("%1 unchanged").arg(found.unchanged)};
    for (const ModelChange& change : found.changes)
        changes << QStringLiteral("%1 %2 in %3%4: %5; %6%7")
                       .arg(change.nodes.size())
                       .arg(QString::fromStdString(std::string(name(change.kind))),
                            change.from.empty() ? QString() : QString::fromStdString(change.from) + " → ",
                            QString::fromStdString(change.place), QString::fromStdString(change.operators), tagText(change.tag),
                            change.suggestion < 0 ? QString() : QStringLiteral(", %1?").arg(tagText(change.suggestion)));
    return changes;
}

} // namespace

/// Lists what changed between two exports by module, so that it is short.
class ModelChangesTest final : public QObject {
    Q_OBJECT
private slots:
    void foldsNumberedModulesAndWholeModules()
    {
        const GraphIdentity graph = modelOf({"relu layers.0.act", "tanh layers.0.out", "relu layers.1.act", "tanh layers.1.out",
                                             "relu layers.2.act", "tanh layers.2.out", "neg head.a", "abs head.b", "sin"});
        QCOMPARE(placesOf(graph, "relu"), QStringList{"3 in layers.0–2.act"});
        QCOMPARE(placesOf(graph, "relu tanh"), QStringList{"6 in layers"}); // all of it
        QCOMPARE(placesOf(graph, "neg abs"), QStringList{"2 in head"});
        QCOMPARE(placesOf(graph, "neg relu"), (QStringList{"3 in layers.0–2.act", "1 in head.a"}));
        QCOMPARE(placesOf(graph, "sin"), QStringList{"1 in outside of modules"});
        QCOMPARE(placesOf(graph, "relu tanh neg abs sin"), QStringList{"9 in the whole model"});
        QCOMPARE(placesOf(graph, "cos"), QStringList());
    }

    void namesNumbersThatAreNotConsecutive()
    {
        const std::vector<std::string> some{"l.1.x", "l.3.x", "l.10.x"};
        QCOMPARE(foldedPath(some), std::string("l.{1,3,10}.x"));
        const std::vector<std::string> many{"l.1", "l.3", "l.5", "l.7", "l.9"};
        QCOMPARE(foldedPath(many), std::string("l.*"));
        const std::vector<std::string> product{"l.0.e.0", "l.0.e.1", "l.1.e.0", "l.1.e.1"};
        QCOMPARE(foldedPath(product), std::string("l.0–1.e.0–1"));
        const std::vector<std::string> holes{"l.0.e.0", "l.0.e.1", "l.1.e.0"};
        QCOMPARE(foldedPath(holes), std::string("l.*.e.*"));
        const std::vector<std::string> huge{"l.99999999999999999999", "l.99999999999999999998"};
        QCOMPARE(foldedPath(huge), std::string("l.{99999999999999999998,99999999999999999999}"));
    }

    void combinesManyPlacesInEnclosingModules()
    {
        QStringList ops;
        for (const char* module : {"a", "b", "c", "d", "e", "f"})
            ops << QStringLiteral("relu enc.%1.act").arg(module) << QStringLiteral("tanh enc.%1.out").arg(module);
        QCOMPARE(placesOf(modelOf(ops), "relu"), QStringList{"6 in enc"});
        const GraphIdentity few = modelOf(
            {"relu l.0.a", "relu l.0.b", "tanh l.0.c", "relu l.1.a", "relu l.1.b", "tanh l.1.c", "relu x.y"});
        QCOMPARE(placesOf(few, "relu"), (QStringList{"2 in l.0–1.a", "2 in l.0–1.b", "1 in x"}));
    }

    void tellsNewLostAndRenamedOps()
    {
        const QStringList before{"relu enc.a", "tanh enc.b", "abs gate", "neg head.x", "sin head.y"};
        QStringList after = before;
        QCOMPARE(changesOf(modelOf(before), modelOf(after), 4), QStringList{"5 unchanged"});
        after = {"relu enc.a", "tanh enc.b", "neg out.x", "sin out.y"};
        const QStringList changes = changesOf(modelOf(before), modelOf(after), 4);
        QVERIFY2(changes.contains("1 lost in gate: abs; a"), qPrintable(changes.join('\n')));
        QVERIFY2(changes.filter("head → out").size() == 1, qPrintable(changes.join('\n')));
        after = {"relu enc.a", "tanh enc.b", "cos extra.0", "cos extra.1", "abs gate", "neg head.x", "sin head.y"};
        const QStringList more = changesOf(modelOf(before), modelOf(after), 4);
        QVERIFY2(more.contains("2 new in extra: cos ×2; none, a?"), qPrintable(more.join('\n')));
    }

    void tellsOtherShapes()
    {
        const GraphIdentity before = modelOf({"relu enc.a", "tanh enc.b", "abs"});
        GraphIdentity after = before;
        after.nodes[2].value ^= 1U;
        QCOMPARE(changesOf(before, after, 4), (QStringList{"2 unchanged", "1 resized in enc.b: tanh; a"}));
    }

    void countsOperators()
    {
        const GraphIdentity graph = modelOf({"relu", "tanh", "relu", "abs", "sin"});
        std::vector<std::uint32_t> all(5);
        std::iota(all.begin(), all.end(), 1U); // after the input
        QCOMPARE(operatorsText(graph, all), std::string("relu ×2, abs, sin and 1 other"));
    }
};

const test::Registered<ModelChangesTest> modelChangesTest("model_changes_test");
#include "model_changes_test.moc"
