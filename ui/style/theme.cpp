#include "style/theme.h"

#include "base/error.h"

#include <QFile>
#include <QPalette>
#include <nlohmann/json.hpp>

// A resource of a static library is not there until somebody names it; only outside any namespace can that be done.
static void initThemeResource()
{
    Q_INIT_RESOURCE(theme);
}

namespace pipescope::style {

namespace {

constexpr std::array<std::string_view, TokenCount> TokenNames{
    "window", "panel", "canvas", "raised", "line", "grid", "text",
    "dim",    "faint", "accent", "warn",   "bad",  "good", "ink",
};
constexpr std::array<std::string_view, ActionColourCount> ActionNames{
    "forward", "backward", "weight-gradient", "send", "receive",
};

/// The table is part of the program: a fault in it is one of ours.
const nlohmann::json &table()
{
    static const nlohmann::json read = [] {
        initThemeResource();
        QFile file(QStringLiteral(":/pipescope/theme.json"));
        PIPESCOPE_ASSERT(file.open(QIODevice::ReadOnly));
        return nlohmann::json::parse(file.readAll().toStdString());
    }();
    return read;
}

QColor colourOf(const nlohmann::json &text)
{
    const QColor colour(QString::fromStdString(text.get<std::string>()));
    PIPESCOPE_ASSERT(colour.isValid());
    return colour;
}

} // namespace

Theme::Theme(std::size_t column)
{
    for (std::size_t i = 0; i < TokenCount; ++i)
        m_tokens[i] = colourOf(table().at("tokens").at(std::string(TokenNames[i])).at(column));
    for (const nlohmann::json &stage : table().at("stages"))
        m_stages.push_back(colourOf(stage));
    for (std::size_t i = 0; i < ActionColourCount; ++i)
        m_actions[i] = colourOf(table().at("actions").at(std::string(ActionNames[i])));
}

const Theme &Theme::dark()
{
    static const Theme theme(0);
    return theme;
}

const Theme &Theme::light()
{
    static const Theme theme(1);
    return theme;
}

QColor Theme::colour(StageId stage) const
{
    return stage.valid() ? m_stages[stage.index() % m_stages.size()] : colour(Token::Raised);
}

Qt::BrushStyle Theme::patternOf(StageId stage)
{
    constexpr std::array patterns{Qt::NoBrush,    Qt::BDiagPattern, Qt::FDiagPattern, Qt::DiagCrossPattern,
                                  Qt::HorPattern, Qt::VerPattern,   Qt::CrossPattern};
    const std::size_t round = stage.valid() ? stage.index() / dark().m_stages.size() : 0;
    return patterns[round % patterns.size()];
}

QPalette Theme::palette() const
{
    QPalette palette;
    palette.setColor(QPalette::Window, colour(Token::Window));
    palette.setColor(QPalette::WindowText, colour(Token::Text));
    palette.setColor(QPalette::Base, colour(Token::Canvas));
    palette.setColor(QPalette::AlternateBase, colour(Token::Panel));
    palette.setColor(QPalette::Text, colour(Token::Text));
    palette.setColor(QPalette::PlaceholderText, colour(Token::Dim));
    palette.setColor(QPalette::Button, colour(Token::Raised));
    palette.setColor(QPalette::ButtonText, colour(Token::Text));
    // What Fusion draws frames and check boxes with.
    palette.setColor(QPalette::Light, colour(Token::Raised));
    palette.setColor(QPalette::Midlight, colour(Token::Line));
    palette.setColor(QPalette::Mid, colour(Token::Line));
    palette.setColor(QPalette::Dark, colour(Token::Line));
    palette.setColor(QPalette::Shadow, colour(Token::Window));
    palette.setColor(QPalette::ToolTipBase, colour(Token::Raised));
    palette.setColor(QPalette::ToolTipText, colour(Token::Text));
    palette.setColor(QPalette::Highlight, colour(Token::Accent));
    palette.setColor(QPalette::HighlightedText, colour(Token::Canvas));
    palette.setColor(QPalette::Link, colour(Token::Accent));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, colour(Token::Faint));
    return palette;
}

QString Theme::styleSheet() const
{
    return QStringLiteral("QAbstractItemView::indicator { width: 12px; height: 12px; border: 1px solid %1; }"
                          "QAbstractItemView::indicator:disabled { border-color: %2; }"
                          "QAbstractItemView::indicator:checked { background: %3; border-color: %3; }")
        .arg(colour(Token::Dim).name(), colour(Token::Line).name(), colour(Token::Accent).name());
}

std::string_view tokenName(Token token)
{
    return TokenNames[static_cast<std::size_t>(token)];
}

} // namespace pipescope::style
