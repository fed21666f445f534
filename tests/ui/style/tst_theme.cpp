#include "style/theme.h"

#include "support/contrast.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QPalette>
#include <QTest>

using namespace pipescope;
using style::Theme;
using style::Token;

namespace {

const std::array Themes{&Theme::dark(), &Theme::light()};

} // namespace

class TestTheme : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void textCanBeReadOnEveryGround()
    {
        for (const Theme *theme : Themes)
            for (const Token ground : {Token::Window, Token::Panel, Token::Canvas, Token::Raised}) {
                const QByteArray where(style::tokenName(ground).data());
                QVERIFY2(tests::contrast(theme->colour(Token::Text), theme->colour(ground)) >= 7, where);
                QVERIFY2(tests::contrast(theme->colour(Token::Dim), theme->colour(ground)) >= 4.5, where);
                for (const Token word : {Token::Accent, Token::Warn, Token::Bad, Token::Good})
                    QVERIFY2(tests::contrast(theme->colour(word), theme->colour(ground)) >= 4,
                             where + " " + style::tokenName(word).data());
            }
    }

    void inkCanBeReadOnStagesAndActions()
    {
        for (const Theme *theme : Themes) {
            for (int stage = 0; stage < 8; ++stage)
                QVERIFY(tests::contrast(theme->colour(Token::Ink), theme->colour(StageId{stage})) >= 6.5);
            for (std::size_t action = 0; action < style::ActionColourCount; ++action)
                QVERIFY(tests::contrast(theme->colour(Token::Ink),
                                        theme->colour(static_cast<style::ActionColour>(action))) >= 6.5);
        }
    }

    void stagesThatShareAColourHaveOtherPatterns()
    {
        for (int stage = 0; stage < 56; ++stage)
            for (int other = stage + 1; other < 56; ++other) {
                const bool sameColour = Theme::dark().colour(StageId{stage}) == Theme::dark().colour(StageId{other});
                const bool samePattern = Theme::patternOf(StageId{stage}) == Theme::patternOf(StageId{other});
                QVERIFY2(!(sameColour && samePattern), qPrintable(QString("%1 %2").arg(stage).arg(other)));
            }
        QCOMPARE(Theme::patternOf(StageId{7}), Qt::NoBrush);
        QCOMPARE(Theme::patternOf(StageId{}), Qt::NoBrush);
    }

    void aRankHasTheColourAndThePatternOfItsNumber()
    {
        for (int number = -1; number < 20; ++number) {
            QCOMPARE(Theme::dark().colour(RankId{number}), Theme::dark().colour(StageId{number}));
            QCOMPARE(Theme::patternOf(RankId{number}), Theme::patternOf(StageId{number}));
        }
    }

    void theTwoThemesDiffer()
    {
        QVERIFY(Theme::dark().colour(Token::Canvas).lightness() < 64);
        QVERIFY(Theme::light().colour(Token::Canvas).lightness() > 192);
        QCOMPARE(Theme::dark().palette().color(QPalette::Base), Theme::dark().colour(Token::Canvas));
    }
};

PIPESCOPE_TEST(TestTheme)
#include "tst_theme.moc"
