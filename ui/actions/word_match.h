// How well a text answers the words somebody types: each word must be found, best at the beginning of a name or of a
// part of one, whole words before the beginnings of longer ones, at worst as letters in order. "h4 attn" finds
// "transformer.h.4.attn".
#pragma once

#include <QString>
#include <QStringList>

namespace pipescope::actions {

/// What is typed, ready to be compared: lower case words.
[[nodiscard]] QStringList wordsOf(const QString &typed);

/// Greater is better; negative where a word is not found. `text` is in lower case.
[[nodiscard]] int matchScore(const QStringList &words, QStringView text);

} // namespace pipescope::actions
