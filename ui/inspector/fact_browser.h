// A fact sheet on the screen: as high as its text, links for mouse and keyboard (Tab goes from one to the next).
#pragma once

#include "inspector/fact_sheet.h"

#include <QTextBrowser>

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
    [[nodiscard]] QString html(const Words &words);
    [[nodiscard]] QString html(const std::vector<Words> &words, const QString &between);

    FactSheet m_sheet;
    std::vector<session::Selected> m_links; ///< by the number in their address
};

} // namespace pipescope::inspector
