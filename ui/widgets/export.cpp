#include "widgets/export.h"

#include "base/file.h"
#include "widgets/drawable.h"
#include "widgets/translate.h"

#include <QAbstractItemModel>
#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>
#include <cmath>
#include <string_view>

namespace pipescope::widgets {

namespace {

constexpr int PixelsPerPoint = 2;
constexpr int CssDotsPerInch = 96;

Error error(ErrorCode code, const QString &message, const QString &where)
{
    return {code, message.toStdString(), where.toStdString(), {}};
}

Status write(const QString &path, const QByteArray &bytes)
{
    return writeFile(path.toStdString(), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

/// Some versions of Qt write titles as they are and some escape them: what would be markup is left out.
QString titleOf(const Drawable &drawing)
{
    QString title = drawing.drawnName();
    title.removeIf([](QChar c) { return c == '<' || c == '>' || c == '&' || c < ' '; });
    return title;
}

Status saveSvg(const Drawable &drawing, const QSize &size, const QString &path)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setTitle(titleOf(drawing));
    generator.setDescription(tr("Drawn by Pipescope"));
    generator.setResolution(CssDotsPerInch);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(0, 0), size));
    QPainter painter(&generator);
    drawing.draw(painter);
    painter.end();
    return write(path, bytes);
}

Status savePng(const Drawable &drawing, const QSize &size, const QString &path)
{
    const qint64 width = qint64{size.width()} * PixelsPerPoint;
    const qint64 height = qint64{size.height()} * PixelsPerPoint;
    if (width > MostImageSide || height > MostImageSide || width * height > MostImagePixels)
        return error(
            ErrorCode::InvalidArgument,
            tr("The picture would have %1 x %2 pixels; a PNG may have %3 each way and %4 million in all. Export "
               "it as SVG, which has no limit.")
                .arg(width)
                .arg(height)
                .arg(MostImageSide)
                .arg(MostImagePixels / 1'000'000),
            path);
    QImage image(size * PixelsPerPoint, QImage::Format_ARGB32_Premultiplied);
    if (image.isNull())
        return error(ErrorCode::OutOfResources,
                     tr("There is no memory for a picture of %1 x %2 pixels. Export it as SVG.").arg(width).arg(height),
                     path);
    image.setDevicePixelRatio(PixelsPerPoint);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    drawing.draw(painter);
    painter.end();
    image.setText(QStringLiteral("Title"), drawing.drawnName());
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (!image.save(&buffer, "PNG"))
        return error(ErrorCode::OutOfResources, tr("The picture cannot be packed as PNG."), path);
    return write(path, bytes);
}

bool looksLikeFormula(const QString &cell)
{
    if (cell.isEmpty() || !QStringLiteral("=+-@\t\r").contains(cell.front()))
        return false;
    bool isNumber = false;
    cell.toDouble(&isNumber);
    return !isNumber;
}

QString csvCell(QString cell)
{
    if (looksLikeFormula(cell))
        cell.prepend('\'');
    const bool plain = !cell.contains(',') && !cell.contains('"') && !cell.contains('\n') && !cell.contains('\r');
    return plain ? cell : '"' + cell.replace('"', QLatin1String("\"\"")) + '"';
}

/// As it is shown, but for typography: programs read "-1747.5", with neither a minus sign nor blanks at the thousands.
QString shown(const QAbstractItemModel &table, int row, int column)
{
    QString cell = table.index(row, column).data(Qt::DisplayRole).toString();
    cell.replace(QChar(0x2212), '-');
    for (qsizetype at = cell.indexOf(QChar(0x202f), 1); at > 0; at = cell.indexOf(QChar(0x202f), at + 1))
        if (cell[at - 1].isDigit() && at + 1 < cell.size() && cell[at + 1].isDigit())
            cell.remove(at, 1);
    return cell;
}

} // namespace

Status saveDrawing(const Drawable &drawing, const QString &path)
{
    const QSizeF exact = drawing.drawnSize();
    if (exact.isEmpty())
        return error(ErrorCode::InvalidArgument, tr("There is nothing to draw yet."), path);
    const QSize size(static_cast<int>(std::ceil(exact.width())), static_cast<int>(std::ceil(exact.height())));
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == QLatin1String("svg"))
        return saveSvg(drawing, size, path);
    if (suffix == QLatin1String("png"))
        return savePng(drawing, size, path);
    return error(
        ErrorCode::InvalidArgument,
        tr("'%1' ends neither in .svg nor in .png, which are the kinds of pictures that can be written.").arg(path),
        path);
}

Status saveTable(const QAbstractItemModel &table, const QString &path)
{
    return write(path, csvOf(table).toUtf8());
}

QString csvOf(const QAbstractItemModel &table)
{
    const int columns = table.columnCount();
    QString text;
    const auto addRow = [&](const auto &cellOf) {
        for (int column = 0; column < columns; ++column) {
            if (column > 0)
                text += ',';
            text += csvCell(cellOf(column));
        }
        text += QLatin1String("\r\n");
    };
    addRow([&](int column) { return table.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(); });
    for (int row = 0; row < table.rowCount(); ++row)
        addRow([&](int column) { return shown(table, row, column); });
    return text;
}

QString tsvOf(const QAbstractItemModel &table, const QList<int> &rows)
{
    QStringList lines;
    for (const int row : rows) {
        QStringList cells;
        for (int column = 0; column < table.columnCount(); ++column) {
            QString cell = shown(table, row, column);
            for (const char16_t separator : {u'\t', u'\n', u'\r'})
                cell.replace(QChar(separator), QChar(u' '));
            cells += cell;
        }
        lines += cells.join('\t');
    }
    return lines.join('\n');
}

} // namespace pipescope::widgets
