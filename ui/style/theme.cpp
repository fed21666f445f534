#include "style/theme.h"

#include "base/error.h"

#include <QFile>
#include <QPalette>
#include <nlohmann/json.hpp>
#include <string>

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
    // Written with the tokens' names, as @name, in the table's own words.
    QString sheet = QStringLiteral(R"(
QAbstractItemView::indicator, QCheckBox::indicator { width: 12px; height: 12px; border: 1px solid @dim; }
QAbstractItemView::indicator:disabled, QCheckBox::indicator:disabled { border-color: @line; }
QAbstractItemView::indicator:checked, QCheckBox::indicator:checked { background: @accent; border-color: @accent; }
QCheckBox::indicator:checked:disabled { background: @line; border-color: @line; }
QCheckBox::indicator:hover:enabled { border-color: @text; }
QMainWindow::separator { background: @line; width: 1px; height: 1px; }
QTabBar { background: @window; }
QTabBar::tab { padding: 6px 12px; border: none; border-bottom: 2px solid @window; background: @window; color: @dim; }
QTabBar::tab:selected { color: @text; border-bottom-color: @accent; }
QTabBar::tab:hover, QTabBar::tab:focus { color: @text; }
QTabBar::tab:disabled { color: @faint; }
QTabWidget::pane { border: none; border-top: 1px solid @line; }
QHeaderView { background: @panel; border: none; }
QHeaderView::section { background: @panel; color: @dim; border: none; border-bottom: 1px solid @line;
  padding: 4px 8px; }
QHeaderView::section:hover { color: @text; }
QTableView { border: none; }
QTableView:focus { outline: none; }
QPushButton { background: @raised; border: 1px solid @line; border-radius: 5px; padding: 4px 12px; }
QPushButton:hover, QPushButton:focus { border-color: @accent; }
QPushButton:pressed, QPushButton:checked { background: @line; }
QPushButton:disabled { color: @faint; border-color: @raised; }
QPushButton:default { border-color: @dim; }
QPushButton:default:hover, QPushButton:default:focus { border-color: @accent; }
QToolButton[checkable="true"][autoRaise="false"] { background: @raised; border: 1px solid @line; border-radius: 5px;
  padding: 2px 8px; }
QToolButton[checkable="true"][autoRaise="false"]:hover, QToolButton[checkable="true"][autoRaise="false"]:focus {
  border-color: @text; }
QToolButton[checkable="true"][autoRaise="false"]:checked { background: @accent; border-color: @accent; color: @canvas; }
QToolButton[checkable="true"][autoRaise="false"]:checked:focus { border-color: @text; }
QDockWidget > QWidget { background: @panel; }
QToolBar { background: @window; border: none; border-bottom: 1px solid @line; padding: 4px 8px; spacing: 3px; }
QToolBar::separator { background: @line; width: 1px; margin: 6px 2px; }
QToolBar QToolButton { border: 1px solid transparent; border-radius: 5px; padding: 4px 6px; }
QToolBar QToolButton#qt_toolbar_ext_button { padding: 0; }
QToolBar QToolButton:hover { background: @raised; }
QToolBar QToolButton:checked { background: @raised; border-color: @dim; }
QToolBar QToolButton:focus { border-color: @accent; }
QToolBar QToolButton:disabled { color: @faint; }
QToolBar QToolButton#runButton { background: @accent; color: @canvas; font-weight: 600; padding: 4px 16px; }
QToolBar QToolButton#runButton:disabled { background: @raised; color: @faint; }
QToolBar QToolButton#runButton:focus { border-color: @text; }
QPushButton#paletteField { background: @canvas; border: 1px solid @line; border-radius: 5px; padding: 4px 8px;
  color: @dim; text-align: left; }
QPushButton#paletteField:hover, QPushButton#paletteField:focus { border-color: @accent; }
QToolBar QToolButton#enginePill { background: @raised; border-radius: 12px; padding: 4px 12px; }
QToolBar QToolButton#enginePill::menu-indicator { image: none; width: 0; }
QScrollBar { background: @panel; border: none; }
QScrollBar:vertical { width: 12px; }
QScrollBar:horizontal { height: 12px; }
QScrollBar::handle { background: @dim; border-radius: 4px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 24px; }
QScrollBar::handle:horizontal { min-width: 24px; }
QScrollBar::handle:hover { background: @text; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: none; }
QStatusBar { background: @window; border-top: 1px solid @line; }
QStatusBar::item { border: none; }
QFrame#commandPalette { background: @panel; border: 1px solid @line; border-radius: 8px; }
QFrame#notice { background: @raised; border: none; border-bottom: 1px solid @line; }
QFrame#notice[kind="error"] { border-left: 4px solid @bad; }
QFrame#notice[kind="warning"] { border-left: 4px solid @warn; }
QFrame#notice[kind="information"] { border-left: 4px solid @accent; }
)");
    // The longest name first would matter if one began with another; none does.
    for (std::size_t i = 0; i < TokenCount; ++i)
        sheet.replace('@' + QString::fromLatin1(TokenNames[i].data(), static_cast<qsizetype>(TokenNames[i].size())),
                      m_tokens[i].name());
    return sheet;
}

std::string_view tokenName(Token token)
{
    return TokenNames[static_cast<std::size_t>(token)];
}

} // namespace pipescope::style
