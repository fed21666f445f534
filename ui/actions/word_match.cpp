#include "actions/word_match.h"

#include <algorithm>

namespace pipescope::actions {

namespace {

constexpr int None = -1;
constexpr int AtStart = 100;
constexpr int AtPart = 80; ///< after a dot, a slash, a blank
constexpr int Inside = 50;
constexpr int Letters = 20;  ///< in order, with others between
constexpr int MostGaps = 19; ///< beyond which more do not count

bool beginsPart(QStringView text, qsizetype at)
{
    return at > 0 && !text[at - 1].isLetterOrNumber();
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
    if (at == 0)
        return AtStart;
    for (; at >= 0; at = text.indexOf(word, at + 1))
        if (beginsPart(text, at))
            return AtPart;
    return Inside;
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
