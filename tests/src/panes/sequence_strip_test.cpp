#include "analysis/sequence/cut_sequence.h"
#include "canvas/painted_children.h"
#include "panes/sequence/boundary_words.h"
#include "panes/sequence/sequence_strip.h"
#include "test_case.h"
#include "test_support.h"

#include <QSignalSpy>
#include <QTest>

using namespace sunder;

namespace {

/// Twelve ops, two per layer; tags as digits, with a dot for none.
std::shared_ptr<SequenceContent> contentOf(const char* tags, std::initializer_list<int> locked = {})
{
    std::string program = "x = placeholder() : 10\n";
    std::string before = "x";
    for (int i = 0; i < 12; ++i) {
        const std::string name = "op" + std::to_string(i);
        program += name + " = lin(" + before + ") : 10 @ layers." + std::to_string(i / 2) + " Layer\n";
        before = name;
    }
    auto content = std::make_shared<SequenceContent>();
    content->snapshot = std::make_shared<const Snapshot>(test::programFromText(program + "out = output(" + before + ")"));
    content->sequence = std::make_shared<const ModelSequence>(
        modelSequence(content->snapshot->program, std::make_shared<const CutGraph>(cutGraph(content->snapshot->program))));
    content->tags.tagOf.assign(content->snapshot->graph().idBound(), TagAssignment::kUntagged);
    for (std::uint32_t call = 0; call < 12; ++call)
        if (tags[call] != '.')
            content->tags.tagOf[content->sequence->graph->nodes[call].index()] = tags[call] - '0';
    for (int tag = 0; tag < 3; ++tag)
        content->tags.order.push_back(intern("stage" + std::to_string(tag)));
    content->partOf = partsOfCalls(*content->sequence->graph, content->tags);
    content->cut = cutSequence(*content->sequence, content->partOf, 3);
    content->looks = tagLooks(theme(false), content->tags.order);
    content->isLocked.assign(3, false);
    for (const int tag : locked)
        content->isLocked[static_cast<std::size_t>(tag)] = true;
    return content;
}

/// A strip with a height of 40 px per op that records its signals.
struct Shown {
    explicit Shown(const char* tags, std::initializer_list<int> locked = {})
    {
        strip.resize(140, 12 * 40 + 16);
        strip.setContent(contentOf(tags, locked));
        strip.show();
    }

    [[nodiscard]] QPoint handle(int index) const { return strip.handleRect(index).center().toPoint(); }
    void drag(int index, std::uint32_t place, Qt::KeyboardModifiers modifiers = {}, int beside = 0)
    {
        const QPoint from = handle(index);
        const QPoint to(from.x(), static_cast<int>(strip.scale().y(place)) + beside);
        QTest::mousePress(&strip, Qt::LeftButton, {}, from);
        QMouseEvent move(QEvent::MouseMove, to, strip.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, modifiers);
        QCoreApplication::sendEvent(&strip, &move);
    }
    void drop(Qt::MouseButton button = Qt::LeftButton) { QTest::mouseRelease(&strip, button); }

    SequenceStrip strip;
    QSignalSpy moved{&strip, &SequenceStrip::moved};
    QSignalSpy previewed{&strip, &SequenceStrip::previewed};
    QSignalSpy message{&strip, &SequenceStrip::message};
};

std::size_t callsMoved(const QSignalSpy& moved)
{
    return moved.isEmpty() ? 0 : moved.last().front().value<SequenceStrip::Changes>().size();
}

} // namespace

class SequenceStripTest final : public QObject {
    Q_OBJECT
private slots:
    void aDragIsOneMove()
    {
        Shown shown("000011112222");
        shown.drag(0, 2);
        QCOMPARE(shown.moved.size(), 0); // not before the mouse is released
        QCOMPARE(callsMoved(shown.previewed), std::size_t{2});
        QCOMPARE(shown.strip.placeOf(0), 2U);
        shown.drop();
        QCOMPARE(shown.moved.size(), 1);
        QCOMPARE(callsMoved(shown.moved), std::size_t{2});
    }

    void modulesHoldABorder()
    {
        Shown shown("000011112222");
        shown.drag(0, 3); // into the middle of a layer
        QVERIFY(shown.strip.placeOf(0) == 2U || shown.strip.placeOf(0) == 4U);
        shown.drag(0, 2, {}, 5); // slightly off
        QCOMPARE(shown.strip.placeOf(0), 2U);
    }

    void withAltABorderMovesOpByOp()
    {
        Shown shown("000011112222");
        shown.drag(0, 3, Qt::AltModifier);
        QCOMPARE(shown.strip.placeOf(0), 3U);
        shown.drop();
        QCOMPARE(callsMoved(shown.moved), std::size_t{1});
    }

    void noStageIsDraggedAway()
    {
        Shown shown("000011112222");
        shown.drag(0, 12, Qt::AltModifier);
        QCOMPARE(shown.strip.placeOf(0), 7U);
    }

