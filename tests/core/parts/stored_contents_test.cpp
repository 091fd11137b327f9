#include "changed_archive.h"
#include "io/archives/zip_archive.h"
#include "io/archives/zip_writer.h"
#include "io/fx_json/fx_json_writer.h"
#include "io/model_file.h"
#include "parts/stored_contents.h"
#include "support/file.h"
#include "support/sha256.h"
#include "test_case.h"
#include "test_support.h"
#include "verify/verdict_text.h"
#include "verify/verify.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

using namespace sunder;

namespace {

const std::string kTransformer = SUNDER_SOURCE "/resources/samples/transformer.pt2";

template <typename T>
std::string bytesOf(std::initializer_list<T> values)
{
    std::string bytes(values.size() * sizeof(T), '\0');
    std::memcpy(bytes.data(), std::data(values), bytes.size());
    return bytes;
}

/// A tensor in fx-json notation and the bytes of its storage.
struct Weights {
    std::string meta; ///< with ' instead of "
    std::string bytes;
};

std::string meta(const std::string& dtype, const std::string& shape, const std::string& stride, int offset = 0)
{
    return "'dtype':'" + dtype + "','shape':" + shape + ",'stride':" + stride + ",'offset':" + std::to_string(offset);
}

struct Stopped final : ProgressMonitor {
    void report(double, std::string_view what) override { isComparing = isComparing || what == "comparing contents"; }
    [[nodiscard]] bool isCancelled() const override { return isComparing; }
    bool isComparing = false;
};

} // namespace

Q_DECLARE_METATYPE(Weights)

