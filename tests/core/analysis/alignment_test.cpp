#include "analysis/alignment/align_sequences.h"
#include "analysis/alignment/carried_tags.h"

#include "random_program.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

namespace {

/// Two linear layers with an activation between them, whose value has the given width.
std::string layerText(const std::string& list, int number, const std::string& from, const std::string& width = "8")
{
    const std::string path = list + "." + std::to_string(number);
    const std::string n = std::to_string(number);
    const std::string stack = " @ " + path + " Layer";
    return "p" + n + " = call_function[torch.linear](" + from + ") : 1x" + width + stack + " > " + path + ".fc1 Linear\n"    //
        + "q" + n + " = relu(p" + n + ") : 1x" + width + stack + "\n"                                                      //
        + "r" + n + " = call_function[torch.linear](q" + n + ") : 1x" + width + stack + " > " + path + ".fc2 Linear\n";
}

std::string layersText(int count, const std::string& list = "layers", int wide = -1)
{
    std::string text = "x = placeholder() : 1x8\n";
    std::string from = "x";
    for (int i = 0; i < count; ++i) {
        text += layerText(list, i, from, i == wide ? "64" : "8");
        from = "r" + std::to_string(i);
    }
    return text + "end = tanh(" + from + ") : 1x8\noutput(end)\n";
}

struct Aligned {
    GraphIdentity old;
    GraphIdentity now;
    GraphAlignment alignment;

    [[nodiscard]] const AlignedCall* call(const std::string& name) const
    {
        for (const AlignedCall& it : alignment.calls)
            if (now.nodes[it.node].name.view() == name)
                return &it;
        return nullptr;
    }
    /// "identity of a", "undecided of a or b", "added".
    [[nodiscard]] QString said(const std::string& node) const
    {
        const AlignedCall* it = call(node);
        if (it == nullptr)
            return "no call";
        std::string text(name(it->kind));
        std::vector<std::uint32_t> all = it->others;
        if (it->old != AlignedCall::kNone)
            all.insert(all.begin(), it->old);
        for (std::size_t i = 0; i < all.size(); ++i)
            text += (i == 0 ? " of " : " or ") + old.nodes[all[i]].name.str();
        return QString::fromStdString(text + (it->mayBeNew ? ", perhaps new" : ""));
    }
    [[nodiscard]] std::size_t count(MatchKind kind) const
    {
        return static_cast<std::size_t>(std::ranges::count(alignment.calls, kind, &AlignedCall::kind));
    }
    [[nodiscard]] QStringList lost() const
    {
        QStringList names;
        for (const std::uint32_t node : alignment.lost)
            names << QString::fromStdString(old.nodes[node].name.str());
        return names;
    }
};

Aligned aligned(const Program& before, const Program& after)
{
    Aligned made{.old = identityOf(before), .now = identityOf(after), .alignment = {}};
    made.alignment = *alignGraphs(made.old, made.now, ProgressMonitor::none());
    return made;
}

Aligned aligned(const std::string& before, const std::string& after)
{
    return aligned(test::programFromText(before), test::programFromText(after));
}

/// Parses tags of the nodes of an old graph, as "a:0 b:1".
std::vector<std::int32_t> tagsOf(const GraphIdentity& old, const QString& pairs)
{
    std::vector<std::int32_t> tags(old.nodes.size(), TagAssignment::kUntagged);
    for (const QString& pair : pairs.split(' '))
        for (std::size_t i = 0; i < old.nodes.size(); ++i)
            if (old.nodes[i].name.str() == pair.section(':', 0, 0).toStdString())
                tags[i] = pair.section(':', 1).toInt();
    return tags;
}

} // namespace

/// Matches the ops of one export to another, and reports uncertain matches.
class AlignmentTest final : public QObject {
    Q_OBJECT
private slots:
    void anotherBatchOfAClassThatIsElsewhereIsTheSame()
    {
        // A model exported by the script that defines its classes ("__main__.Layer"), then by one that imports them.
        std::string before = layersText(3);
        std::string after = layersText(3);
        for (std::size_t at = 0; (at = after.find(" Layer", at)) != std::string::npos;)
            after.replace(at, 6, " models.Layer");
        for (std::size_t at = 0; (at = after.find("1x8", at)) != std::string::npos;)
            after.replace(at, 3, "4x8");
        const Aligned found = aligned(before, after);
        QCOMPARE(found.count(MatchKind::identity), found.alignment.calls.size());
        QVERIFY(found.lost().isEmpty());
    }

