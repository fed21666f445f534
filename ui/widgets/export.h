// Pictures and tables as files that other programs read. Each is written beside the place it is for and put there when
// it is whole, so that a full disk leaves what was there.
#pragma once

#include "base/result.h"

#include <QList>
#include <QString>

class QAbstractItemModel;

namespace pipescope::widgets {

class Drawable;

/// The largest PNG that is made, in pixels: what a painter can address, and 400 MB of memory.
inline constexpr int MostImageSide = 32'767;
inline constexpr qint64 MostImagePixels = 100'000'000;

/// By the suffix of `path`: .svg (its title and view box set, sizes in CSS pixels) or .png (two pixels for each device
/// independent one). Errors: InvalidArgument for another suffix, for a picture without anything in it, and for a PNG
/// larger than the limits above; WriteFailed.
Status saveDrawing(const Drawable &drawing, const QString &path);

/// csvOf() the whole table, in UTF-8 without a byte order mark. Error: WriteFailed.
Status saveTable(const QAbstractItemModel &table, const QString &path);

/// RFC 4180: a row of headers, then all rows as they are shown, numbers as programs read them ("-1747.5"), lines end in
/// CR LF, and cells with commas, quotes or line ends stand in quotes. Names in a model's file are a stranger's: a cell
/// that begins with = + - @, a tab or a return, and is no number, gets an apostrophe in front, so that no spreadsheet
/// takes it for a formula.
[[nodiscard]] QString csvOf(const QAbstractItemModel &table);

/// These rows likewise, cells apart by tabs (which, like line ends in a cell, become blanks): what spreadsheets and
/// editors paste. Cells are not changed otherwise.
[[nodiscard]] QString tsvOf(const QAbstractItemModel &table, const QList<int> &rows);

} // namespace pipescope::widgets
