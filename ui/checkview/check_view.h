// The dock of the check: the two questions apart, each output's and each microbatch's difference, and links to the node
// and the action to blame.
#pragma once

#include "checkview/difference_table_model.h"
#include "checkview/output_table_model.h"
#include "session/run_controller.h"
#include "session/selection.h"
#include "session/stage_files_look.h"
#include "style/theme.h"

#include <QScrollArea>

class QBoxLayout;
class QLabel;
class QTableView;

namespace pipescope::widgets {
class RunLabel;
}

namespace pipescope::checkview {

struct Answer;

class CheckView : public QScrollArea
{
    Q_OBJECT

public:
    /// All must outlive this.
    CheckView(const session::RunController &controller, session::Selection &selection, const style::Theme &theme,
              QWidget *parent = nullptr);

    void setTheme(const style::Theme &theme);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void layOut(QWidget &content);
    void refresh();
    void showEquivalence(const report::RunReport &run);
    void showSeparability(const report::RunReport &run);
    void showStageFiles();
    /// The number of a link to what is selected by it.
    [[nodiscard]] QString link(const QString &text, const session::Selected &selected);
    [[nodiscard]] QString nodeLink(const QString &text, const report::RunReport &run, NodeId node,
                                   const std::string &name);
    [[nodiscard]] session::SelectedAction forward(StageId stage, MicrobatchId microbatch) const;
    [[nodiscard]] QString answerHtml(const QString &question, const Answer &answer) const;
    /// What is to blame for it; where nothing is, where it is made.
    void selectOutput();
    void selectMicrobatch();
    [[nodiscard]] StageId lastStage() const;

    const session::RunController &m_controller;
    session::Selection &m_selection;
    const style::Theme *m_theme;
    session::StageFilesLook m_files;
    OutputTableModel m_outputs;
    DifferenceTableModel m_microbatches;
    std::vector<session::Selected> m_links; ///< by the number in their address
    QBoxLayout *m_halves =
        nullptr; ///< the answers and the tables; not owned, nor are those below: Qt's parent has them
    widgets::RunLabel *m_run;
    QLabel *m_warnings;
    QLabel *m_equivalent;
    QLabel *m_separable;
    QLabel *m_stageFiles;
    QLabel *m_times;
    QLabel *m_outputsTitle;
    QTableView *m_outputTable;
    QLabel *m_microbatchesTitle;
    QTableView *m_microbatchTable;
};

} // namespace pipescope::checkview
