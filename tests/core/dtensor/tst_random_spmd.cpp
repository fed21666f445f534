#include "dtensor/spmd.h"

#include "core/dtensor/random_program.h"

#include "support/test_program.h"

#include <QTest>
#include <atomic>
#include <map>
#include <stdexcept>
#include <thread>

using namespace pipescope;
using namespace pipescope::dtensor;
using namespace pipescope::tests;

namespace {

/// A rank's walk through the program.
class Walk
{
public:
    Walk(const RandomProgram &program, const RankContext &self, unsigned seed)
        : m_program(program)
        , m_self(self)
        , m_random(seed * RandomRanks + static_cast<unsigned>(self.rank.value))
    {
    }

    Status run()
    {
        const int rank = m_self.rank.value;
        for (std::size_t i = 0; i < m_program.steps.size(); ++i) {
            if (!m_program.has(rank, i))
                continue;
            dawdle();
            const bool faulty = rank == m_program.faultyRank && i == m_program.faultyStep;
            if (faulty && m_program.fault == RandomFault::Throws)
                throw std::runtime_error("fell over");
            if (faulty && m_program.fault == RandomFault::Leaves)
                break;
            if (auto done = call(i, faulty && m_program.fault == RandomFault::CallsAnother); !done)
                return done;
        }
        for (auto &[step, pending] : m_pending) {
            const auto result = pending.wait();
            if (!result)
                return result.error();
            compare(step, *result);
        }
        return Success{};
    }

    [[nodiscard]] bool isRight() const { return m_right; }

private:
    Status call(std::size_t i, bool another)
    {
        const RandomStep &step = m_program.steps[i];
        if (another) {
            const bool isBarrier = step.kind == CollectiveKind::Barrier;
            const auto result =
                m_self.run(lineOf(step.line), isBarrier ? allReduce(at::ones({1}), shard::ReduceOp::Sum) : barrier());
            return result ? Status(Success{}) : Status(result.error());
        }
        auto pending = m_self.begin(lineOf(step.line), requestOf(step, i, m_self.rank.value));
        if (!pending)
            return pending.error();
        if (step.later) {
            m_pending.emplace_back(i, *std::move(pending));
            return Success{};
        }
        const auto result = pending->wait();
        if (!result)
            return result.error();
        compare(i, *result);
        return Success{};
    }

    void compare(std::size_t i, const at::Tensor &result)
    {
        const RandomStep &step = m_program.steps[i];
        const auto place = static_cast<std::size_t>(std::find(step.line.begin(), step.line.end(), m_self.rank.value) -
                                                    step.line.begin());
        const at::Tensor expected = expectedOf(step, i, place);
        m_right = m_right && (expected.defined() ? sameBits(result, expected) : !result.defined());
    }

    void dawdle()
    {
        const int pause = std::uniform_int_distribution(0, 40)(m_random);
        if (pause == 0)
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        else if (pause < 10)
            std::this_thread::yield();
    }

    const RandomProgram &m_program;
    const RankContext &m_self;
    std::mt19937 m_random;
    std::vector<std::pair<std::size_t, PendingTensor>> m_pending;
    bool m_right = true;
};

// A rank that leaves, or calls another collective, is missed by whoever shares a line with it.
bool sharesLine(const RandomProgram &program, std::size_t step)
{
    return program.has(program.faultyRank, step) && program.steps[step].line.size() > 1;
}

bool isMissed(const RandomProgram &program)
{
    for (std::size_t i = program.faultyStep; i < program.steps.size(); ++i) {
        if (sharesLine(program, i))
            return true;
    }
    return false;
}

// "" where the run ended as it has to.
std::string faultOf(const RandomProgram &program, const Status &status, bool right)
{
    const std::string rank = "rank " + std::to_string(program.faultyRank);
    const auto endsIn = [&status](ErrorCode code, const std::string &words) -> std::string {
        if (status)
            return "there is no error";
        const Error &error = status.error();
        return error.code == code && error.message.find(words) != std::string::npos ? "" : error.message;
    };
    const auto endsWell = [&]() -> std::string {
        if (!status)
            return status.error().message;
        return right ? "" : "a result is wrong";
    };
    switch (program.fault) {
    case RandomFault::Throws:
        return endsIn(ErrorCode::ModelFailed, rank + ": fell over");
    case RandomFault::Leaves:
        return isMissed(program) ? endsIn(ErrorCode::Deadlock, rank + ", which has ended after ") : endsWell();
    case RandomFault::CallsAnother:
        return sharesLine(program, program.faultyStep) ? endsIn(ErrorCode::InvalidArgument, " called ") : endsWell();
    case RandomFault::None:
        break;
    }
    return endsWell();
}

} // namespace

class TestRandomSpmd : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void randomProgramsEndInTheRightAnswerOrTheRightError()
    {
        auto world = RankWorld::make(RandomRanks);
        QVERIFY(world);
        std::map<RandomFault, int> counts;
        for (unsigned seed = 1; seed <= 1000; ++seed) {
            const RandomProgram program = ProgramMaker(seed).make();
            std::atomic<bool> right = true;
            const Status status = (*world)->run([&](const RankContext &self) {
                Walk walk(program, self, seed);
                const Status done = walk.run();
                if (!walk.isRight())
                    right = false;
                return done;
            });
            const std::string fault = faultOf(program, status, right);
            QVERIFY2(fault.empty(), qPrintable(QString("seed %1: %2").arg(seed).arg(QString::fromStdString(fault))));
            ++counts[program.fault];
        }
        for (const RandomFault fault : {RandomFault::Throws, RandomFault::Leaves, RandomFault::CallsAnother})
            QVERIFY(counts[fault] > 50);
    }
};

PIPESCOPE_TEST(TestRandomSpmd)
#include "tst_random_spmd.moc"
