#include "option_words.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using app::withOptions;

class TestOptionWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void whatIsToBeDoneIsNamedAsAnOption_data()
    {
        QTest::addColumn<QString>("neutral");
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("option");
        QTest::newRow("a missing input")
            << "missing a required argument: 'x' (Tensor); give it a value, such as float32[2,3]"
            << "x"
            << "missing a required argument: 'x' (Tensor); give it as --input 'x=float32[2,3]'"
            << "x";
        for (const char *name : {"inputs", "method", "repeat"}) // which are places, too
            QTest::addRow("a missing input named %s", name)
                << QString("missing a required argument: '%1' (Tensor); give it a value, such as 1").arg(name) << name
                << QString("missing a required argument: '%1' (Tensor); give it as --input %1=1").arg(name) << name;
        QTest::newRow("a missing input that a shell would not take as it is")
            << "missing a required argument: 'ids' (Tensor); give it a value, such as int64[8,16]<50257"
            << "ids"
            << "missing a required argument: 'ids' (Tensor); give it as --input 'ids=int64[8,16]<50257'"
            << "ids";
        QTest::newRow("a missing input of which something is a guess")
            << "missing a required argument: 'x' (Tensor); give it a value, such as float32[8,3] (guess: 8 rows); "
               "missing too: 'n' (int)"
            << "x"
            << "missing a required argument: 'x' (Tensor); give it as --input 'x=float32[8,3]' (guess: 8 rows); "
               "missing "
               "too: 'n' (int)"
            << "x";
        QTest::newRow("another value than a graph is specialised for")
            << "'sr' is 8000, but the graph is specialised for 16000, and other branches are left out of it. "
               "Specialise again "
               "for what is given now, or keep the value; give it as sr=16000"
            << "sr"
            << "'sr' is 8000, but the graph is specialised for 16000, and other branches are left out of it. Add "
               "--specialise "
               "for what is given now, or keep the value; give it as --input sr=16000"
            << "sr";
        QTest::newRow("a text as input") << "argument 'mode' must be str, got int (3); write it as mode='text'"
                                         << "mode"
                                         << "argument 'mode' must be str, got int (3); write it as --input "
                                            "\"mode='text'\""
                                         << "mode";
        QTest::newRow("inputs that do not fit")
            << "mat1 and mat2 (x is int64); give it as x=float32[6,4] and ids=int64[6,4]<10"
            << "fc"
            << "mat1 and mat2 (x is int64); give it as --input 'x=float32[6,4]' --input 'ids=int64[6,4]<10'"
            << "fc";
        QTest::newRow("an operator of a newer PyTorch")
            << "save the model again with this version; its structure can be looked at"
            << "m.pt"
            << "save the model again with this version; --structure-only shows its structure"
            << "m.pt";
        QTest::newRow("another method") << "It has: encode(Tensor x) -> Tensor; choose one of them as the method"
                                        << "method"
                                        << "It has: encode(Tensor x) -> Tensor; choose one with --method NAME"
                                        << "--method";
        QTest::newRow("a model that differentiates") << "so autograd has to be recorded while it runs"
                                                     << "aten::grad"
                                                     << "so autograd has to be recorded while it runs: add --grad"
                                                     << "aten::grad";
        QTest::newRow("several missing inputs")
            << "missing a required argument: 'x' (Tensor); give it a value, such as float32[2,3]; missing too: 'sr' "
               "(int)"
            << "x"
            << "missing a required argument: 'x' (Tensor); give it as --input 'x=float32[2,3]'; missing too: 'sr' (int)"
            << "x";
        QTest::newRow("an unknown operator")
            << "load the library that registers it, or look at the structure only"
            << "m.pt"
            << "load the library that registers it with --op-library LIB.so, or look at the structure only with "
               "--structure-only"
            << "m.pt";
        QTest::newRow("inputs of a structure") << "where only the structure is looked at, nothing is run"
                                               << "inputs"
                                               << "with --structure-only, where only the structure is looked at, "
                                                  "nothing is run"
                                               << "--input";
        QTest::newRow("outputs") << "the outputs' chunk spec does not fit"
                                 << "output chunks"
                                 << "the outputs' chunk spec (--chunk-output) does not fit"
                                 << "--chunk-output";
        QTest::newRow("a key of a plan") << "cannot use the plan 'p.json': method: expected a name"
                                         << "method"
                                         << "cannot use the plan 'p.json': method: expected a name"
                                         << "method";
        QTest::newRow("a cut of nothing") << "the method has no input 'y' to cut"
                                          << "input chunks"
                                          << "the method has no input 'y' to cut"
                                          << "--chunk";
    }

    void whatIsToBeDoneIsNamedAsAnOption()
    {
        QFETCH(QString, neutral);
        QFETCH(QString, where);
        QFETCH(QString, said);
        QFETCH(QString, option);
        const Error error =
            withOptions(Error{ErrorCode::InvalidArgument, neutral.toStdString(), where.toStdString(), {}});
        QCOMPARE(QString::fromStdString(error.message), said);
        QCOMPARE(QString::fromStdString(error.where), option);
    }

    void whyItIsNotKnownWhetherABatchMayBeCutNamesTheOption()
    {
        report::RunReport run;
        run.separabilityUnknown = "the outputs' chunk spec does not fit";
        QCOMPARE(withOptions(run).separabilityUnknown,
                 std::string("the outputs' chunk spec (--chunk-output) does not fit"));
        run.separability.emplace().explanation = "3 rows (nor by the outputs' chunk spec: no)";
        QCOMPARE(withOptions(run).separability->explanation,
                 std::string("3 rows (nor by the outputs' chunk spec (--chunk-output): no)"));
    }
};

PIPESCOPE_TEST(TestOptionWords)
#include "tst_option_words.moc"
