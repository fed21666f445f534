#include "tensor/build_tree.h"
#include "tensor/compare.h"
#include "tensor/ivalue_tree.h"
#include "tensor/tensor_file.h"

#include <ATen/Functions.h>
#include <ATen/core/Dict.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

#include "support/contains.h"
#include "support/test_program.h"
#include "support/torch/archive_edit.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pipescope;
using namespace pipescope::tensor;
using tests::contains;

namespace {

std::filesystem::path dataFile(const std::string &name)
{
    return std::filesystem::path(PIPESCOPE_TEST_DATA) / "tensor" / name;
}

std::string contents(const std::filesystem::path &path)
{
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

c10::IValue load(const std::string &name)
{
    auto value = loadTensors(dataFile(name));
    if (!value)
        QTest::qFail(value.error().message.c_str(), __FILE__, __LINE__);
    return value ? *value : c10::IValue();
}

c10::IValue entry(const c10::IValue &dict, const char *name)
{
    return dict.toGenericDict().at(c10::IValue(name));
}

} // namespace

class TestTensorFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aTensorIsRead()
    {
        const c10::IValue value = load("tensor.pt");
        QVERIFY(compare(at::arange(6).to(at::kFloat).reshape({2, 3}), value).bitwise);
    }

    void aStateDictKeepsItsOrder()
    {
        const c10::IValue value = load("state_dict.pt");
        QCOMPARE(leafPaths(value), (std::vector<std::string>{"['weight']", "['bias']"}));
        QCOMPARE(value.type()->annotation_str(), std::string("Dict[str, Tensor]"));
        QCOMPARE(entry(value, "weight").toTensor()[1][0].item<float>(), 3.0F);
        QCOMPARE(entry(value, "bias").toTensor()[1].item<float>(), 6.0F);
    }

    void plainValuesAreRead()
    {
        QCOMPARE(describeValue(load("values.pt")),
                 std::string("{'none': None, 'yes': True, 'no': False, 'small': 7, 'negative': -5, 'middle': 70000, "
                             "'big': 1099511627776, 'float': 0.1, 'text': 'grün', 'complex': (1+2j), 'size': (2, 3), "
                             "'dtype': 6, 'list': [1, 2], 'mixed': [1, 'a'], 'tuple': (1, (2.5, None)), 'empty': [], "
                             "'numbers': {1: 'one', 2: 'two'}, 'ordered': {'b': 1, 'a': 2}}"));
    }

    void everyDtypeIsRead()
    {
        const c10::IValue value = load("dtypes.pt");
        QCOMPARE(value.toGenericDict().size(), std::size_t(17));
        for (const auto &item : value.toGenericDict()) {
            const at::Tensor &tensor = item.value().toTensor();
            QCOMPARE(dtypeName(tensor.scalar_type()), item.key().toStringRef());
            const at::Tensor real = tensor.is_complex() ? at::real(tensor) : tensor;
            QVERIFY2(at::equal(real.to(at::kDouble), at::tensor({0.0, 1.0, 1.0}, at::TensorOptions(at::kDouble))),
                     item.key().toStringRef().c_str());
        }
    }

    void viewsShareTheirStorageAndKeepTheirStrides()
    {
        const std::vector<at::Tensor> views = tensorsIn(load("views.pt"));
        QCOMPARE(views.size(), std::size_t(4));
        QVERIFY(views[1].storage().is_alias_of(views[0].storage()));
        QCOMPARE(views[1].storage_offset(), std::int64_t(4));
        QCOMPARE(views[2].strides(), at::IntArrayRef({1, 4}));
        QCOMPARE(views[2][3][2].item<float>(), 11.0F);
        QCOMPARE(views[3].strides(), at::IntArrayRef({0, 0}));
        QCOMPARE(views[3][1][1].item<float>(), 3.0F);
    }

    void parametersAreTensors()
    {
        const std::vector<at::Tensor> tensors = tensorsIn(load("parameters.pt"));
        QCOMPARE(tensors.size(), std::size_t(4));
        QVERIFY(tensors[0].requires_grad());
        QVERIFY(!tensors[1].requires_grad());
        QVERIFY(tensors[2].requires_grad());
        QVERIFY(tensors[3].requires_grad());
        QCOMPARE(tensors[2].item<float>(), 3.0F);
    }

    void quantizedTensorsAreRead()
    {
        const std::vector<at::Tensor> tensors = tensorsIn(load("quantized.pt"));
        QCOMPARE(tensors[0].scalar_type(), at::kQUInt8);
        QVERIFY(at::equal(tensors[0].dequantize(), at::tensor({0.0F, 0.5F, 1.0F})));
        QCOMPARE(tensors[0].q_zero_point(), std::int64_t(3));
        QVERIFY(at::equal(tensors[1].dequantize(), at::tensor({1.0F, 2.0F, 4.0F, 8.0F}).reshape({2, 2})));
        QCOMPARE(tensors[1].q_per_channel_axis(), std::int64_t(0));
    }

