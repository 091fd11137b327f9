#include "ir/tensor_meta.h"
#include "operators/call_facts.h"
#include "operators/operator_catalogue.h"
#include "operators/operator_library.h"
#include "operators/operator_table.h"

#include "test_case.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <functional>
#include <set>

using namespace sunder;

namespace {

/// A call written as "x, x, 0, True, inplace=True": `x` is computed, the other arguments are constants.
class WrittenCall final : public CallArguments {
public:
    explicit WrittenCall(const QString& text)
    {
        for (const QString& piece : text.split(u',', Qt::SkipEmptyParts)) {
            const QString value = piece.contains(u'=') ? piece.section(u'=', 1).trimmed() : piece.trimmed();
            m_truths.push_back(value == "x"                                              ? Truth::unknown
                                   : value == "0" || value == "False" || value == "None" ? Truth::off
                                                                                         : Truth::on);
            bool isNumber = false;
            const double number = value == "True" ? 1.0 : value == "False" ? 0.0 : value.toDouble(&isNumber);
            m_numbers.push_back(isNumber || value == "True" || value == "False" ? std::optional(number) : std::nullopt);
            if (piece.contains(u'='))
                m_keywords.push_back(intern(piece.section(u'=', 0, 0).trimmed().toStdString()));
        }
    }
    std::size_t positionalCount() const override { return m_truths.size() - m_keywords.size(); }
    std::size_t keywordCount() const override { return m_keywords.size(); }
    InternedString keyword(std::size_t index) const override { return m_keywords[index]; }
    Truth truth(std::size_t slot) const override { return m_truths[slot]; }
    std::optional<double> number(std::size_t slot) const override { return m_numbers[slot]; }

private:
    std::vector<InternedString> m_keywords;
    std::vector<Truth> m_truths;
    std::vector<std::optional<double>> m_numbers;
};

void print(QString& text, const char* word, const std::vector<std::uint32_t>& places)
{
    if (places.empty())
        return;
    text += QString(text.isEmpty() ? "" : " ") + word;
    for (const std::uint32_t slot : places)
        text += QString::number(slot);
}

/// "writes0 meta0 is0 random".
QString describe(const CallFacts& found)
{
    QString text;
    print(text, "writes", found.written);
    print(text, "meta", found.reshaped);
    print(text, "resizes", found.resized);
    static constexpr std::array<const char*, 4> kResults{"fresh", "view", "is", "maybe"};
    print(text, kResults[static_cast<std::size_t>(found.result)], found.shared);
    if (found.converts)
        text += " converts";
    if (found.random)
        text += text.isEmpty() ? "random" : " random";
    return text;
}

QString describe(const OperatorFacts& facts, const QString& call)
{
    return facts.known ? describe(callFacts(facts, WrittenCall(call))) : QStringLiteral("unknown");
}

void forEachLine(std::string_view text, const std::function<void(std::string_view)>& visit)
{
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        if (!line.empty() && line.front() != '#')
            visit(line);
        text.remove_prefix(std::min(text.size(), line.size() + 1));
    }
}

} // namespace

