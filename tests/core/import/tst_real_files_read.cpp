// import/ on files other people made: loaded, and only read.
#include "import/load.h"
#include "import/structure_only.h"
#include "support/real_model.h"
#include "support/test_program.h"

#include <ATen/ATen.h>
#include <QTest>
#include <algorithm>

using namespace pipescope;

namespace {

bool calls(const import::Structure &structure, const std::string &name)
{
    return std::any_of(structure.operators.begin(), structure.operators.end(),
                       [&](const auto &counted) { return counted.first == name && counted.second > 0; });
}

} // namespace

class TestRealFilesRead : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::needRealModels({"silero_vad.jit", "vit4mnist.ptl"}); }

    void theyLoadAndRun_data()
    {
        QTest::addColumn<int>("columns");
        QTest::newRow("silero_vad.jit") << 1;
        QTest::newRow("vit4mnist.ptl") << 10;
    }

    void theyLoadAndRun()
    {
        QFETCH(int, columns);
        auto loaded = import::loadModule(tests::realModel(QTest::currentDataTag()));
        QVERIFY2(loaded, loaded ? "" : loaded.error().message.c_str());
        const bool vad = columns == 1;
        const std::vector<c10::IValue> inputs = vad ? std::vector<c10::IValue>{at::zeros({1, 512}), 16000}
                                                    : std::vector<c10::IValue>{at::zeros({1, 1, 28, 28})};
        QCOMPARE(loaded->forward(inputs).toTensor().size(1), std::int64_t(columns));
    }

    void theStructureOfSilero()
    {
        const auto structure = import::readStructure(tests::realModel("silero_vad.jit"));
        QVERIFY2(structure, structure ? "" : structure.error().message.c_str());
        QCOMPARE(structure->modules.size(), std::size_t(55));
        QCOMPARE(structure->modules[0].parameters, std::int64_t(462594));
        QCOMPARE(structure->modelClass, std::string("__torch__.vad.model.vad_annotator.VADRNNJITMerge"));
        QCOMPARE(structure->methods[0].signature, std::string("(self, x: Tensor, sr: int) -> Tensor"));
        QCOMPARE(structure->unknownOperators, std::vector<std::string>());
        QVERIFY(calls(*structure, "aten::conv1d"));
        QVERIFY(!calls(*structure, "aten::annotate"));
    }

    void theStructureOfVit()
    {
        const auto structure = import::readStructure(tests::realModel("vit4mnist.ptl"));
        QVERIFY2(structure, structure ? "" : structure.error().message.c_str());
        QCOMPARE(structure->modules.size(), std::size_t(1));
        QCOMPARE(structure->parameters.size(), std::size_t(0));
        QCOMPARE(structure->producerVersion, std::string("4"));
        QCOMPARE(structure->unknownOperators, std::vector<std::string>());
        QVERIFY(calls(*structure, "quantized::linear_dynamic"));
        QCOMPARE(structure->notes.size(), std::size_t(1));
    }
};

PIPESCOPE_TEST(TestRealFilesRead)
#include "tst_real_files_read.moc"
