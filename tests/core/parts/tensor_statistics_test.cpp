// Statistics of a stored tensor, and its export as a .npy file.
#include "io/model_file.h"
#include "parts/npy_file.h"
#include "parts/tensor_statistics.h"
#include "stored_tensor.h"
#include "test_case.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

using namespace sunder;
using test::packed;

namespace {

std::string tensorMeta(const std::string& dtype, const std::string& shape, const std::string& stride, int offset = 0)
{
    return "'dtype':'" + dtype + "','shape':" + shape + ",'stride':" + stride + ",'offset':" + std::to_string(offset);
}

/// "COUNT MIN MAX MEAN DEVIATION ZEROS NANS INFINITIES"
std::string figures(const Result<TensorStatistics>& found)
{
    if (!found)
        return describe(found.error());
    std::ostringstream text;
    text << found->count << ' ';
    if (found->finite)
        text << found->finite->minText << ' ' << found->finite->maxText << ' ' << found->finite->mean << ' '
             << found->finite->deviation << ' ';
    text << found->zeros << ' ' << found->nans << ' ' << found->infinities;
    return text.str();
}

struct Stopping final : ProgressMonitor {
    explicit Stopping(double at) : from(at) {}
    void report(double fraction, std::string_view) override { last = fraction; }
    [[nodiscard]] bool isCancelled() const override { return last >= from; }
    double from;
    double last = 0;
};

} // namespace

class TensorStatisticsTest final : public QObject {
    Q_OBJECT
private slots:
    void readsEveryDtype_data()
    {
        QTest::addColumn<std::string>("meta");
        QTest::addColumn<std::string>("bytes");
        QTest::addColumn<std::string>("expected");
        const auto row = [](const char* dtype, const std::string& bytes, const char* expected) {
            const std::size_t count = bytes.size() / elementSize(dtype).value_or(1);
            QTest::newRow(dtype) << tensorMeta(dtype, "[" + std::to_string(count) + "]", "[1]") << bytes << std::string(expected);
        };
        using Limits = std::numeric_limits<std::int64_t>;
        const float infinity = std::numeric_limits<float>::infinity();
        row("float32", packed({1.F, -3.F, 0.F, -0.F, NAN, infinity, -infinity, 6.F}), "8 -3.0 6.0 0.8 2.92575 2 1 2");
        row("float64", packed({1e300, -1e300}), "2 -1e+300 1e+300 0 1e+300 0 0 0");
        row("float16", packed<std::uint16_t>({0x3c00, 0xc000, 0x0001, 0x7c00, 0x7e00}), "5 -2.0 1.0 -0.333333 1.24722 0 1 1");
        row("bfloat16", packed<std::uint16_t>({0x3f80, 0x4000, 0x8000, 0xff80}), "4 -0.0 2.0 1 0.816497 1 0 1");
        // The values that PyTorch reads from these bytes: torch.tensor([...], dtype=torch.uint8).view(torch.float8_…)
        row("float8_e4m3fn", packed<std::uint8_t>({0x7e, 0x01, 0xc0, 0x7f, 0x00}), "5 -2.0 448.0 111.5 194.28 1 1 0");
        row("float8_e5m2", packed<std::uint8_t>({0x7b, 0x01, 0xc0, 0x7c, 0x7d}), "5 -2.0 57344.0 19114 27032.7 0 1 1");
        row("float8_e4m3fnuz", packed<std::uint8_t>({0x7f, 0x40, 0x80}), "3 1.0 240.0 120.5 119.5 0 1 0");
        row("float8_e5m2fnuz", packed<std::uint8_t>({0x7f, 0x40, 0x80}), "3 1.0 57344.0 28672.5 28671.5 0 1 0");
        row("float8_e8m0fnu", packed<std::uint8_t>({127, 129, 255}), "3 1.0 4.0 2.5 1.5 0 1 0");
        row("int8", packed<std::int8_t>({-128, 127, 0}), "3 -128 127 -0.333333 104.104 1 0 0");
        row("int16", packed<std::int16_t>({-300, 300}), "2 -300 300 0 300 0 0 0");
        row("int32", packed<std::int32_t>({-70000, 70000}), "2 -70000 70000 0 70000 0 0 0");
        row("int64", packed<std::int64_t>({Limits::max() - 1, Limits::max(), Limits::max() - 2}),
            "3 9223372036854775805 9223372036854775807 9.22337e+18 0 0 0 0");
        row("uint8", packed<std::uint8_t>({0, 255}), "2 0 255 127.5 127.5 1 0 0");
        row("uint16", packed<std::uint16_t>({1, 65535}), "2 1 65535 32768 32767 0 0 0");
        row("uint32", packed<std::uint32_t>({0, 4294967295U}), "2 0 4294967295 2.14748e+09 2.14748e+09 1 0 0");
        row("uint64", packed<std::uint64_t>({~0ULL, ~0ULL - 1}),
            "2 18446744073709551614 18446744073709551615 1.84467e+19 0 0 0 0");
        row("bool", packed<std::uint8_t>({0, 1, 1, 1}), "4 False True 0.75 0.433013 1 0 0");
    }
    void readsEveryDtype()
    {
        QFETCH(std::string, meta);
        QFETCH(std::string, bytes);
        QFETCH(std::string, expected);
        QCOMPARE(figures(statistics(meta, bytes)), expected);
    }