class OperatorCatalogTest final : public QObject {
    Q_OBJECT
private slots:
    void tellsWhatACallDoes_data()
    {
        QTest::addColumn<QString>("target"); // a method if it has no dot
        QTest::addColumn<QString>("call");
        QTest::addColumn<QString>("does");
        const auto row = [](const char* target, const char* call, const char* does) {
            QTest::addRow("%s(%s)", target, call) << target << call << does;
        };
        row("torch.ops.aten.add.Tensor", "x, x", "");
        row("torch.ops.aten.add_.Tensor", "x, x", "writes0 is0");
        row("torch.ops.aten.add_.Tensor", "other=x, self=x", "writes1 is1");
        row("torch.ops.aten.add.out", "x, x, out=x", "writes2 resizes2 is2");
        row("torch.ops.aten.add.out", "x, x, 1, x", "writes3 resizes3 is3");
        row("torch.ops.aten.addmm_.default", "mat2=x, mat1=x, self=x", "writes2 is2");
        row("torch.ops.aten.addmm_.default", "x, nothing=x", "writes0 is0"); // fits no overload; the schema still applies
        row("torch.ops.aten.add", "x, x", "maybe01"); // TorchScript's add of lists returns their items
        row("torch.ops.prims.device_put.default", "x, x", "maybe0");
        row("torch.ops.prims.mul.default", "x, x", "");
        row("torch.sparse_coo_tensor", "x, x", "maybe01");
        row("torch.ops.aten._sparse_csr_tensor_unsafe.default", "x, x, x, x", "maybe012"); // sizes hold no memory
        row("torch.ops.mkldnn._linear_pointwise.default", "x, x, x, x, x, x", "maybe012"); // never run in PyTorch
        row("torch.ops.aten.dropout.default", "x, 1.5, False", "maybe0"); // may fail
        row("torch.ops.aten.dropout.default", "x, x, False", "maybe0");
        row("torch.nn.functional.dropout", "x, 1.5, False", "maybe0");
        row("torch.nn.functional.dropout", "x, 1.5, False, True", "maybe0");
        row("torch.nn.functional.dropout", "x, training=False", "is0");
        row("torch.ops.aten.dropout_.default", "x, 1.5, False", "maybe0");
        row("torch.ops.aten.add", "x, x, out=x", "writes2 resizes2 is2");
        row("torch.add", "x, x, out=x", "writes2 resizes2 is2");
        row("torch.add", "input=x, other=x", "");
        row("torch.max", "x, 1, out=x", "writes2 resizes2 maybe2");
        row("torch.ops.aten.nll_loss_forward.output", "x, x, None, 1, 0, output=x, total_weight=x", "writes56 resizes56 maybe56");
        row("torch.ops.aten.linalg_lu_factor.out", "x, LU=x, pivots=x", "writes12 resizes12 maybe12");
        row("torch.ops.aten._fused_adam_.default", "x, x, x, x, x, x, lr=1", "writes01234");
        row("torch.ops.prims.copy_to.default", "x, x", "writes0 is0");
        row("torch.ops.prims.resize.default", "x, x", "writes0 is0");
        row("torch.ops.aten._native_batch_norm_legit.default", "x, x, x, x, x, True, 1, 1", "writes34");
        row("torch.ops.aten._native_batch_norm_legit.default", "x, x, x, x, x, False, 1, 1", "");
        row("torch.ops.aten.native_batch_norm.default", "x, x, x, x, x, x, 1, 1", "writes34");
        row("torch.ops.aten.unsqueeze_.default", "x, 0", "writes0 meta0 is0");
        row("torch.ops.aten.unsqueeze.default", "x, 0", "view0");
        row("torch.ops.aten.split.Tensor", "x, 2", "view0");
        row("torch.ops.aten.reshape.default", "x, x", "maybe0");
        row("torch.reshape", "x, x", "maybe0");
        row("reshape", "x, 2, 3, 4", "maybe0");
        row("view", "x, 2, 3, 4", "view0");
        row("torch.ops.aten.bernoulli.default", "x", "random");
        row("torch.ops.aten.rand_like.default", "x", "random");
        row("torch.ops.aten.dropout.default", "x, 0.5, True", "random");
        row("torch.ops.aten.dropout.default", "x, 0.5, False", "is0");
        row("torch.nn.functional.dropout", "x, 0.5, False", "is0");
        row("torch.nn.functional.dropout", "x, 0.5, training=False", "is0");
        row("torch.nn.functional.dropout", "x, 0.5, True, True", "writes0 is0 random");
        row("torch.nn.functional.dropout", "x, 0.5, x", "maybe0 random");
        row("torch.nn.functional.relu", "x", "");
        row("torch.nn.functional.relu", "x, inplace=True", "writes0 is0");
        row("torch.nn.functional.relu", "inplace=True, input=x", "writes1 is1");
        row("torch.nn.functional.relu", "x, x", "writes0 maybe0");
        row("torch.nn.functional.batch_norm", "x, x, x", "");
        row("torch.nn.functional.batch_norm", "x, x, x, training=x", "writes12");
        row("torch.nn.functional.embedding", "x, x", "");
        row("torch.nn.functional.embedding", "x, x, max_norm=1", "writes1");
        row("add_", "x, x", "writes0 is0");
        row("addbmm_", "x, x, x", "writes0 meta0 is0");
        row("torch.ops.aten.to.dtype", "x, x", "maybe0 converts");
        row("torch.ops.aten.to.dtype", "x, x, False, True", "");
        row("torch.ops.aten.to.dtype", "x, x, False, x", "maybe0");
        row("torch.ops.aten.to.dtype", "x, x, memory_format=x", "maybe0");
        row("torch.ops.aten.to.dtype_layout", "x, dtype=x, layout=x, pin_memory=False", "maybe0 converts");
        row("torch.ops.aten.to.dtype_layout", "x, pin_memory=True", "maybe0");
        row("torch.ops.aten.type_as.default", "x, x", "maybe0 converts");
        row("to", "x, x", "maybe0 converts");
        row("to", "x, x, copy=True", "");
        row("float", "x", "maybe0 converts");
        row("float", "x, memory_format=x", "maybe0");
        row("torch.ops.aten.contiguous.default", "x", "maybe0");
        row("torch.histogramdd", "x, x", "maybe01");
        row("torch.nn.init.xavier_uniform_", "x", "writes0 is0 random");
        row("numpy", "x", "unknown");
        row("untyped_storage", "x", "unknown");
        row("torch.ops.my.op.default", "x", "unknown");
        row("my.function", "x", "unknown");
        row("my_method", "x", "unknown");
        row("torch.no_such_function", "x", "unknown");
        row("torch.ops.aten.no_such.default", "x", "unknown");
    }
    void tellsWhatACallDoes()
    {
        QFETCH(QString, target);
        QFETCH(QString, call);
        QFETCH(QString, does);
        OperatorCatalog catalogue;
        const Op op = target.contains(u'.') ? Op::callFunction : Op::callMethod;
        QCOMPARE(describe(catalogue.of(op, intern(target.toStdString())), call), does);
    }

