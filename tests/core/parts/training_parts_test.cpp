#include "analysis/stages.h"
#include "parts/part_manifest.h"
#include "parts/part_programs.h"
#include "passes/split_by_tags/split_by_tags.h"
#include "test_case.h"
#include "training_program.h"

#include <QTest>

using namespace sunder;

class TrainingPartsTest final : public QObject {
    Q_OBJECT

private slots:
    void gradientsAreResultsOfThePartThatComputesThem()
    {
        const Program source = test::trainingProgram();
        const SplitResult split = *splitByTags(source, *consecutiveStages(source, 2));
        const Result<PartPlan> plan = planParts(source, split);
        QVERIFY2(plan.has_value(), plan ? "" : describe(plan.error()).c_str());
        QStringList given;
        for (const ManifestPart& part : manifestOf(source, split, *plan).parts) {
            QString line = QString::fromStdString(part.name)
                + (part.backwardOf.empty() ? "" : " (of " + QString::fromStdString(part.backwardOf) + ")") + ':';
            for (const ManifestValue& value : part.outputs)
                if (!value.kind.empty())
                    line += QString::fromStdString(' ' + value.name + " is " + value.kind
                                                   + (value.of.empty() ? "" : " of " + value.of));
            given << line;
        }
        QCOMPARE(given,
                 (QStringList{
                     "stage0:", "stage1: loss is loss",
                     "stage1_backward (of stage1): bw_h2_1 is gradient of layers.2.weight bw_h1_1 is gradient of layers.1.weight",
                     "stage0_backward (of stage0): bw_h0 is gradient of layers.0.weight"}));
    }

    void theManifestListsResultsInTheOrderOfTheSignature()
    {
        const Program source = test::trainingProgram();
        const SplitResult split = *splitByTags(source, *consecutiveStages(source, 2));
        const PartManifest manifest = manifestOf(source, split, *planParts(source, split));
        QVERIFY(manifest.outSpec.tree() != nullptr);
        QCOMPARE(manifest.outSpec.tree()->leafCount(), std::size_t{4});
        QStringList listed;
        for (const ManifestOutput& output : manifest.outputs)
            listed << QString::fromStdString(output.value.name + ' ' + output.value.kind + ' ' + output.value.of);
        QCOMPARE(listed,
                 (QStringList{"loss loss ", "bw_h0 gradient layers.0.weight", "bw_h1_1 gradient layers.1.weight",
                              "bw_h2_1 gradient layers.2.weight"}));
    }

    void partsHaveParametersOfBothPassesAndPlainResults()
    {
        const Program source = test::trainingProgram();
        const SplitResult split = *splitByTags(source, *consecutiveStages(source, 2));
        const PartPlan plan = *planParts(source, split);
        const Program backward = *exportedPart(source, plan, 2);
        QStringList parameters;
        for (const InputSpec& input : backward.signature->inputs)
            if (input.kind == InputKind::parameter)
                parameters << QString::fromStdString(input.target.str());
        QCOMPARE(parameters, (QStringList{"layers.1.weight", "layers.2.weight"}));
        for (const OutputSpec& output : backward.signature->outputs)
            QCOMPARE(output.kind, OutputKind::user);
    }
};

const test::Registered<TrainingPartsTest> trainingPartsTest("training_parts_test");
#include "training_parts_test.moc"
