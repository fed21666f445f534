#include "plan_options.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "usage_error.h"

#include <QTest>
#include <string>
#include <vector>

using namespace pipescope;

namespace {

/// What the command line of `run` makes of these words after "model.pt".
Result<app::PlanOptions> read(std::vector<std::string> words)
{
    app::PlanOptions options;
    CLI::App app("", "pipescope-cli");
    options.addModelOptions(app, "MODEL");
    options.addSplitOptions(app);
    options.addRunOptions(app);
    words.insert(words.begin(), "model.pt");
    std::vector<std::string> backwards(words.rbegin(), words.rend()); // as CLI11 takes them
    try {
        app.parse(backwards);
    } catch (const CLI::ParseError &error) {
        return app::usageError(app, error);
    }
    return options;
}

} // namespace

class TestNumberOption : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void whatIsNoNumberOrOutOfRangeSaysWhatIsAllowed_data()
    {
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("allowed");
        const std::vector<std::pair<const char *, const char *>> numbers{
            {"--microbatches", "a whole number from 1 to 1000000"},
            {"--threads-per-rank", "a whole number from 1 to 4096"},
            {"--max-in-flight", "a whole number from 0 to 1000000"},
            {"--seed", "a whole number from 0 to 2^64 - 1"},
            {"--rtol", "a finite number that is not negative"},
            {"--atol", "a finite number that is not negative"},
        };
        for (const auto &[option, allowed] : numbers)
            for (const char *text : {"x", "", "-1", "4 ", " 4", "4,5", "0x10", "99999999999999999999e999", "nan"})
                QTest::addRow("%s '%s'", option, text) << option << text << allowed;
        for (const char *option : {"--microbatches", "--threads-per-rank", "--max-in-flight", "--seed"})
            for (const char *text : {"1.5", "1e3", "99999999999999999999"})
                QTest::addRow("%s '%s'", option, text)
                    << option << text
                    << (option == QLatin1String("--seed")               ? "a whole number from 0 to 2^64 - 1"
                        : option == QLatin1String("--threads-per-rank") ? "a whole number from 1 to 4096"
                                                                        : "a whole number from ");
        QTest::newRow("no microbatches") << "--microbatches"
                                         << "0"
                                         << "a whole number from 1 to 1000000";
    }

    void whatIsNoNumberOrOutOfRangeSaysWhatIsAllowed()
    {
        QFETCH(QString, option);
        QFETCH(QString, text);
        QFETCH(QString, allowed);
        const auto options = read({option.toStdString() + "=" + text.toStdString()});
        if (text.isEmpty()) { // "--seed=" is an option without its number
            QVERIFY(!options);
            QCOMPARE(options.error().where, option.toStdString());
            return;
        }
        QVERIFY(!options);
        QVERIFY(options.error().code == ErrorCode::InvalidArgument);
        QCOMPARE(options.error().where, option.toStdString());
        const QString message = QString::fromStdString(options.error().message);
        QVERIFY2(message.startsWith(option + ": expected " + allowed), qPrintable(message));
        QVERIFY2(message.contains(", found '" + text + "' (pipescope-cli --help lists what there is)"),
                 qPrintable(message));
    }

    void numbersAreDecimal()
    {
        const auto options = read({"--microbatches", "010", "--max-in-flight", "0", "--threads-per-rank", "4096",
                                   "--seed", "18446744073709551615", "--rtol", "1.3e-06", "--atol", "0"});
        QVERIFY2(options, options ? "" : options.error().message.c_str());
        QCOMPARE(options->microbatches, std::optional<int>(10));
        QCOMPARE(options->maxInFlight, std::optional<int>(0));
        QCOMPARE(options->threadsPerRank, std::optional<int>(4096));
        QCOMPARE(options->seed, std::optional<std::uint64_t>(18446744073709551615U));
        QCOMPARE(options->rtol, std::optional<double>(1.3e-06));
        QCOMPARE(options->atol, std::optional<double>(0));
    }
};

PIPESCOPE_TEST(TestNumberOption)
#include "tst_number_option.moc"