    void aLayerMoreInAnotherBatchIsUndecidedAndLosesNothing()
    {
        std::string after = layersText(4);
        for (std::size_t at = 0; (at = after.find(" Layer", at)) != std::string::npos;)
            after.replace(at, 6, " models.Layer");
        for (std::size_t at = 0; (at = after.find("1x8", at)) != std::string::npos;)
            after.replace(at, 3, "4x8");
        const Aligned found = aligned(layersText(3), after);
        QVERIFY2(found.lost().isEmpty(), qPrintable(found.lost().join(' ')));
        QCOMPARE(found.count(MatchKind::inPlace), std::size_t{0});
        QCOMPARE(found.said("p0"), QString("undecided of p0, perhaps new"));
        QCOMPARE(found.said("p3"), QString("added")); // by name; which layer was added is undecidable
    }

    void aGraphIsItself()
    {
        for (unsigned seed = 0; seed < 20; ++seed) {
            const Program program = test::randomProgram(seed, 40);
            const Aligned same = aligned(program, program);
            QCOMPARE(same.count(MatchKind::identity), same.alignment.calls.size());
            for (const AlignedCall& call : same.alignment.calls)
                QCOMPARE(call.old, call.node);
            QVERIFY(same.alignment.lost.empty());
        }
    }

    void namesDecideNothing()
    {
        const Aligned it = aligned("x = placeholder()\na = relu(x)\nb = tanh(a)\noutput(b)\n",
                                   "x = placeholder()\nb = relu(x)\na = tanh(b)\noutput(a)\n");
        QCOMPARE(it.said("b"), QString("identity of a"));
        QCOMPARE(it.said("a"), QString("identity of b"));
    }

    void anInsertedOpIsNewAndTheOthersAreThemselves()
    {
        const Aligned it = aligned("x = placeholder()\na = relu(x)\nb = tanh(a)\noutput(b)\n",
                                   "x = placeholder()\na = relu(x)\nn = exp(a)\nb = tanh(n)\noutput(b)\n");
        QCOMPARE(it.said("n"), QString("added"));
        QCOMPARE(it.said("a"), QString("identity of a"));
        QCOMPARE(it.said("b"), QString("identity of b"));
    }

    void anEqualOpBesideItsLikeIsADoubt()
    {
        const Aligned it = aligned("x = placeholder()\na = relu(x)\noutput(a)\n",
                                   "x = placeholder()\na = relu(x)\nb = relu(a)\noutput(b)\n");
        QCOMPARE(it.said("a"), QString("undecided of a, perhaps new"));
        QCOMPARE(it.said("b"), QString("undecided of a, perhaps new"));
    }

    void constantsTellEqualOpsApart()
    {
        const Aligned it = aligned("x = placeholder()\na = mul(x, 2)\nb = tanh(a)\noutput(b)\n",
                                   "x = placeholder()\nn = mul(x, 3)\na = mul(n, 2)\nb = tanh(a)\noutput(b)\n");
        QVERIFY2(it.said("a").endsWith("of a"), qPrintable(it.said("a")));
        QCOMPARE(it.said("n"), QString("added"));
    }

    void alikeLayersAreUndecidedWhenOneIsMore()
    {
        const Aligned it = aligned(layersText(3), layersText(4));
        QCOMPARE(it.said("q0"), QString("undecided of q0, perhaps new"));
        QCOMPARE(it.said("q1"), QString("undecided of q1 or q0, perhaps new"));
        QCOMPARE(it.said("end"), QString("identity of end"));
        QCOMPARE(it.count(MatchKind::identity), std::size_t{1});
    }

    void aLayerThatIsUnlikeIsFoundWhereverItIs()
    {
        // The wide layer was second and is now third: a layer was inserted before it.
        const Aligned it = aligned(layersText(3, "layers", 1), layersText(4, "layers", 2));
        QCOMPARE(it.said("q2"), QString("structure of q1"));
        QCOMPARE(it.said("q3"), QString("structure of q2"));
    }

    void aRenamedListIsMatchedByStructure()
    {
        const Aligned it = aligned(layersText(3), layersText(3, "blocks"));
        for (const char* node : {"p0", "q1", "r2"})
            QCOMPARE(it.said(node), QString("structure of %1").arg(node));
    }

    void exchangedNamesAreADoubt()
    {
        const std::string before = "x = placeholder()\na = call_function[torch.linear](x) @ fc1 Linear\nb = tanh(a)\n"
                                   "c = call_function[torch.linear](b) @ fc2 Linear\noutput(c)\n";
        const std::string after = "x = placeholder()\na = call_function[torch.linear](x) @ fc2 Linear\nb = tanh(a)\n"
                                  "c = call_function[torch.linear](b) @ fc1 Linear\noutput(c)\n";
        const Aligned it = aligned(before, after);
        QCOMPARE(it.said("a"), QString("undecided of a or c"));
        QCOMPARE(it.said("c"), QString("undecided of c or a"));
    }

