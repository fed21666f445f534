// Every colour the window has, from one table (resources/theme.json). Colour means stage or kind of action and nothing
// else, and never alone: stages show their number, and repeat with a pattern.
#pragma once

#include "base/ids.h"

#include <QBrush>
#include <QColor>
#include <QString>
#include <array>
#include <string_view>
#include <vector>

class QPalette;

namespace pipescope::style {

enum class Token {
    Window, ///< window, dock titles, menu
    Panel,  ///< docks, cards, boxes
    Canvas, ///< ground of graph and timeline, input fields
    Raised, ///< nodes, buttons
    Line,   ///< borders, rulers
    Grid,
    Text,
    Dim,    ///< text of less weight
    Faint,  ///< edges, tick labels; never the only place of a fact
    Accent, ///< what is selected or can be pressed
    Warn,
    Bad,
    Good, ///< these three always beside a word
    Ink,  ///< text on the colours of stages and actions
};
inline constexpr std::size_t TokenCount = 14;

enum class ActionColour { Forward, Backward, WeightGradient, Send, Receive };
inline constexpr std::size_t ActionColourCount = 5;

class Theme
{
public:
    /// As built in.
    static const Theme &dark();
    static const Theme &light();

    [[nodiscard]] QColor colour(Token token) const { return m_tokens[static_cast<std::size_t>(token)]; }
    /// From the ninth stage on the colours repeat, and patternOf() tells them apart. An invalid stage is Raised.
    [[nodiscard]] QColor colour(StageId stage) const;
    /// Of its number, as a stage's is.
    [[nodiscard]] QColor colour(RankId rank) const { return colour(StageId{rank.value}); }
    [[nodiscard]] QColor colour(ActionColour action) const { return m_actions[static_cast<std::size_t>(action)]; }

    /// Drawn over a stage's colour with Ink: nothing for the first eight stages.
    [[nodiscard]] static Qt::BrushStyle patternOf(StageId stage);
    [[nodiscard]] static Qt::BrushStyle patternOf(RankId rank) { return patternOf(StageId{rank.value}); }

    /// The same colours for Qt's own widgets.
    [[nodiscard]] QPalette palette() const;
    /// What a palette cannot say: Fusion draws check boxes in a shade of the window that a dark one hides.
    [[nodiscard]] QString styleSheet() const;

private:
    explicit Theme(std::size_t column);

    std::array<QColor, TokenCount> m_tokens;
    std::vector<QColor> m_stages;
    std::array<QColor, ActionColourCount> m_actions;
};

/// "window", "panel", ...: as the table names it.
[[nodiscard]] std::string_view tokenName(Token token);

} // namespace pipescope::style
