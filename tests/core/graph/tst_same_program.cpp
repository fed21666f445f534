#include "graph/same_program.h"

#include "support/graph_builder.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using graph::ModelGraph;
using tests::graphFromText;

namespace {

constexpr auto TwoModules = "in x\ncall a\nu = aten::sin x\nend\ncall b\nv = aten::cos u\nend\nreturn v";

} // namespace

class TestSameProgram : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatProfilingMeasuresMakesNoOtherProgram()
    {
        const ModelGraph loaded = graphFromText(TwoModules);
        ModelGraph profiled = loaded;
        profiled.nodes[0].seconds = 0.5;
        profiled.nodes[1].flops = 100;
        profiled.values[1].bytes = 64;
        profiled.values[1].tensor = graph::TensorMeta{"float32", {4, 4}, 64, false};
        profiled.values[1].requiresGrad = true;
        QVERIFY(profiled != loaded);
        QVERIFY(isSameProgram(loaded, profiled));
        QVERIFY(isSameProgram(loaded, loaded));
    }

    void anotherProgramIsTold_data()
    {
        QTest::addColumn<QString>("other");
        const QString text(TwoModules);
        QTest::newRow("another operator") << QString(text).replace("aten::cos", "aten::tan");
        QTest::newRow("a value from elsewhere") << QString(text).replace("cos u", "cos x");
        QTest::newRow("another module") << QString(text).replace("call b", "call c");
        QTest::newRow("one node more") << QString(text).replace("return v", "w = aten::neg v\nreturn w");
        QTest::newRow("another result") << QString(text).replace("return v", "return u");
        QTest::newRow("another argument") << QString(text).replace("in x", "in x\nin y");
    }

    void anotherProgramIsTold()
    {
        QFETCH(const QString, other);
        const ModelGraph one = graphFromText(TwoModules);
        const ModelGraph two = graphFromText(other.toStdString());
        QVERIFY(!isSameProgram(one, two));
        QVERIFY(!isSameProgram(two, one));
    }

    void anotherMethodIsAnotherProgram()
    {
        const ModelGraph forward = graphFromText(TwoModules);
        ModelGraph encode = forward;
        encode.method = "encode";
        QVERIFY(!isSameProgram(forward, encode));
    }
};

PIPESCOPE_TEST(TestSameProgram)
#include "tst_same_program.moc"