/// Verdicts state whether contents were compared, and how they differ.
class StoredContentsTest final : public QObject {
    Q_OBJECT
private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void tellsTensorsApartByTheirBits_data()
    {
        QTest::addColumn<Weights>("first");
        QTest::addColumn<Weights>("second");
        QTest::addColumn<std::string>("why"); // empty if equal
        const std::string row = meta("float32", "[3]", "[1]");
        const auto pair = [](const char* name, const Weights& a, const Weights& b, const char* why) {
            QTest::newRow(name) << a << b << std::string(why);
        };
        pair("equal", {row, bytesOf({1.F, 2.F, 3.F})}, {row, bytesOf({1.F, 2.F, 3.F})}, "");
        pair("another value", {row, bytesOf({1.F, 2.F, 3.F})}, {row, bytesOf({1.F, 2.F, 3.5F})},
             "constant w has different values: element [2] is 3.0 in the first program, 3.5 in the second");
        pair("values that are near", {row, bytesOf({1.F, 0.1F, 3.F})}, {row, bytesOf({1.F, std::nextafter(0.1F, 1.F), 3.F})},
             "constant w has different values: element [1] is 0.1 in the first program, 0.10000001 in the second");
        pair("zero and minus zero", {row, bytesOf({0.F, 0.F, 3.F})}, {row, bytesOf({0.F, -0.F, 3.F})},
             "constant w has different values: element [1] is 0.0 in the first program, -0.0 in the second");
        pair(
            "NaNs", {row, bytesOf({0x7fc00000U, 0U, 0U})}, {row, bytesOf({0x7fc00001U, 0U, 0U})},
            "constant w has different values: element [0] is nan (0x7fc00000) in the first program, nan (0x7fc00001) in the second");
        const std::string square = meta("int64", "[2,3]", "[3,1]");
        const std::string turned = meta("int64", "[2,3]", "[1,2]");
        using Int = std::int64_t;
        pair("rows and columns that hold the same", {square, bytesOf<Int>({1, 2, 3, 4, 5, 6})},
             {turned, bytesOf<Int>({1, 4, 2, 5, 3, 6})}, "");
        pair("rows and columns that differ", {square, bytesOf<Int>({1, 2, 3, 4, 5, 6})},
             {turned, bytesOf<Int>({1, 4, 2, 7, 3, 6})},
             "constant w has different values: element [1, 1] is 5 in the first program, 7 in the second");
        pair("equal bytes that are other values", {square, bytesOf<Int>({1, 2, 3, 4, 5, 6})},
             {turned, bytesOf<Int>({1, 2, 3, 4, 5, 6})},
             "constant w has different values: element [0, 1] is 2 in the first program, 3 in the second");
        pair("the same at another place", {row, bytesOf({1.F, 2.F, 3.F})},
             {meta("float32", "[3]", "[1]", 2), bytesOf({9.F, 9.F, 1.F, 2.F, 3.F, 9.F})}, "");
        const std::string everyOther = meta("float32", "[2]", "[2]");
        pair("gaps that differ", {everyOther, bytesOf({1.F, 5.F, 2.F})}, {everyOther, bytesOf({1.F, 6.F, 2.F})}, "");
        pair("behind a gap", {everyOther, bytesOf({1.F, 5.F, 2.F})}, {everyOther, bytesOf({1.F, 6.F, 3.F})},
             "constant w has different values: element [1] is 2.0 in the first program, 3.0 in the second");
        const std::string wide = meta("uint8", "[4,2]", "[0,1]");
        pair("one row for all", {wide, bytesOf<std::uint8_t>({7, 8})}, {wide, bytesOf<std::uint8_t>({7, 9})},
             "constant w has different values: element [0, 1] is 8 in the first program, 9 in the second");
        pair("one row for all and many", {wide, bytesOf<std::uint8_t>({7, 8})},
             {meta("uint8", "[4,2]", "[2,1]"), bytesOf<std::uint8_t>({7, 8, 7, 8, 7, 8, 7, 8})}, "");
        const std::string scalar = meta("float64", "[]", "[]");
        pair("scalars", {scalar, bytesOf({1e300})}, {scalar, bytesOf({1e301})},
             "constant w has different values: 1e+300 in the first program, 1e+301 in the second");
        const std::string none = meta("float32", "[0,3]", "[3,1]");
        pair("no elements", {none, bytesOf({1.F})}, {none, bytesOf({2.F})}, "");
        const std::string brain = meta("bfloat16", "[2]", "[1]");
        pair("bfloat16", {brain, bytesOf<std::uint16_t>({0x3f80, 0x4000})}, {brain, bytesOf<std::uint16_t>({0x3f80, 0x4010})},
             "constant w has different values: element [1] is 2.0 in the first program, 2.25 in the second");
        const std::string half = meta("float16", "[2]", "[1]");
        pair("float16", {half, bytesOf<std::uint16_t>({0x3c00, 0x0001})}, {half, bytesOf<std::uint16_t>({0x3c00, 0xfc00})},
             "constant w has different values: element [1] is 5.9604645e-08 in the first program, -inf in the second");
        const std::string small = meta("float8_e4m3fn", "[2]", "[1]");
        pair("float8", {small, bytesOf<std::uint8_t>({1, 0x38})}, {small, bytesOf<std::uint8_t>({1, 0x39})},
             "constant w has different values: element [1] is 1.0 in the first program, 1.125 in the second");
        const std::string pairs = meta("float4_e2m1fn_x2", "[2]", "[1]");
        pair("a type without a text", {pairs, bytesOf<std::uint8_t>({1, 2})}, {pairs, bytesOf<std::uint8_t>({1, 3})},
             "constant w has different values: element [1] is 0x02 in the first program, 0x03 in the second");
        const std::string flag = meta("bool", "[2]", "[1]");
        pair("truth values", {flag, bytesOf<std::uint8_t>({0, 1})}, {flag, bytesOf<std::uint8_t>({0, 0})},
             "constant w has different values: element [1] is True in the first program, False in the second");
    }
    void tellsTensorsApartByTheirBits()
    {
        QFETCH(Weights, first);
        QFETCH(Weights, second);
        QFETCH(std::string, why);
        const VerifyReport report = compare(write("a", first), write("b", second));
        QCOMPARE(report.why, why);
        QCOMPARE(report.verdict, why.empty() ? Verdict::same : Verdict::different);
        QCOMPARE(report.basis, why.empty() ? VerdictBasis::contents : VerdictBasis::none);
        if (why.empty()) {
            QCOMPARE(report.contents.tensors, 1U);
            QVERIFY(basisText(report).starts_with("The same model: the contents of 1 tensor ("));
        }
    }

    void streamsTensorsOfMegabytes()
    {
        std::string bytes(5'000'000, '\1');
        const std::string row = meta("uint8", "[5000000]", "[1]");
        const std::string a = write("a", {row, bytes});
        bytes[4'999'999] = 2;
        QCOMPARE(compare(a, write("b", {row, bytes})).why,
                 std::string("constant w has different values: element [4999999] is 1 in the first program, 2 in the second"));
    }

