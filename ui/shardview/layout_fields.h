// The fields in which a layout and its target are written; what is wrong with one stands below it.
#pragma once

#include "shardview/layout_words.h"
#include "style/theme.h"

#include <QWidget>
#include <array>

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;

namespace pipescope::shardview {

class LayoutFields : public QWidget
{
    Q_OBJECT

public:
    explicit LayoutFields(QWidget *parent = nullptr);

    [[nodiscard]] LayoutWords words() const;
    /// Does not tell.
    void setWords(const LayoutWords &words);
    /// By field; "" hides.
    void showProblems(const LayoutWords &problems);
    void setTheme(const style::Theme &theme);

Q_SIGNALS:
    /// By the user, at each key.
    void edited();

private:
    void addLine(QGridLayout &grid, LayoutField field, int column, const QString &title, const QString &example);
    void addDtypes(QGridLayout &grid, int column);
    void addTo(QGridLayout &grid, LayoutField field, int column, const QString &title, QWidget &widget);

    std::array<QLineEdit *, LayoutFieldCount> m_lines{}; // not owned, nor are those below: Qt's parent has them
    std::array<QLabel *, LayoutFieldCount> m_problems{};
    QComboBox *m_dtype;
};

} // namespace pipescope::shardview