    void escapeBringsABorderBack()
    {
        Shown shown("000011112222");
        shown.drag(0, 2);
        QTest::keyClick(&shown.strip, Qt::Key_Escape);
        shown.drop();
        QCOMPARE(shown.moved.size(), 0);
        QCOMPARE(shown.strip.placeOf(0), 4U);
        QCOMPARE(callsMoved(shown.previewed), std::size_t{0}); // the canvas is unchanged
    }

    void whoeverTakesTheKeysDoesNotEndADrag()
    {
        Shown shown("000011112222");
        shown.drag(0, 2);
        QKeyEvent alt(QEvent::ShortcutOverride, Qt::Key_Alt, Qt::AltModifier);
        alt.ignore();
        QCoreApplication::sendEvent(&shown.strip, &alt);
        QVERIFY(alt.isAccepted()); // otherwise releasing it would open the menus
        QFocusEvent away(QEvent::FocusOut, Qt::MenuBarFocusReason);
        QCoreApplication::sendEvent(&shown.strip, &away);
        QCOMPARE(shown.moved.size(), 0);
        QTest::keyClick(&shown.strip, Qt::Key_Escape);
        shown.drop();
        QCOMPARE(shown.moved.size(), 0);
    }

    void aClickOnAHandleMovesNothing()
    {
        Shown shown("000011112222");
        QTest::mouseClick(&shown.strip, Qt::LeftButton, {}, shown.handle(1));
        QCOMPARE(shown.moved.size(), 0);
        QCOMPARE(shown.strip.current(), 1);
    }

