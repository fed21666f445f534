// Divisions of whole numbers for which LibTorch's own operators end the program.
#include "exec/model_state.h"
#include "exec/node_stepper.h"
#include "exec_models.h"
#include "support/test_program.h"

#include <QTest>
#include <cstdint>
#include <limits>

using namespace pipescope;
using namespace pipescope::exec;
using namespace pipescope::test;

namespace {

constexpr std::int64_t Smallest = std::numeric_limits<std::int64_t>::min();

Module dividing(const std::string &lines)
{
    Module module = makeModule("Divides");
    module.define("def aside(self, a: int, b: int) -> int:\n    return a % b\n\n"
                  "def forward(self, x: Tensor, a: int, b: int) -> Tensor:\n" +
                      lines,
                  std::make_shared<ForkResolver>());
    return module;
}

std::string messageOf(const Error &error)
{
    return error.where + ": " + error.message;
}

} // namespace

class TestDivisionGuard : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aDivisionThatWouldEndTheProgramFails_data()
    {
        QTest::addColumn<QString>("lines");
        QTest::addColumn<qint64>("a");
        QTest::addColumn<qint64>("b");
        QTest::addColumn<QString>("where");
        const auto row = [](const char *name, const char *lines, std::int64_t a, std::int64_t b, const char *where) {
            QTest::newRow(name) << lines << static_cast<qint64>(a) << static_cast<qint64>(b) << where;
        };
        row("remainder of zero", "    return x * (a % b)\n", 10, 0, "aten::remainder");
        row("remainder of the constant zero", "    return x * (a % 0)\n", 10, 1, "aten::remainder");
        row("remainder of the smallest number", "    return x * (a % b)\n", Smallest, -1, "aten::remainder");
        row("quotient of zero", "    return x * (a // b)\n", 10, 0, "aten::floordiv");
        row("quotient of the smallest number", "    return x * (a // b)\n", Smallest, -1, "aten::floordiv");
        row("both at once", "    c, d = divmod(a, b)\n    return x * (c + d)\n", 10, 0, "aten::divmod");
        row("in an if", "    if a > 1:\n        x = x * (a % b)\n    return x\n", 10, 0, "aten::remainder");
        row("in a loop, at its end", "    for i in range(3):\n        x = x * (a % (2 - i))\n    return x\n", 10, 0,
            "aten::remainder");
        row("in code that runs aside", "    return x * torch.wait(fork(self.aside, a, b))\n", 10, 0, "aten::wait");
    }

    void aDivisionThatWouldEndTheProgramFails()
    {
        QFETCH(QString, lines);
        QFETCH(qint64, a);
        QFETCH(qint64, b);
        QFETCH(QString, where);
        const auto model = imported(dividing(lines.toStdString()));
        const Values arguments{wave({2}), static_cast<std::int64_t>(a), static_cast<std::int64_t>(b)};
        const auto program = must(StageProgram::buildWhole(model, heldBy(model)));
        const auto run = program.run(arguments, {MicrobatchId{0}, 0, {}, nullptr});
        QVERIFY(!run);
        QCOMPARE(run.error().code, ErrorCode::ModelFailed);
        QVERIFY2(messageOf(run.error()).starts_with(where.toStdString()), messageOf(run.error()).c_str());
        const std::string why = b == -1 ? "the smallest 64-bit integer is divided by -1" : "modulo by zero";
        QVERIFY2(run.error().message.find(why) != std::string::npos, messageOf(run.error()).c_str());
        const auto stepped = must(NodeStepper::build(model)).run(arguments, {});
        QVERIFY(!stepped);
        QCOMPARE(stepped.error().code, ErrorCode::ModelFailed);
    }

    void otherDivisionsGiveWhatTheyAlwaysGave()
    {
        Module module = dividing("    for i in range(3):\n        if i > 0:\n            x = x + (a % b) // i\n"
                                 "    return x * torch.wait(fork(self.aside, a, b)) + a % -1 + 7.5 % b\n");
        const auto model = imported(module);
        const auto program = must(StageProgram::buildWhole(model, heldBy(model)));
        for (const std::int64_t b : {-7, -1, 3}) {
            const Values arguments{wave({2}), std::int64_t{100}, b};
            QVERIFY(
                same(must(program.run(arguments, {MicrobatchId{0}, 0, {}, nullptr}))[0], module.forward(arguments)));
        }
    }

    void theModelIsOnlyRead()
    {
        const auto model = imported(dividing("    return x * torch.wait(fork(self.aside, a, b)) + a % b\n"));
        const std::string before = model.lowered->toString(false);
        must(StageProgram::buildWhole(model, heldBy(model)));
        QCOMPARE(model.lowered->toString(false), before);
        QVERIFY(before.find("pipescope::divides") == std::string::npos);
    }
};

PIPESCOPE_TEST(TestDivisionGuard)
#include "tst_division_guard.moc"