    void conjugatedAndNegatedViewsAreRead()
    {
        const std::vector<at::Tensor> tensors = tensorsIn(load("conjugated.pt"));
        QCOMPARE(at::imag(tensors[0].resolve_conj())[0].item<float>(), -2.0F);
        QCOMPARE(tensors[1].item<float>(), -2.0F);
    }

    void oddSizesAreRead()
    {
        const std::vector<at::Tensor> tensors = tensorsIn(load("odd_sizes.pt"));
        QCOMPARE(tensors[0].dim(), std::int64_t(0));
        QCOMPARE(tensors[0].item<float>(), 2.5F);
        QCOMPARE(tensors[1].sizes(), at::IntArrayRef({0, 3}));
    }

    void aHandWrittenArchiveThatFitsIsRead()
    {
        QVERIFY(at::equal(load("fits.pt").toTensor(), at::tensor({1.0F, 2.0F, 3.0F, 4.0F}).reshape({2, 2})));
    }

    void hostileFilesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("reason");
        QTest::newRow("calls_os_system.pt") << QByteArray("it wants to call 'os.system'");
        QTest::newRow("calls_eval.pt") << QByteArray("it wants to call 'builtins.eval'");
        QTest::newRow("own_class.pt") << QByteArray("it wants to call 'pathlib.PurePosixPath'");
        QTest::newRow("beyond_storage.pt") << QByteArray("reaches beyond the data");
        QTest::newRow("beyond_by_offset.pt") << QByteArray("reaches beyond the data");
        QTest::newRow("negative_offset.pt") << QByteArray("out of range");
        QTest::newRow("negative_stride.pt") << QByteArray("out of range");
        QTest::newRow("overflowing_sizes.pt") << QByteArray("out of range");
        QTest::newRow("overflowing_strides.pt") << QByteArray("out of range");
        QTest::newRow("missing_record.pt") << QByteArray("its record 'data/0' is missing");
        QTest::newRow("bomb.pt") << QByteArray("claims 4194304 bytes, more than there can be");
        QTest::newRow("inside_itself.pt") << QByteArray("nested more than 64 levels");
        QTest::newRow("deep.pt") << QByteArray("nested more than 64 levels");
        QTest::newRow("laughs.pt") << QByteArray("more than 1000000 values");
        QTest::newRow("memo_out_of_range.pt") << QByteArray("refers to value 4294967295");
        QTest::newRow("no_stop.pt") << QByteArray("ends too early");
        QTest::newRow("huge_text.pt") << QByteArray("ends too early");
        QTest::newRow("sparse.pt") << QByteArray("it wants to call 'torch._utils._rebuild_sparse_tensor'");
        QTest::newRow("legacy.pt") << QByteArray("a file of torch.save before version 1.6");
        QTest::newRow("model.pt") << QByteArray("it is a TorchScript model");
    }

    void hostileFilesAreRefused()
    {
        QFETCH(QByteArray, reason);
        const auto value = loadTensors(dataFile(QTest::currentDataTag()));
        QVERIFY(!value);
        const Error &error = value.error();
        QVERIFY2(contains(error.message, reason.toStdString()), error.message.c_str());
        QVERIFY2(error.message.starts_with("cannot read tensors from '"), error.message.c_str());
        QVERIFY(error.code == ErrorCode::InvalidFile || error.code == ErrorCode::Unsupported);
        QVERIFY(!std::filesystem::exists("pipescope_was_here"));
    }

    void aTextThatIsReferredToOftenIsOneText()
    {
        // A list of one text of 60 000 bytes, a hundred times.
        std::string pickle("\x80\x02](X\x60\xea\0\0", 9);
        pickle += std::string(60'000, 't') + "q\x01";
        for (int i = 1; i < 100; ++i)
            pickle += "h\x01";
        const QTemporaryDir folder;
        const std::string path = folder.filePath("x.pt").toStdString();
        testing::writeBytes(path, testing::zipOf({{"a/data.pkl", pickle + "e."}, {"a/version", "3\n"}}));
        const auto value = loadTensors(path);
        QVERIFY2(value, value ? "" : value.error().message.c_str());
        const c10::List<c10::IValue> list = value->toList();
        QCOMPARE(list.size(), std::size_t(100));
        const c10::IValue first = list.get(0);
        const c10::IValue last = list.get(99);
        QCOMPARE(last.toStringRef(), std::string(60'000, 't'));
        QVERIFY(&first.toStringRef() == &last.toStringRef());
    }

    void otherFilesAreNamed()
    {
        const QTemporaryDir folder;
        const auto reason = [&](const std::string &bytes) {
            const std::filesystem::path path = folder.filePath("x.pt").toStdString();
            std::ofstream(path, std::ios::binary) << bytes;
            return loadTensors(path).error().message;
        };
        QVERIFY(contains(reason(""), "the file is empty"));
        QVERIFY(contains(reason("hello\n"), "it is a text file"));
        QVERIFY(contains(reason("\x93NUMPY\x01"), "it is a NumPy array"));
        QVERIFY(contains(reason(std::string("\x80\x02N.", 4)), "a bare Python pickle"));
        QVERIFY(contains(reason(std::string("\x10\0\0\0\0\0\0\0{}", 10)), "safetensors"));
        QVERIFY(contains(reason("\x01\x02\x03\x04"), "it is not a file that torch.save wrote"));
        QVERIFY(contains(reason("PK\x03\x04 and nothing else"), "it is damaged"));
    }

    void aMissingFileAndAFolderAreNamed()
    {
        QCOMPARE(loadTensors("/nowhere/x.pt").error().code, ErrorCode::NotFound);
        QVERIFY(contains(loadTensors("/nowhere/x.pt").error().message, "there is no file '/nowhere/x.pt'"));
        QVERIFY(contains(loadTensors("/").error().message, "it is a folder"));
    }

    void everyTruncationIsRefused()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("cut.pt").toStdString();
        const std::string whole = contents(dataFile("state_dict.pt"));
        for (std::size_t size = 0; size < whole.size(); size += 37) {
            std::ofstream(path, std::ios::binary | std::ios::trunc) << whole.substr(0, size);
            const auto value = loadTensors(path);
            QVERIFY2(!value, std::to_string(size).c_str());
        }
    }

    void changedBytesNeverCrash()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("changed.pt").toStdString();
        for (const char *name : {"fits.pt", "views.pt", "quantized.pt"}) {
            const std::string whole = contents(dataFile(name));
            std::uint32_t state = 12345;
            for (int round = 0; round < 80; ++round) {
                std::string changed = whole;
                for (int i = 0; i < 3; ++i) {
                    state = state * 1664525U + 1013904223U;
                    changed[(state >> 8) % changed.size()] = static_cast<char>(state);
                }
                std::ofstream(path, std::ios::binary | std::ios::trunc) << changed;
                if (auto value = loadTensors(path))
                    for (const at::Tensor &tensor : tensorsIn(*value))
                        QVERIFY(tensor.numel() > 1'000'000 || tensor.to(at::kCPU).contiguous().defined());
            }
        }
    }

    void whatIsSavedIsLoaded()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("saved.pt").toStdString();
        const c10::IValue value = makeTuple(
            {at::arange(6).reshape({2, 3}).t(), makeList({1, 2}), makeDict({{"a", at::ones({2}, at::kBFloat16)}}), 1.5,
             -7, std::int64_t{1} << 40, true, "grün", c10::IValue(), c10::complex<double>(1, -2), makeTuple({}),
             at::ones({2}).to(at::kFloat8_e4m3fn), at::zeros({0, 2}), at::scalar_tensor(3)});
        const auto saved = saveTensors(value, path);
        QVERIFY2(saved, saved ? "" : saved.error().message.c_str());
        const auto loaded = loadTensors(path);
        QVERIFY2(loaded, loaded ? "" : loaded.error().message.c_str());
        const Comparison result = compare(value, *loaded);
        QVERIFY2(result.bitwise, result.worst.c_str());
    }

    void everyDtypeIsSaved()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("dtypes.pt").toStdString();
        const c10::IValue value = load("dtypes.pt");
        QVERIFY(saveTensors(value, path));
        const auto loaded = loadTensors(path);
        QVERIFY2(loaded, loaded ? "" : loaded.error().message.c_str());
        QVERIFY(compare(value, *loaded).bitwise);
    }

    void viewsAreSavedAsWhatTheyShow()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("view.pt").toStdString();
        QVERIFY(saveTensors(at::zeros({1 << 20})[3], path));
        QVERIFY(std::filesystem::file_size(path) < 2000);
        QVERIFY(saveTensors(at::ones({3}).requires_grad_() * 2, path));
        QVERIFY(loadTensors(path));
    }

    void whatCannotBeSavedIsNamed()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("x.pt").toStdString();
        const Status sparse = saveTensors(makeTuple({1, at::eye(2).to_sparse()}), path);
        QVERIFY(!sparse);
        QCOMPARE(sparse.error().code, ErrorCode::Unsupported);
        QVERIFY(contains(sparse.error().message, "the value[1] ("));
        QVERIFY(!std::filesystem::exists(path));
    }

    void anUnwritableTargetIsNamedAndNothingIsLeft()
    {
        const Status status = saveTensors(at::ones({1}), "/nowhere/at/all.pt");
        QVERIFY(!status);
        QCOMPARE(status.error().code, ErrorCode::WriteFailed);
        QVERIFY2(contains(status.error().message, "cannot write '/nowhere/at/all.pt': No such file or directory"),
                 status.error().message.c_str());
    }
};

PIPESCOPE_TEST(TestTensorFile)
#include "tst_tensor_file.moc"