    void stopsComparing()
    {
        const std::string row = meta("uint8", "[5000000]", "[1]");
        const Program a = *readModel(write("a", {row, std::string(5'000'000, '\1')}));
        const Program b = *readModel(write("b", {row, std::string(5'000'000, '\1')}));
        Stopped monitor;
        const StoredContents contents;
        const Result<VerifyReport> report = verify(a, b, {.contents = &contents}, monitor);
        QVERIFY(!report.has_value());
        QCOMPARE(report.error().code, ErrorCode::cancelled);
    }

    void doesNotLookAtWhatNobodyReads()
    {
        const std::string row = meta("float32", "[1]", "[1]");
        const std::string a = write("a", {row, bytesOf({1.F})}, "x");
        const std::string b = write("b", {row, bytesOf({2.F})}, "x");
        const VerifyReport report = compare(a, b);
        QCOMPARE(report.verdict, Verdict::same);
        QCOMPARE(basisText(report), std::string("The same model: it reads no parameters, buffers, or constants."));
    }

    void isUndecidedWhereTheWeightsOfAFileAreMissing()
    {
        const std::string row = meta("float32", "[1]", "[1]");
        const std::string a = write("a", {row, bytesOf({1.F})});
        const std::string b = write("b", {row, bytesOf({2.F})});
        std::filesystem::remove(b.substr(0, b.size() - 4) + ".pt2");
        const VerifyReport report = compare(a, b);
        QCOMPARE(report.verdict, Verdict::undecided);
        QCOMPARE(report.contents.doubts.size(), 1U);
        QCOMPARE(report.contents.doubts[0].names, std::vector<std::string>{"w"});
        QVERIFY2(report.why.starts_with("the graphs are equivalent, but the contents of w may differ: "), report.why.c_str());
    }

    void isUndecidedWhereTheArchiveIsAnother()
    {
        const std::string row = meta("float32", "[1]", "[1]");
        const std::string a = write("a", {row, bytesOf({1.F})});
        const std::string b = write("b", {row, bytesOf({1.F})});
        QVERIFY(test::overwriteInPlace(path("b.pt2"), path("a.fxj")));
        QCOMPARE(compare(a, b).verdict, Verdict::undecided);
        QVERIFY(writeArchive("b", bytesOf({2.F})));
        const VerifyReport report = compare(a, b);
        QCOMPARE(report.verdict, Verdict::undecided);
        QVERIFY2(report.why.find("is not the source of") != std::string::npos, report.why.c_str());
    }

    void leavesContentsOutWhenToldTo()
    {
        const std::string row = meta("float32", "[1]", "[1]");
        const Program a = *readModel(write("a", {row, bytesOf({1.F})}));
        const Program b = *readModel(write("b", {row, bytesOf({2.F})}));
        const Result<VerifyReport> report = verify(a, b, {.whyNames = "the option says so"});
        QCOMPARE(report->verdict, Verdict::same);
        QCOMPARE(basisText(*report), std::string("The same graph: assumed equal by name: w, because the option says so."));
    }

    void findsOtherWeightsInAnExport()
    {
        const std::string other = path("other.pt2");
        QVERIFY(test::copyWithOtherWeights(kTransformer, other));
        const VerifyReport report = compare(kTransformer, other);
        QCOMPARE(report.verdict, Verdict::different);
        QVERIFY2(report.why.find("has different values: element [") != std::string::npos, report.why.c_str());
        QVERIFY(report.nodeA.node.isValid());
        QVERIFY(test::copyArchive(kTransformer, path("copy.pt2"), [](const std::string&, std::string&) {}));
        const VerifyReport same = compare(kTransformer, path("copy.pt2"));
        QCOMPARE(same.verdict, Verdict::same);
        QCOMPARE(same.basis, VerdictBasis::contents);
        QVERIFY(same.contents.tensors > 10);
    }

    void isNotSureOfACallThatNobodyUsesWithOtherWeights()
    {
        const std::string row = meta("int64", "[1]", "[1]");
        const std::string a = write("a", {row, bytesOf<std::int64_t>({1})}, "x of a sum");
        const std::string b = write("b", {row, bytesOf<std::int64_t>({100})}, "x of a sum");
        const VerifyReport report = compare(a, b);
        QCOMPARE(report.verdict, Verdict::undecided);
        QVERIFY2(report.why.find("may fail") != std::string::npos, report.why.c_str());
    }

