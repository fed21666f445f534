// A fact sheet on the screen: as high as its text, links for mouse and keyboard (Tab goes from one to the next), stages
// with a chip in their colour, long lists that unfold where they stand.
#pragma once

#include "inspector/fact_sheet.h"

#include <QTextBrowser>
#include <set>

namespace pipescope::inspector {

class FactBrowser : public QTextBrowser
{
    Q_OBJECT

public:
    explicit FactBrowser(QWidget *parent = nullptr);

    void show(const FactSheet &sheet);

Q_SIGNALS:
    void followed(const session::Selected &link);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void write();
    void fit();
    void unfold(int fold);
    [[nodiscard]] QString html(const Words &words);
    [[nodiscard]] QString linkHtml(const QString &address, const QString &text) const;
    [[nodiscard]] QString foldHtml(const Words &words, const QString &between);
    [[nodiscard]] QString chipHtml(StageId stage);
    [[nodiscard]] QString html(const std::vector<Words> &words, const QString &between);

    FactSheet m_sheet;
    std::vector<session::Selected> m_links; ///< by the number in their address
    std::set<int> m_unfolded;               ///< of the folds, in the order they stand in
    int m_folds = 0;                        ///< written so far
};

} // namespace pipescope::inspector
