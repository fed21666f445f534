#include "checkview/check_text.h"

#include "checkview/difference_table_model.h"
#include "checkview/output_table_model.h"
#include "support/number_columns.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QAbstractItemModelTester>
#include <QTest>
#include <limits>

using namespace pipescope;
using namespace pipescope::checkview;

namespace {

report::RunReport compared(const report::Difference &overall, const std::string &explanation)
{
    report::RunReport run;
    run.equivalence.emplace();
    run.equivalence->overall = overall;
    run.equivalence->explanation = explanation;
    return run;
}

report::RunReport joined(const report::Separability &separability)
{
    report::RunReport run;
    run.separability = separability;
    return run;
}

} // namespace

class TestCheckText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void withoutACheckNothingIsClaimed()
    {
        const report::RunReport run;
        QCOMPARE(equivalent(run).word, QString("not asked"));
        QCOMPARE(equivalent(run).verdict, Verdict::Unknown);
        QCOMPARE(separable(run).word, QString("not asked"));
        report::RunReport unknown;
        unknown.separabilityUnknown = "The whole batch does not fit into memory.";
        QCOMPARE(separable(unknown).word, QString("not known"));
        QCOMPARE(separable(unknown).explanation, QString("The whole batch does not fit into memory."));
    }

    void theThreeAnswersToTheFirstQuestionDiffer()
    {
        report::Difference difference;
        QCOMPARE(equivalent(compared(difference, "")), (Answer{Verdict::Good, "yes (bitwise)", ""}));
        difference.bitwise = false;
        difference.maxAbsError = 1.5e-7;
        difference.maxRelError = 2e-6;
        QCOMPARE(equivalent(compared(difference, "")),
                 (Answer{Verdict::Good, "yes (within tolerance)", "Largest difference 1.5e−07, relative 2e−06."}));
        difference.equal = false;
        difference.maxAbsError = std::numeric_limits<double>::infinity();
        QCOMPARE(equivalent(compared(difference, "The shapes differ.")),
                 (Answer{Verdict::Bad, "no", "Largest difference infinite, relative 2e−06. The shapes differ."}));
    }

    void whatBecameOfTheStageFilesIsSaid()
    {
        using Found = plan::StageFiles::Answer;
        QCOMPARE(asSaved({Found::AsWritten, {"stage0.pt", "stage1.pt"}, {}}),
                 (Answer{Verdict::Good, "yes (2 files)", ""}));
        QCOMPARE(asSaved({Found::AsWritten, {"stage0.pt"}, {}}).word, QString("yes (1 file)"));
        QCOMPARE(asSaved({Found::Changed, {"stage0.pt"}, "stage0.pt is missing"}),
                 (Answer{Verdict::Bad, "no", "stage0.pt is missing"}));
        QCOMPARE(asSaved({Found::Unknown, {"stage0.pt"}, "stages.json has no hashes; split again"}),
                 (Answer{Verdict::Unknown, "not looked at", "stages.json has no hashes; split again"}));
    }

    void theSecondAnswerNamesTheCause()
    {
        report::Separability separability;
        QCOMPARE(separable(joined(separability)), (Answer{Verdict::Good, "yes (bitwise)", ""}));
        separability.bitwise = false;
        separability.noiseFloor = 3e-6;
        separability.relL2 = 2e-6;
        QCOMPARE(separable(joined(separability)),
                 (Answer{Verdict::Good, "yes",
                         "Largest difference from the whole batch 0, in relative L2 2e−06; noise alone makes 3e−06."}));
        separability.holds = false;
        separability.maxAbsError = 0.96;
        separability.relL2 = 0.5;
        separability.explanation = "fc quantizes dynamically";
        QCOMPARE(separable(joined(separability)),
                 (Answer{Verdict::Bad, "no",
                         "fc quantizes dynamically. Largest difference from the whole batch 0.96, in relative L2 0.5; "
                         "noise alone makes 3e−06."}));
    }

    void theTimesOfBothAreCompared()
    {
        report::RunReport run;
        QCOMPARE(timesText(run), QString());
        run.stats.makespanSeconds = 0.01;
        QCOMPARE(timesText(run), QString("The pipeline took 10.0 ms."));
        run.unsplitSeconds = 0.034;
        QCOMPARE(timesText(run), QString("The unsplit model took 34.0 ms, the pipeline 10.0 ms: 3.40 times as fast."));
    }

    void whatIsComparedWithWhatIsTold()
    {
        report::RunReport run;
        QCOMPARE(basisText(run), QString());
        run.equivalence.emplace();
        QCOMPARE(basisText(run), QString("Tolerance: none, every bit counts."));
        run.equivalence->reference = "the unsplit model on the same microbatches";
        run.plan.rtol = 1e-5;
        run.plan.atol = 0;
        QCOMPARE(basisText(run), QString("Compared with the unsplit model on the same microbatches. "
                                         "Tolerance: relative 1e−05, absolute 0."));
    }

    void theOutputThatMayNotBePutTogetherIsNamed()
    {
        report::Separability separability;
        separability.holds = false;
        separability.maxAbsError = 0.5;
        separability.explanation = "the node mixes rows";
        separability.output = "output";
        const QString rest = ", in relative L2 0; noise alone makes 0.";
        QCOMPARE(separable(joined(separability)).explanation,
                 "the node mixes rows. Largest difference from the whole batch 0.5" + rest);
        separability.output = "output[1]['h']";
        QCOMPARE(separable(joined(separability)).explanation,
                 "the node mixes rows. Largest difference from the whole batch 0.5 (output[1]['h'])" + rest);
        separability.part = "column 4";
        QCOMPARE(separable(joined(separability)).explanation,
                 "the node mixes rows. Largest difference from the whole batch 0.5 (output[1]['h'], column 4)" + rest);
    }

    void outputsThatCannotBeJoinedDifferByNoNumber()
    {
        report::Separability separability;
        separability.holds = false;
        separability.maxAbsError = std::numeric_limits<double>::infinity();
        separability.explanation = "an output has no batch dimension";
        QCOMPARE(separable(joined(separability)), (Answer{Verdict::Bad, "no", "an output has no batch dimension."}));
        separability.output = "output[1]";
        QCOMPARE(separable(joined(separability)).explanation, QString("an output has no batch dimension (output[1])."));
    }

    void outputsAreRowsOfATable()
    {
        OutputTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        report::OutputEquivalence same;
        same.name = "output[0]";
        report::OutputEquivalence near = same;
        near.name = "output[1]";
        near.difference.bitwise = false;
        near.difference.maxAbsError = 1e-7;
        near.rtol = 1.3e-6;
        near.atol = 1e-5;
        near.worst = MicrobatchId{0};
        report::OutputEquivalence wrong = near;
        wrong.name = "output[2]['boxes']";
        wrong.difference = {false, false, 2, 0.5, "values", "at (3, 17): expected 4, got 6"};
        wrong.rtol = wrong.atol = 0;
        wrong.worst = MicrobatchId{3};
        wrong.first.emplace().nodeName = "head/aten::linear";
        model.show({same, near, wrong});
        QStringList cells;
        for (int row = 0; row < model.rowCount(); ++row)
            for (int column = 0; column < model.columnCount(); ++column)
                cells << model.index(row, column).data().toString();
        const QStringList first{"output[0]", "bitwise", "0", "0", "exact", "", "", "none", ""};
        const QStringList second{"output[1]", "within tolerance", "1e−07", "0", "1.3e−06, 1e−05", "0", "", "none", ""};
        const QStringList third{
            "output[2]['boxes']",           "no", "2", "0.5", "exact", "3", "head/aten::linear", "values",
            "at (3, 17): expected 4, got 6"};
        QCOMPARE(cells, first + second + third);
        QCOMPARE(model.index(2, OutputTableModel::Worst).data(Qt::ToolTipRole).toString(), third.last());
        model.show({});
        QCOMPARE(model.rowCount(), 0);
    }

    void outputsThatAreLeftOutAreCounted()
    {
        report::Equivalence equivalence;
        QCOMPARE(outputsTitle(equivalence), QString("By output"));
        equivalence.moreOutputs = 4000;
        QCOMPARE(outputsTitle(equivalence), QString("By output; 4000 more are not listed"));
    }

    void microbatchesAreRowsOfATable()
    {
        DifferenceTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        report::Difference rounding;
        rounding.bitwise = false;
        rounding.maxAbsError = 1e-7;
        report::Difference wrong = rounding;
        wrong.equal = false;
        wrong.kind = "values";
        wrong.worst = "at (3, 17): expected 1.5, got 2.5";
        model.show({{}, rounding, wrong});
        const auto cell = [&](int row, int column) { return model.index(row, column).data().toString(); };
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(tests::numberColumns(model), QString("largest error|relative"));
        QCOMPARE(cell(0, DifferenceTableModel::Equal), QString("bitwise"));
        QCOMPARE(cell(1, DifferenceTableModel::Equal), QString("within tolerance"));
        QCOMPARE(cell(1, DifferenceTableModel::MaxAbsError), QString("1e−07"));
        QCOMPARE(cell(2, DifferenceTableModel::Equal), QString("no"));
        QCOMPARE(cell(2, DifferenceTableModel::Worst), QString("at (3, 17): expected 1.5, got 2.5"));
        model.show({});
        QCOMPARE(model.rowCount(), 0);
    }
};

PIPESCOPE_TEST(TestCheckText)
#include "tst_check_text.moc"
