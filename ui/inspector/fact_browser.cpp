#include "inspector/fact_browser.h"

#include "style/stage_chip.h"

#include <QEvent>
#include <QFontDatabase>
#include <QFontMetrics>
#include <QImage>
#include <QPainter>
#include <QTextDocument>
#include <algorithm>
#include <cmath>

namespace pipescope::inspector {

namespace {

constexpr int LabelWidth = 92;
constexpr int TitlePixels = 14;
constexpr int ChipHeight = 14;
constexpr int ChipScale = 3; ///< pixels of a chip's picture, for screens of any
constexpr auto FoldScheme = "fold";
constexpr auto ChipName = "stage";

} // namespace

FactBrowser::FactBrowser(QWidget *parent)
    : QTextBrowser(parent)
{
    setObjectName("facts");
    setAccessibleName(tr("Facts"));
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    viewport()->setAutoFillBackground(false);
    document()->setDocumentMargin(0);
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl &address) {
        if (address.scheme() == QLatin1String(FoldScheme))
            return unfold(address.path().toInt());
        const auto number = address.toString().toULongLong();
        if (number < m_links.size())
            Q_EMIT followed(session::Selected(m_links[number])); // a copy: what follows may write anew
    });
}

void FactBrowser::show(const FactSheet &sheet)
{
    if (sheet == m_sheet && !document()->isEmpty())
        return;
    if (sheet.title != m_sheet.title)
        m_unfolded.clear();
    m_sheet = sheet;
    write();
}

// Tab goes on from where the list was folded.
void FactBrowser::unfold(int fold)
{
    const int place = textCursor().selectionStart();
    m_unfolded.insert(fold);
    write();
    QTextCursor cursor(document());
    cursor.setPosition(std::min(place, document()->characterCount() - 1));
    setTextCursor(cursor);
}

void FactBrowser::resizeEvent(QResizeEvent *event)
{
    QTextBrowser::resizeEvent(event);
    fit();
}

void FactBrowser::changeEvent(QEvent *event)
{
    QTextBrowser::changeEvent(event);
    // The text holds colours of the palette.
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        write();
}

void FactBrowser::write()
{
    m_links.clear();
    m_folds = 0;
    const QString dim = palette().color(QPalette::PlaceholderText).name();
    const QString fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont).family();
    QString text;
    if (!m_sheet.title.isEmpty())
        text += QStringLiteral("<p style='margin:0 0 2px 0; font-size:%1px; font-weight:600'>%2</p>")
                    .arg(TitlePixels)
                    .arg((m_sheet.stage.valid() ? chipHtml(m_sheet.stage) : QString()) + m_sheet.title.toHtmlEscaped());
    if (!m_sheet.subtitle.empty())
        text += QStringLiteral("<p style='margin:0; color:%1'>%2</p>")
                    .arg(dim, html(m_sheet.subtitle, QStringLiteral(" · ")));
    text += QStringLiteral("<table cellspacing='0' cellpadding='2' style='margin-top:8px; margin-left:-2px'>");
    for (const Fact &fact : m_sheet.facts)
        text += QStringLiteral("<tr><td width='%1' style='color:%2'>%3</td><td style='%4'>%5</td></tr>")
                    .arg(LabelWidth)
                    .arg(dim, fact.label.toHtmlEscaped(),
                         fact.isCode ? QStringLiteral("font-family:\"%1\"").arg(fixed) : QString(),
                         html(fact.words, QStringLiteral("<br>")));
    text += QStringLiteral("</table>");
    for (const Onward &onward : m_sheet.onward)
        text += QStringLiteral("<p style='margin:8px 0 2px 0; font-weight:600'>%1</p>"
                               "<p style='margin:0; font-family:\"%2\"'>%3</p>")
                    .arg(onward.title.toHtmlEscaped(), fixed, html(onward.links, QStringLiteral("<br>")));
    setHtml(text);
    fit();
}

void FactBrowser::fit()
{
    document()->setTextWidth(viewport()->width());
    setFixedHeight(static_cast<int>(std::ceil(document()->size().height())));
}

QString FactBrowser::linkHtml(const QString &address, const QString &text) const
{
    return QStringLiteral("<a href='%1' style='color:%2; text-decoration:none'>%3</a>")
        .arg(address, palette().color(QPalette::Link).name(), text.toHtmlEscaped());
}

QString FactBrowser::html(const Words &words)
{
    if (!words.link)
        return words.text.toHtmlEscaped();
    m_links.push_back(*words.link);
    const QString link = linkHtml(QString::number(m_links.size() - 1), words.text);
    const auto stage = session::idIn<StageId>(*words.link);
    return stage.valid() ? chipHtml(stage) + link : link;
}

QString FactBrowser::foldHtml(const Words &words, const QString &between)
{
    const int fold = m_folds++;
    return m_unfolded.contains(fold)
               ? html(words.folded, between)
               : linkHtml(QStringLiteral("%1:%2").arg(QLatin1String(FoldScheme)).arg(fold), words.text);
}

// A picture: a ground of text has no pattern.
QString FactBrowser::chipHtml(StageId stage)
{
    const QString name = QStringLiteral("%1/%2").arg(QLatin1String(ChipName)).arg(stage.value);
    const QString number = QString::number(stage.value);
    QFont small = font();
    small.setPixelSize(ChipHeight - 4);
    const int width = std::max(ChipHeight, QFontMetrics(small).horizontalAdvance(number) + 8);
    QImage chip(QSize(width, ChipHeight) * ChipScale, QImage::Format_ARGB32_Premultiplied);
    chip.fill(Qt::transparent);
    QPainter painter(&chip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(ChipScale, ChipScale);
    style::paintStageChip(painter, QRectF(0, 0, width, ChipHeight), stage, number, small);
    painter.end();
    document()->addResource(QTextDocument::ImageResource, QUrl(name), chip);
    return QStringLiteral("<img src='%1' width='%2' height='%3' style='vertical-align:middle'>&nbsp;")
        .arg(name)
        .arg(width)
        .arg(ChipHeight);
}

QString FactBrowser::html(const std::vector<Words> &words, const QString &between)
{
    QStringList parts;
    for (const Words &each : words)
        parts += each.folded.empty() ? html(each) : foldHtml(each, between);
    return parts.join(between);
}

} // namespace pipescope::inspector