    void whatReadsSomethingElseHasMoved()
    {
        const Aligned it = aligned("x = placeholder()\na = relu(x)\nb = tanh(a)\nc = exp(b)\nd = add(a, c)\noutput(d)\n",
                                   "x = placeholder()\na = relu(x)\nb = tanh(a)\nc = exp(a)\nd = add(b, c)\noutput(d)\n");
        QCOMPARE(it.said("c"), QString("moved of c"));
        QCOMPARE(it.said("d"), QString("moved of d"));
        QCOMPARE(it.said("b"), QString("identity of b"));
    }

    void decomposedOpsStandInPlaceOfTheirModulesOps()
    {
        const Aligned it = aligned("x = placeholder()\na = call_function[torch.linear](x) @ fc Linear\nb = tanh(a)\noutput(b)\n",
                                   "x = placeholder()\nt = permute(x) @ fc Linear\na = addmm(t) @ fc Linear\nb = tanh(a)\n"
                                   "output(b)\n");
        QCOMPARE(it.said("t"), QString("in_place of a"));
        QCOMPARE(it.said("a"), QString("in_place of a"));
        QCOMPARE(it.said("b"), QString("identity of b"));
        QCOMPARE(it.lost(), QStringList{"a"});
    }

    void aModelWithinAnotherIsFound()
    {
        std::string after = layersText(3, "model.layers");
        for (std::size_t at = 0; (at = after.find(" @ ", at)) != std::string::npos; at += 3)
            after.replace(at, 3, " @ model Model > ");
        const Aligned it = aligned(layersText(3), after);
        QCOMPARE(it.said("q1"), QString("structure of q1"));
    }

    void tagsThatDoubtfulOpsShareAreTaken()
    {
        const Aligned it = aligned(layersText(3), layersText(4));
        const auto carried = [&](const QString& tags) { return carriedTags(it.now, it.alignment, tagsOf(it.old, tags)); };
        const auto tagAt = [&](const CarriedTags& tags, const char* node) {
            return tags.calls[static_cast<std::size_t>(it.call(node) - it.alignment.calls.data())];
        };
        const CarriedTags differing = carried("q0:0 q1:0 q2:1 end:1");
        QCOMPARE(tagAt(differing, "q1").tag, 0); // q0 or q1
        QVERIFY(tagAt(differing, "q1").isEitherWay);
        QCOMPARE(tagAt(differing, "q2").tag, TagAssignment::kUntagged); // q1 or q2
        QCOMPARE(tagAt(differing, "q2").suggestion, 1);
        QCOMPARE(tagAt(differing, "q3").tag, TagAssignment::kUntagged); // new, or q2
        QCOMPARE(tagAt(differing, "q3").suggestion, 1);
        QCOMPARE(tagAt(differing, "end").tag, 1);
        QVERIFY(!tagAt(differing, "end").isEitherWay);
    }

    void aNewOpIsOfferedTheTagOfWhatItReads()
    {
        const Aligned it = aligned("x = placeholder()\na = relu(x)\nb = tanh(a)\noutput(b)\n",
                                   "x = placeholder()\nm = sin(x)\na = relu(m)\nn = exp(a)\nb = tanh(n)\noutput(b)\n");
        const CarriedTags carried = carriedTags(it.now, it.alignment, tagsOf(it.old, "a:1 b:2"));
        QCOMPARE(carried.calls[2].tag, TagAssignment::kUntagged);
        QCOMPARE(carried.calls[2].suggestion, 1);
        QCOMPARE(carried.calls[0].suggestion, 1); // none of its inputs has a tag
        QCOMPARE(carried.untagged, std::size_t{2});
        QCOMPARE(QString::fromStdString(summaryOf(carried, it.alignment)), QString("2 matched by identity, 2 new"));
    }

    void whatIsTooLongForATableIsNotGuessed()
    {
        std::vector<SequenceItem> old(10'000);
        std::vector<SequenceItem> now(2'000);
        for (const SequenceAlignment::Fit& fit : alignSequences(old, now).fits)
            QVERIFY(fit.hasMore);
        now.assign(10'001, {});
        std::size_t sure = 0;
        for (const SequenceAlignment::Fit& fit : alignSequences(old, now).fits)
            sure += fit.others.empty() && !fit.mayBeNew && !fit.hasMore ? 1 : 0;
        QCOMPARE(sure, std::size_t{0}); // all are equal, and one is new
    }
};

const test::Registered<AlignmentTest> alignmentTest("alignment_test");
#include "alignment_test.moc"