    void keysMoveABorderAndEnterSetsIt()
    {
        Shown shown("000011112222");
        shown.strip.setCurrent(1);
        QTest::keyClick(&shown.strip, Qt::Key_Down);
        QCOMPARE(shown.strip.placeOf(1), 10U);
        QTest::keyClick(&shown.strip, Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(shown.strip.placeOf(1), 9U);
        QCOMPARE(shown.moved.size(), 0);
        QTest::keyClick(&shown.strip, Qt::Key_Return);
        QCOMPARE(shown.moved.size(), 1);
        QCOMPARE(callsMoved(shown.moved), std::size_t{1});
    }

    void keysGoFromBorderToBorderAndSetWhatMoved()
    {
        Shown shown("000011112222");
        QTest::keyClick(&shown.strip, Qt::Key_Down);
        QTest::keyClick(&shown.strip, Qt::Key_PageDown);
        QCOMPARE(shown.strip.current(), 1);
        QCOMPARE(shown.moved.size(), 1);
        QTest::keyClick(&shown.strip, Qt::Key_Left);
        QCOMPARE(shown.strip.current(), 0);
        QTest::keyClick(&shown.strip, Qt::Key_Left); // it is the first one
        QCOMPARE(shown.strip.current(), 0);
    }

    void saysWhereTheEndIs()
    {
        Shown shown("011111111112");
        QTest::keyClick(&shown.strip, Qt::Key_Up);
        QCOMPARE(shown.message.size(), 1);
        QCOMPARE(shown.strip.placeOf(0), 1U);
        QTest::keyClick(&shown.strip, Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(shown.message.size(), 2);
    }

    void aLockedStageKeepsItsBorders()
    {
        Shown shown("000011112222", {2});
        QVERIFY(!shown.strip.isLocked(0));
        QVERIFY(shown.strip.isLocked(1));
        shown.drag(1, 10);
        shown.drop();
        QCOMPARE(shown.moved.size(), 0);
        QCOMPARE(shown.message.size(), 1);
        shown.strip.setCurrent(1);
        QTest::keyClick(&shown.strip, Qt::Key_Down);
        QCOMPARE(shown.strip.placeOf(1), 8U);
        QCOMPARE(shown.message.size(), 2);
    }

    void whatIsClickedIsPicked()
    {
        Shown shown("000011112222");
        QSignalSpy picked(&shown.strip, &SequenceStrip::picked);
        const SequenceScale scale = shown.strip.scale();
        QTest::mouseClick(&shown.strip, Qt::LeftButton, {}, QPoint(10, static_cast<int>(scale.y(2.5)))); // large enough for ops
        QCOMPARE(picked.last().at(1).toString(), QStringLiteral("op2"));
        shown.strip.resize(140, 60); // now small enough to select layers
        QTest::mouseClick(&shown.strip, Qt::LeftButton, {}, QPoint(10, static_cast<int>(shown.strip.scale().y(2.5))));
        QCOMPARE(picked.last().at(1).toString(), QStringLiteral("layers.1"));
        QCOMPARE(picked.last().at(0).value<std::vector<NodeId>>().size(), std::size_t{2});
    }

    void otherContentGivesUpWhatIsUnderWay()
    {
        Shown shown("000011112222");
        shown.drag(0, 2);
        shown.strip.setContent(contentOf("000000000000"));
        shown.drop();
        QCOMPARE(shown.moved.size(), 0);
        QCOMPARE(shown.strip.handleCount(), 0);
        QTest::keyClick(&shown.strip, Qt::Key_Down); // there is nothing to move
        shown.strip.setContent(std::make_shared<SequenceContent>());
        QTest::mouseClick(&shown.strip, Qt::LeftButton, {}, QPoint(10, 30));
    }

    void figuresAreSaidInWords()
    {
        Shown shown("000011112222");
        shown.drag(0, 2);
        const BoundaryWords words = wordsOf(shown.strip.content(), *shown.strip.figures());
        QCOMPARE(words.title, QStringLiteral("between layers.0 and layers.1"));
        QCOMPARE(words.lines[0], QStringLiteral("stage0: 2 ops, weights 0 B, peak 120 B"));
        QCOMPARE(words.lines[2], QStringLiteral("1 value, 40 B sent across"));
        QCOMPARE(words.verdict, QStringLiteral("legal"));
    }

    void assistiveTechnologySeesTheHandles()
    {
        Shown shown("000011112222");
        QAccessibleInterface* strip = QAccessible::queryAccessibleInterface(&shown.strip);
        QVERIFY(strip != nullptr);
        QCOMPARE(strip->childCount(), 2);
        QCOMPARE(strip->child(0)->text(QAccessible::Name), QStringLiteral("stage0 | stage1 between layers.1 and layers.2"));
        QVERIFY(strip->child(0)->state().movable);
        QVERIFY(strip->child(1)->rect().isValid());
    }

    void linesShareOutWhatLiesInThem()
    {
        const auto content = contentOf("0102........");
        const std::vector<SequenceRow> whole = sequenceRows(*content->sequence, content->partOf, {QRectF(0, 0, 10, 1), 12}, 1);
        QCOMPARE(whole.size(), std::size_t{1}); // all in one row
        QCOMPARE(whole[0].shares.size(), std::size_t{4});
        QCOMPARE(whole[0].shares[0].tag, 0);
        QVERIFY(std::abs(whole[0].shares[0].share - 2.0 / 12) < 1e-9);
        QCOMPARE(whole[0].shares.back().tag, TagAssignment::kUntagged);
        const std::vector<SequenceRow> each = sequenceRows(*content->sequence, content->partOf, {QRectF(0, 0, 10, 120), 12}, 1);
        QCOMPARE(each.size(), std::size_t{5}); // 0 1 0 2 and the rest
        QCOMPARE(each.back().bottom, 120.0);
    }

    void aShortModuleTakesNoNameFromALongOne()
    {
        // embed has 1 call, layers.0 … layers.2 have 20 each, so the center of layers.0 coincides with the label of embed.
        std::string text = "x = placeholder()\nc0 = relu(x) @ embed Embedding\n";
        for (int i = 1; i <= 60; ++i)
            text += "c" + std::to_string(i) + " = relu(c" + std::to_string(i - 1) + ") @ layers." + std::to_string((i - 1) / 20)
                + " Layer\n";
        const Program program = test::programFromText(text + "output(c60)\n");
        const ModelSequence sequence = modelSequence(program, std::make_shared<const CutGraph>(cutGraph(program)));
        const auto namesAt = [&](double height) {
            QStringList names;
            double last = -1e9;
            for (const SequenceLabel& label : sequenceLabels(sequence, {QRectF(0, 0, 10, height), 61}, 15)) {
                names << QString::fromStdString(sequence.visits[label.visit].path.str());
                if (label.y - last < 14.999)
                    names << "too near";
                last = label.y;
            }
            return names;
        };
        const QStringList layers{"layers.0", "layers.1", "layers.2"};
        QCOMPARE(namesAt(80), QStringList("embed") + layers); // the label of layers.0 moves within layers.0
        QCOMPARE(namesAt(44), layers); // no room: the shorter module loses its label
    }

    void aNumberIsNoNameAlone()
    {
        const Program program = test::programFromText(
            "x = placeholder()\n"
            "a = relu(x) @ features Sequential > features.1 Sequential > features.1.0 Block\n"
            "b = relu(a) @ features Sequential > features.1 Sequential > features.1.norm Norm\n"
            "output(b)\n");
        const ModelSequence sequence = modelSequence(program, std::make_shared<const CutGraph>(cutGraph(program)));
        QStringList labels;
        for (const ModuleVisit& visit : sequence.visits)
            labels << visitLabel(sequence, visit);
        QVERIFY2(labels.contains("features.1.0") && labels.contains("norm") && !labels.contains("0"),
                 qPrintable(labels.join(' ')));
    }

    void namesHaveALineEach()
    {
        const auto content = contentOf("000000000000");
        const SequenceScale scale{QRectF(0, 0, 10, 60), 12};
        const auto labels = sequenceLabels(*content->sequence, scale, 15);
        QCOMPARE(labels.size(), std::size_t{3}); // of six layers
        for (std::size_t i = 1; i < labels.size(); ++i)
            QVERIFY(labels[i].y - labels[i - 1].y >= 15);
    }
};

const test::Registered<SequenceStripTest> sequenceStripTest("sequence_strip_test");
#include "sequence_strip_test.moc"