    void readsEveryStride_data()
    {
        QTest::addColumn<std::string>("meta");
        QTest::addColumn<std::string>("expected");
        QTest::addColumn<std::string>("rows"); ///< elements in index order
        const auto row = [](const char* what, const std::string& meta, const char* expected, const std::string& elements) {
            QTest::newRow(what) << meta << std::string(expected) << elements;
        };
        const auto of = [](const char* shape, const char* stride, int offset) {
            return tensorMeta("uint8", shape, stride, offset);
        };
        row("rows", of("[2,3]", "[3,1]", 1), "6 1 6 3.5 1.70783 0 0 0", packed<char>({1, 2, 3, 4, 5, 6}));
        row("turned", of("[3,2]", "[1,3]", 1), "6 1 6 3.5 1.70783 0 0 0", packed<char>({1, 4, 2, 5, 3, 6}));
        row("gaps", of("[2,2]", "[4,2]", 0), "4 0 6 3 2.23607 1 0 0", packed<char>({0, 2, 4, 6}));
        row("expanded", of("[3,2]", "[0,1]", 2), "6 2 3 2.5 0.5 0 0 0", packed<char>({2, 3, 2, 3, 2, 3}));
        row("overlapping", of("[3,2]", "[1,1]", 1), "6 1 4 2.5 0.957427 0 0 0", packed<char>({1, 2, 2, 3, 3, 4}));
        row("scalar", of("[]", "[]", 5), "1 5 5 5 0 0 0 0", packed<char>({5}));
        row("empty", of("[0,3]", "[3,1]", 0), "0 0 0 0", {});
        row("one index", of("[1,2,1]", "[7,1,9]", 6), "2 6 7 6.5 0.5 0 0 0", packed<char>({6, 7}));
    }
    void readsEveryStride()
    {
        QFETCH(std::string, meta);
        QFETCH(std::string, expected);
        QFETCH(std::string, rows);
        const std::string bytes = packed<char>({0, 1, 2, 3, 4, 5, 6, 7});
        QCOMPARE(figures(statistics(meta, bytes)), expected);
        const Program program = *readModel(write(meta, bytes));
        QVERIFY(writeNpy(program, program.tensors.find(intern("w")), path("w.npy")).has_value());
        const std::string file = readFile(path("w.npy"), 1U << 20U).value();
        QCOMPARE(file.size(), 128 + rows.size());
        QCOMPARE(file.substr(128), rows);
    }

    void countsInBinsOfEqualWidth()
    {
        const Result<TensorStatistics> found = statistics(tensorMeta("float32", "[5]", "[1]"),
                                                          packed({0.F, 1.F, 31.F, 31.5F, 32.F}));
        std::vector<std::uint64_t> expected(kHistogramBins, 0);
        expected[0] = 1;
        expected[1] = 1;
        expected[31] = 3;
        QCOMPARE(found->finite->histogram, expected);
        const Result<TensorStatistics> equal = statistics(tensorMeta("int32", "[3,2]", "[0,0]"), packed({7}));
        QCOMPARE(equal->finite->histogram, std::vector<std::uint64_t>{6});
        const Result<TensorStatistics> none = statistics(tensorMeta("float32", "[2]", "[1]"), packed({NAN, NAN}));
        QVERIFY(!none->finite);
        QCOMPARE(none->nans, 2U);
    }