    void givesPromises_data()
    {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("call");
        QTest::addColumn<QString>("promises");
        const auto row = [](const char* target, const char* call, const char* promises) {
            QTest::newRow(qPrintable(QString("%1(%2)").arg(target, call))) << target << call << promises;
        };
        row("torch.ops.aten.relu.default", "x", "ignores fails keeps");
        row("torch.relu", "x", "ignores fails keeps");
        row("torch.nn.functional.relu", "x", "ignores fails");
        row("torch.where", "x, x, x", "ignores fails");
        row("torch.ops.aten.linear.default", "x, x", "fails keeps");
        row("torch.ops.aten.mul.Tensor", "x, x", "real fails keeps");
        row("torch.ops.aten.add.Tensor", "x, x", "ignores fails keeps");
        row("torch.ops.aten.add.Tensor", "x, x, alpha=1", "ignores fails keeps");
        row("torch.ops.aten.add.Tensor", "x, x, alpha=2", "offset fails keeps");
        row("torch.ops.aten.add.Tensor", "x, x, alpha=x", "offset fails keeps");
        row("torch.ops.aten.clamp.default", "x, 0", "ignores fails");
        row("torch.ops.aten.clamp.Tensor", "x, x", "offset fails");
        row("torch.where", "x", ""); // returns a value-dependent number of items
        row("torch.ops.aten.view.default", "x, x", "fails");
        row("torch.ops.aten.view.dtype", "x, x", "sees");
        row("view", "x, 6", "fails");
        row("view", "x, x", "sees"); // may be view(dtype)
        row("torch.split", "x, 2", "ignores fails");
        row("math.sqrt", "x", "");
        row("torch.ops.aten._assert_tensor_metadata.default", "x, x", "ignores");
        row("torch.ops.aten._assert_tensor_metadata.default", "x, x, x", "");
        row("torch.ops.aten.stride.int", "x, 0", "sees");
        row("torch.ops.aten.embedding.default", "x, x", "ignores");
        row("torch.ops.aten.nll_loss.default", "x, x", "");
    }
    void givesPromises()
    {
        QFETCH(QString, target);
        QFETCH(QString, call);
        OperatorCatalog catalogue;
        const Op op = target.contains(u'.') ? Op::callFunction : Op::callMethod;
        const CallFacts found = callFacts(catalogue.of(op, intern(target.toStdString())), WrittenCall(call));
        QStringList given;
        for (const auto& [word, isGiven] : {std::pair("sees", found.seesLayout),
                                            {"ignores", found.ignoresLayout},
                                            {"real", found.ignoresRealLayout && !found.ignoresLayout},
                                            {"offset", found.ignoresOffset && !found.ignoresRealLayout},
                                            {"fails", found.failsByForm},
                                            {"keeps", found.keepsGradients}})
            if (isGiven)
                given << word;
        QTEST(given.join(u' '), "promises");
    }

