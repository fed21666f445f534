// The inspector's part about the numbers inside a tensor: asked of the engine when the user wants to look, or at once
// for small parameters while the engine has nothing else to do.
#pragma once

#include "inspector/fact_sheet.h"
#include "session/run_controller.h"
#include "session/tensor_probe.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QTableView;
class QToolButton;

namespace pipescope::inspector {

class BinTableModel;
class FactBrowser;
class Histogram;

/// Parameters up to this size are looked into without being asked to.
inline constexpr std::int64_t LookedIntoAtOnce = 4 << 20;

class NumbersView : public QWidget
{
    Q_OBJECT

public:
    /// All must outlive this.
    NumbersView(const session::Document &document, const session::RunController &controller,
                session::TensorProbe &probe, QWidget *parent = nullptr);

    /// What the numbers are of; hides itself for nothing.
    void show(const std::optional<Tensor> &tensor);

private:
    [[nodiscard]] bool canAsk() const;
    /// Whether the probe's question is about what is shown.
    [[nodiscard]] bool isOurs() const;
    [[nodiscard]] std::string modelSha256() const;
    void dressBins();
    void ask();
    void refresh();
    void showLeaf();
    void showBins();
    void tell(const QString &text);

    const session::Document &m_document;
    const session::RunController &m_controller;
    session::TensorProbe &m_probe;
    std::optional<Tensor> m_tensor;
    QLabel *m_title; // not owned, nor are those below: Qt's parent has them
    QSpinBox *m_microbatch;
    QPushButton *m_look;
    QComboBox *m_leaf;
    QLabel *m_said;
    FactBrowser *m_facts;
    Histogram *m_histogram;
    QToolButton *m_asTable;
    BinTableModel *m_bins;
    QTableView *m_table; ///< of them, in the histogram's place
};

} // namespace pipescope::inspector