    /// More elements than are reordered at once, in blocks of a different size than those of reading.
    void readsLargeTensors()
    {
        constexpr std::uint32_t kSide = 2100;
        std::string bytes(std::size_t{kSide} * kSide * 4, '\0');
        for (std::uint32_t i = 0; i < kSide * kSide; ++i)
            std::memcpy(bytes.data() + std::size_t{i} * 4, &i, 4);
        const std::string shape = "[2100,2100]";
        const char* expected = "4410000 0 4409999 2.205e+06 1.27306e+06 1 0 0";
        QCOMPARE(figures(statistics(tensorMeta("uint32", shape, "[2100,1]"), bytes)), std::string(expected));
        const Program turned = *readModel(write(tensorMeta("uint32", shape, "[1,2100]"), bytes));
        QCOMPARE(figures(tensorStatistics(turned, turned.tensors.find(intern("w")))), std::string(expected));
        QVERIFY(writeNpy(turned, turned.tensors.find(intern("w")), path("w.npy")).has_value());
        const std::string file = readFile(path("w.npy"), 1U << 26U).value();
        QCOMPARE(file.size(), 128 + bytes.size());
        bool isTurned = true;
        for (std::uint32_t row = 0; row < kSide; ++row)
            for (std::uint32_t column = 0; column < kSide; ++column) {
                std::uint32_t value = 0;
                std::memcpy(&value, file.data() + 128 + (std::size_t{row} * kSide + column) * 4, 4);
                isTurned = isTurned && value == column * kSide + row;
            }
        QVERIFY(isTurned);
    }

    void stopsWhenItIsCancelled()
    {
        const std::string file = write(tensorMeta("uint8", "[4000000]", "[1]"), std::string(4'000'000, '\1'));
        const Program program = *readModel(file);
        const TensorId id = program.tensors.find(intern("w"));
        for (const double at : {0.0, 0.3, 0.7}) {
            Stopping monitor(at);
            const Result<TensorStatistics> found = tensorStatistics(program, id, monitor);
            QVERIFY(!found);
            QCOMPARE(found.error().code, ErrorCode::cancelled);
        }
        Stopping monitor(0.5);
        const Result<NpyFile> written = writeNpy(program, id, path("stopped.npy"), monitor);
        QVERIFY(!written);
        QCOMPARE(written.error().code, ErrorCode::cancelled);
        QVERIFY(!std::filesystem::exists(path("stopped.npy")));
    }

    void refusesWhatHasNoNumbers_data()
    {
        QTest::addColumn<std::string>("meta");
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<std::string>("why");
        const auto row = [](const char* what, const std::string& meta, ErrorCode code, const char* why) {
            QTest::newRow(what) << meta << code << std::string(why);
        };
        row("complex", tensorMeta("complex64", "[1]", "[1]"), ErrorCode::unsupported,
            "has dtype complex64, for which statistics are not supported");
        row("packed", tensorMeta("float4_e2m1fn_x2", "[8]", "[1]"), ErrorCode::unsupported,
            "for which statistics are not supported");
        row("too long", tensorMeta("uint8", "[9]", "[1]"), ErrorCode::malformed, "extends beyond its record");
        row("too far", tensorMeta("uint8", "[1]", "[1]", 8), ErrorCode::malformed, "extends beyond its record");
        row("a wide stride", tensorMeta("uint8", "[2]", "[9]"), ErrorCode::malformed, "extends beyond its record");
        row("sizes that overflow", tensorMeta("uint8", "[4294967296,4294967296,2]", "[0,0,1]"), ErrorCode::unsupported,
            "has no plain shape");
    }
    void refusesWhatHasNoNumbers()
    {
        QFETCH(std::string, meta);
        QFETCH(ErrorCode, code);
        QFETCH(std::string, why);
        const Result<TensorStatistics> found = statistics(meta, std::string(8, '\1'));
        QVERIFY(!found);
        QCOMPARE(found.error().code, code);
        QVERIFY2(found.error().message.find(why) != std::string::npos, found.error().message.c_str());
    }