    void findsTheWeightsOfAnFxJsonInTheArchiveItPointsTo()
    {
        QVERIFY(test::copyArchive(kTransformer, path("model.pt2"), [](const std::string&, std::string&) {}));
        QVERIFY(writeFxJson(*readModel(path("model.pt2")), path("model.fxj")).has_value());
        const VerifyReport report = compare(path("model.pt2"), path("model.fxj"));
        QCOMPARE(report.verdict, Verdict::same);
        QCOMPARE(report.basis, VerdictBasis::contents);
        QVERIFY(test::copyWithOtherWeights(kTransformer, path("other.pt2")));
        std::filesystem::rename(path("other.pt2"), path("model.pt2"));
        QCOMPARE(compare(kTransformer, path("model.fxj")).verdict, Verdict::undecided);
    }

    void refusesAModelThatChangesMeanwhile()
    {
        QVERIFY(test::copyArchive(kTransformer, path("model.pt2"), [](const std::string&, std::string&) {}));
        QVERIFY(test::copyWithOtherWeights(kTransformer, path("other.pt2")));
        const Program a = *readModel(path("model.pt2"));
        const Program b = *readModel(kTransformer);
        QVERIFY(test::overwriteInPlace(path("model.pt2"), path("other.pt2")));
        const StoredContents contents;
        const Result<VerifyReport> report = verify(a, b, {.contents = &contents});
        QVERIFY(!report.has_value());
        QCOMPARE(report.error().code, ErrorCode::io);
    }

    void takesTheMemoryOfASourceForItsOwn()
    {
        const Program source = *readModel(kTransformer);
        const Result<VerifyReport> report = verifyResult(source, source);
        QCOMPARE(report->verdict, Verdict::same);
        QCOMPARE(report->basis, VerdictBasis::ownMemory);
    }

private:
    [[nodiscard]] std::string path(const std::string& name) const
    {
        return m_folder->filePath(QString::fromStdString(name)).toStdString();
    }

    bool writeArchive(const std::string& name, const std::string& bytes) const
    {
        std::ofstream out(path(name + ".pt2"), std::ios::binary);
        ZipWriter zip(out);
        zip.add("archive/data/weights/weight_0", bytes);
        zip.finish();
        return zip.isGood();
    }

    /// Writes an fx-json file that returns the lookup of x in the constant w ("sum"), x alone, or x with an unused sum. The
    /// storage of w is in an archive in the same folder.
    [[nodiscard]] std::string write(const std::string& name, const Weights& weights, const std::string& returned = "sum") const
    {
        if (!writeArchive(name, weights.bytes))
            return {};
        const std::string hash = sha256OfFile(path(name + ".pt2")).value();
        std::string text = "{'k':'fx-json','v':[1,0],'min':[1,0],'source':{'file':'" + name + ".pt2','sha256':'" + hash + "'}}\n"
            + "{'k':'storage','id':'s0','at':{'file':'" + name + ".pt2','record':'data/weights/weight_0'}}\n"
            + "{'k':'tensor','fqn':'w','role':'constant'," + weights.meta + ",'storage':'s0'}\n"
            + "{'k':'graph','id':'g0','module':''}\n"
              "{'k':'node','g':'g0','name':'x','op':'placeholder','target':'x','args':[],'kwargs':[]}\n"
            + (returned != "x"
                   ? "{'k':'node','g':'g0','name':'w','op':'get_attr','target':'w','args':[],'kwargs':[]}\n"
                     "{'k':'node','g':'g0','name':'sum','op':'call_function','target':'torch.ops.aten.embedding.default',"
                     "'args':[{'n':'w'},{'n':'x'}],'kwargs':[]}\n"
                   : "")
            + "{'k':'node','g':'g0','name':'output','op':'output','target':'output','args':[{'n':'"
            + returned.substr(0, returned.find(' ')) + "'}],'kwargs':[]}\n{'k':'end','nodes':" + (returned != "x" ? "4" : "2")
            + "}\n";
        std::ranges::replace(text, '\'', '"');
        const std::string file = path(name + ".fxj");
        return writeFileAtomically(file, text) ? file : std::string();
    }

    [[nodiscard]] static VerifyReport compare(const std::string& a, const std::string& b)
    {
        const Result<Program> first = readModel(a);
        const Result<Program> second = readModel(b);
        const StoredContents contents;
        if (!first || !second)
            return {.why = describe(first ? second.error() : first.error())};
        const Result<VerifyReport> report = verify(*first, *second, {.contents = &contents});
        return report ? *report : VerifyReport{.why = describe(report.error())};
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

const test::Registered<StoredContentsTest> storedContentsTest("stored_contents_test");
#include "stored_contents_test.moc"
