#include "style/icon.h"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

// A resource of a static library is not there until somebody names it; only outside any namespace can that be done.
static void initIconResource()
{
    Q_INIT_RESOURCE(icons);
}

namespace pipescope::style {

namespace {

constexpr int Size = 16; // device independent pixels

QPixmap pixmap(QByteArray svg, const QColor &colour, int scale)
{
    svg.replace("currentColor", colour.name().toLatin1());
    QSvgRenderer renderer(svg);
    QPixmap drawn(Size * scale, Size * scale);
    drawn.fill(Qt::transparent);
    QPainter painter(&drawn);
    renderer.render(&painter);
    painter.end();
    drawn.setDevicePixelRatio(scale);
    return drawn;
}

} // namespace

QIcon icon(const QString &name, const Theme &theme, Token colour)
{
    initIconResource();
    QFile file(":/pipescope/icons/" + name + ".svg");
    QIcon icon;
    if (!file.open(QIODevice::ReadOnly))
        return icon;
    const QByteArray svg = file.readAll();
    for (const int scale : {1, 2}) {
        icon.addPixmap(pixmap(svg, theme.colour(colour), scale), QIcon::Normal);
        icon.addPixmap(pixmap(svg, theme.colour(Token::Faint), scale), QIcon::Disabled);
    }
    return icon;
}

QIcon programIcon()
{
    initIconResource();
    QIcon icon;
    for (const int size : {48, 128})
        icon.addFile(QString(":/pipescope/icons/pipescope-%1.png").arg(size), {size, size});
    return icon;
}

} // namespace pipescope::style