    void refusesElementsThatOverlapWithoutEnd()
    {
        std::string shape = "[2";
        std::string stride = "[1";
        for (int i = 0; i < 39; ++i) {
            shape += ",2";
            stride += ",1";
        }
        const Result<TensorStatistics> found = statistics(tensorMeta("uint8", shape + "]", stride + "]"), std::string(64, '\1'));
        QVERIFY(!found);
        QCOMPARE(found.error().code, ErrorCode::unsupported);
        QVERIFY2(found.error().message.find("too many overlap") != std::string::npos, found.error().message.c_str());
        const Result<TensorStatistics> expanded = statistics(tensorMeta("uint8", "[1099511627776,2]", "[0,1]"),
                                                             packed<char>({1, 3}));
        QCOMPARE(figures(expanded), std::string("2199023255552 1 3 2 1 0 0 0"));
    }

    void writesTheHeaderOfNumpy()
    {
        const auto header = [this](const std::string& meta) {
            const Program program = *readModel(write(meta, std::string(16, '\0')));
            const Result<NpyFile> written = writeNpy(program, program.tensors.find(intern("w")), path("w.npy"));
            if (!written)
                return describe(written.error());
            const std::string file = readFile(path("w.npy"), 1U << 20U).value();
            if (!file.starts_with(std::string("\x93NUMPY\1\0\x76\0", 10)) || file[127] != '\n' || file.size() != written->bytes)
                return "damaged: " + file;
            return file.substr(10, file.find('}') - 9) + (written->note.empty() ? "" : " " + written->note);
        };
        QCOMPARE(header(tensorMeta("float32", "[2,2]", "[2,1]")),
                 std::string("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }"));
        QCOMPARE(header(tensorMeta("complex128", "[]", "[]")),
                 std::string("{'descr': '<c16', 'fortran_order': False, 'shape': (), }"));
        const std::string bits = header(tensorMeta("bfloat16", "[3]", "[1]"));
        QVERIFY2(bits.starts_with("{'descr': '<u2', 'fortran_order': False, 'shape': (3,), } NumPy has no bfloat16"),
                 bits.c_str());
        QVERIFY(header(tensorMeta("float8_e5m2", "[3]", "[1]")).starts_with("{'descr': '|u1'"));
        QVERIFY(header(tensorMeta("complex32", "[3]", "[1]")).starts_with("{'descr': '<u4'"));
    }

    void saysThatTheDiskIsTooSmall()
    {
        const Program program = *readModel(write(tensorMeta("uint8", "[1099511627776,1024]", "[0,1]"), std::string(1024, '\1')));
        const Result<NpyFile> written = writeNpy(program, program.tensors.find(intern("w")), path("large.npy"));
        QVERIFY(!written);
        QCOMPARE(written.error().code, ErrorCode::io);
        QVERIFY(!std::filesystem::exists(path("large.npy")));
    }

    void saysThatWeightsAreMissing()
    {
        const Program program = *readModel(write(tensorMeta("uint8", "[8]", "[1]"), std::string(8, '\1')));
        std::filesystem::remove(path("m.pt2"));
        const Result<TensorStatistics> found = tensorStatistics(program, program.tensors.find(intern("w")));
        QVERIFY(!found);
        QCOMPARE(found.error().code, ErrorCode::io);
    }

    void readsTheWeightsOfAnExport()
    {
        const Program program = *readModel(SUNDER_SOURCE "/resources/samples/transformer.pt2");
        QVERIFY(program.tensors.size() > 10);
        for (std::size_t i = 0; i < program.tensors.size(); ++i)
            QVERIFY(tensorStatistics(program, TensorId(i)).has_value());
    }

private:
    [[nodiscard]] std::string path(const char* name) const { return m_folder.filePath(QString::fromUtf8(name)).toStdString(); }
    [[nodiscard]] std::string write(const std::string& meta, const std::string& bytes) const
    {
        return test::writeStoredTensor(path("m"), meta, bytes);
    }
    [[nodiscard]] Result<TensorStatistics> statistics(const std::string& meta, const std::string& bytes) const
    {
        const Result<Program> program = readModel(write(meta, bytes));
        return program ? tensorStatistics(*program, program->tensors.find(intern("w"))) : forward(program);
    }

    QTemporaryDir m_folder;
};

const test::Registered<TensorStatisticsTest> tensorStatisticsTest("tensor_statistics_test");
#include "tensor_statistics_test.moc"
