#include "actions/word_match.h"

#include <algorithm>

namespace pipescope::actions {

namespace {

constexpr int None = -1;
constexpr int WordAtStart = 110;
constexpr int AtStart = 100;   ///< of a longer word
constexpr int WordAtPart = 90; ///< after a dot, a slash, a blank
constexpr int AtPart = 80;
constexpr int Inside = 60;
constexpr int Letters = 20;  ///< in order, with others between: far below, so that being a command does not lift them
constexpr int MostGaps = 19; ///< beyond which more do not count

bool beginsPart(QStringView text, qsizetype at)
{
    return at > 0 && !text[at - 1].isLetterOrNumber();
}

bool endsPart(QStringView text, qsizetype end)
{
    return end == text.size() || !text[end].isLetterOrNumber();
}

int lettersInOrder(QStringView word, QStringView text)
{
    qsizetype at = -1;
    int gaps = 0;
    for (const QChar letter : word) {
        const qsizetype next = text.indexOf(letter, at + 1);
        if (next < 0)
            return None;
        if (at >= 0 && next != at + 1 && !beginsPart(text, next))
            ++gaps;
        at = next;
    }
    return Letters - std::min(gaps, MostGaps);
}

int wordScore(QStringView word, QStringView text)
{
    qsizetype at = text.indexOf(word);
    if (at < 0)
        return lettersInOrder(word, text);
    int best = Inside;
    for (; at >= 0 && best < WordAtPart; at = text.indexOf(word, at + 1)) {
        const bool isWhole = endsPart(text, at + word.size());
        if (at == 0)
            best = isWhole ? WordAtStart : AtStart;
        else if (beginsPart(text, at))
            best = std::max(best, isWhole ? WordAtPart : AtPart);
    }
    return best;
}

} // namespace

QStringList wordsOf(const QString &typed)
{
    return typed.toLower().split(' ', Qt::SkipEmptyParts);
}

int matchScore(const QStringList &words, QStringView text)
{
    constexpr int most = 1000;
    int score = 0;
    for (const QString &word : words) {
        const int one = wordScore(word, text);
        if (one < 0)
            return None;
        score += one;
    }
    // Among equals the shorter text is the closer answer; without words the order stays.
    return words.isEmpty() ? 0 : score * most - static_cast<int>(std::min<qsizetype>(text.size(), most - 1));
}

} // namespace pipescope::actions