    void settlesWhatAConversionGives_data()
    {
        QTest::addColumn<QString>("from"); // dtype, device, layout
        QTest::addColumn<QString>("to");
        QTest::addColumn<bool>("namesDevice");
        QTest::addColumn<QString>("does");
        QTest::newRow("the same") << "float32" << "float32" << false << "is0";
        QTest::newRow("another type") << "float32" << "float16" << false << "";
        QTest::newRow("another device") << "float32 cpu" << "float32 cuda:0" << true << "";
        QTest::newRow("another layout") << "float32 cpu sparse_coo" << "float32 cpu strided" << false << "";
        QTest::newRow("the default device and layout") << "float32 cpu strided" << "float32" << true << "is0";
        QTest::newRow("the same device") << "float32 cuda:0" << "float32 cuda:0" << false << "is0";
        QTest::newRow("a device that may be another next time")
            << "float32 cuda:0" << "float32 cuda:0" << true << "maybe0 converts";
        QTest::newRow("no type known") << "" << "float32" << false << "maybe0 converts";
    }
    void settlesWhatAConversionGives()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(bool, namesDevice);
        QFETCH(QString, does);
        const auto meta = [](const QString& words) {
            const QStringList parts = words.split(u' ');
            TensorMeta made;
            made.dtype = intern(parts.value(0).toStdString());
            made.device = intern(parts.value(1).toStdString());
            made.layout = intern(parts.value(2).toStdString());
            return made;
        };
        CallFacts facts;
        facts.result = ResultMemory::maybe;
        facts.shared = {0};
        facts.converts = true;
        facts.namesDevice = namesDevice;
        const TensorMeta argument = meta(from);
        const TensorMeta result = meta(to);
        settleConversion(facts, &argument, nullptr);
        QVERIFY(facts.converts);
        settleConversion(facts, &argument, &result);
        QCOMPARE(describe(facts), does);
    }

    void knowsDefaultsOfSchemas()
    {
        OperatorCatalog catalogue;
        const OperatorFacts& facts = catalogue.of(Op::callFunction, intern("torch.ops.aten.addmm.default"));
        QCOMPARE(facts.schema()->arguments[3].defaultValue.view(), "1");
    }

    void bindsKeywordsAndPositionsToTheSchema()
    {
        OperatorCatalog catalogue;
        const OperatorFacts& facts = catalogue.of(Op::callFunction, intern("torch.ops.aten.addmm.default"));
        const auto binding = bindCall(facts, WrittenCall("x, mat2=x, mat1=x"));
        QVERIFY(binding);
        QCOMPARE(binding->argumentOf, (std::vector<std::uint16_t>{0, 2, 1}));
        QVERIFY(!bindCall(facts, WrittenCall("x, nothing=x")));
        const OperatorFacts& view = catalogue.of(Op::callMethod, intern("view"));
        QVERIFY(bindCall(view, WrittenCall("x, 6"))); // not view(dtype)
        QVERIFY(!bindCall(view, WrittenCall("x, x")));
    }

    void readsSchemasOfAPerson()
    {
        const auto library = OperatorLibrary::parse("# ours\nmy::scale(Tensor x, Tensor(a!) y) -> Tensor\n\n"
                                                    "my::draw(Tensor x) -> Tensor\tnondeterministic_seeded\n",
                                                    "ops.txt");
        QVERIFY(library);
        Program program;
        program.operators = *library;
        OperatorCatalog catalogue(program);
        QCOMPARE(describe(catalogue.of(Op::callFunction, intern("torch.ops.my.scale.default")), "x, x"), "writes1");
        QCOMPARE(describe(catalogue.of(Op::callFunction, intern("torch.ops.my.draw")), "x"), "random");
        QCOMPARE(describe(catalogue.of(Op::callFunction, intern("torch.ops.my.other.default")), "x"), "unknown");
    }

    /// auto_functionalized passes copies of written arguments to the operator; with_effects calls it directly.
    void knowsCallsByTheOperatorThatTheyRun_data()
    {
        QTest::addColumn<QString>("caller");
        QTest::addColumn<QString>("called");
        QTest::addColumn<QString>("does");
        const auto row = [](const char* caller, const char* called, const char* does) {
            QTest::addRow("%s(%s)", caller, called) << caller << called << does;
        };
        row("auto_functionalized_v2", "my.write.default", "");
        row("auto_functionalized", "my.write.default", "");
        row("auto_functionalized_v2", "my.itself.default", ""); // the copy
        row("auto_functionalized_v2", "my.hand_on.default", "maybe012");
        row("auto_functionalized_v2", "my.draw.default", "random");
        row("auto_functionalized_v2", "my.other.default", "unknown maybe012 random");
        row("auto_functionalized_v2", "higher_order.cond", "closures maybe012");
        row("with_effects", "my.write.default", "writes3");
        row("with_effects", "my.itself.default", "writes2 maybe2");
        row("with_effects", "my.hand_on.default", "writes3 maybe2");
        row("with_effects", "my.draw.default", "writes2 random");
        row("with_effects", "my.other.default", "unknown writes0123 meta0123 maybe0123 random");
    }
    void knowsCallsByTheOperatorThatTheyRun()
    {
        QFETCH(QString, caller);
        QFETCH(QString, called);
        QFETCH(QString, does);
        Program program;
        program.operators = *OperatorLibrary::parse("my::write(Tensor x, Tensor(a!) y) -> ()\n"
                                                    "my::itself(Tensor(a!) x, Tensor y) -> Tensor(a!)\n"
                                                    "my::hand_on(Tensor(a) x, Tensor(b!) y) -> Tensor(a)\n"
                                                    "my::draw(Tensor(a!) x, Tensor y) -> Tensor\tnondeterministic_seeded\n",
                                                    "ops.txt");
        OperatorCatalog catalogue(program);
        Graph graph;
        const NodeId token = graph.append({.op = Op::placeholder, .name = intern("t"), .target = intern("t")});
        const NodeId x = graph.append({.op = Op::placeholder, .name = intern("x"), .target = intern("x")});
        const bool isEffect = caller == "with_effects";
        const Argument named = Argument::word(ArgumentKind::function, intern("torch.ops." + called.toStdString()));
        Arguments args = isEffect ? Arguments{Argument::node(token), named, Argument::node(x), Argument::node(x)}
                                  : Arguments{named};
        Keywords kwargs;
        if (!isEffect)
            kwargs = {{intern("x"), Argument::node(x)}, {intern("_all_bases"), Argument::list({Argument::node(x)})}};
        const NodeId call = graph.append({.op = Op::callFunction,
                                          .name = intern("call"),
                                          .target = intern("torch.ops.higher_order." + caller.toStdString()),
                                          .args = std::move(args),
                                          .kwargs = std::move(kwargs)});
        const OperatorFacts& facts = catalogue.of(graph.node(call));
        QString said = facts.known ? QString() : QStringLiteral("unknown ");
        said += facts.role == CallRole::closures ? "closures " : "";
        said += describe(callFacts(facts, NodeArguments(graph.node(call))));
        QCOMPARE(said.trimmed(), does);
        QCOMPARE(calledOperator(graph.node(call)), named.text());
        QCOMPARE(facts.role == CallRole::withEffects, isEffect);
    }

    void refusesSchemasThatCannotBe_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<quint64>("line");
        QTest::addColumn<QString>("message");
        QTest::newRow("malformed") << "my::a(Tensor x) -> Tensor\nmy::b(Tensor x)\n" << quint64(2) << "\"->\"";
        QTest::newRow("PyTorch's own, otherwise")
            << "\naten::relu(Tensor(a!) self) -> Tensor" << quint64(2) << "contradicts PyTorch's own";
        QTest::newRow("twice, otherwise") << "my::a(Tensor x) -> Tensor\nmy::a(Tensor(a!) x) -> Tensor" << quint64(0)
                                          << "two different schemas";
    }
    void refusesSchemasThatCannotBe()
    {
        QFETCH(QString, text);
        QFETCH(quint64, line);
        QFETCH(QString, message);
        const auto library = OperatorLibrary::parse(text.toStdString(), "ops.txt");
        QVERIFY(!library);
        QCOMPARE(quint64(library.error().where.line), line);
        QVERIFY2(QString::fromStdString(library.error().message).contains(message), library.error().message.c_str());
    }

    void everyLineOfTheTablesIsRead()
    {
        for (const std::string_view table : {operator_data::torchOperators, operator_data::droppedOperators}) {
            std::string before;
            forEachLine(table, [&](std::string_view line) {
                const Result<OperatorSchema> schema = parseSchema(line);
                QVERIFY2(schema, std::string(line).c_str());
                const std::string key(line.substr(0, line.find('(')));
                QVERIFY2(before < key, ("not sorted: " + key).c_str());
                before = key;
                QVERIFY2(!torchOverloads(schema->packet.view()).empty(), key.c_str());
            });
        }
    }

    void everyLineByHandIsRead()
    {
        std::set<std::string_view> targets;
        forEachLine(operator_data::byHand, [&](std::string_view line) {
            const std::size_t first = line.find('\t');
            const std::size_t second = first == std::string_view::npos ? first : line.find('\t', first + 1);
            QVERIFY2(second != std::string_view::npos && second + 1 < line.size(), ("no reason: " + std::string(line)).c_str());
            const Result<StatedFacts> stated = parseFacts(line.substr(first + 1, second - first - 1));
            QVERIFY2(stated, (std::string(line) + ": " + (stated ? "" : stated.error().message)).c_str());
            QVERIFY2(targets.insert(line.substr(0, first)).second, ("twice: " + std::string(line)).c_str());
        });
    }
};

const test::Registered<OperatorCatalogTest> operatorCatalogueTest("operator_catalogue_test");
#include "operator_catalogue_test.moc"
