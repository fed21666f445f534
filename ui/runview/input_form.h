// One input taken apart: what kind of value, and of a random tensor its type, shape, range and seed. Everything goes
// through the table's model as text of the command line's grammar, so that there is one reader and one refusal.
#pragma once

#include "plan/input_spec.h"

#include <QWidget>

class QComboBox;
class QFormLayout;
class QLineEdit;
class QToolButton;

namespace pipescope::runview {

class InputTableModel;

/// The parts of a random tensor as typed; text() puts them together in the grammar, right or wrong.
struct TensorParts
{
    QString dtype;
    QString sizes; ///< "8, 128"
    QString low;   ///< "" for the default range
    QString high;
    QString seed; ///< "" for the run's

    [[nodiscard]] QString text() const;
    friend bool operator==(const TensorParts &, const TensorParts &) = default;
};
[[nodiscard]] TensorParts partsOf(const plan::TensorSpec &tensor);

class InputForm : public QWidget
{
    Q_OBJECT

public:
    /// The model must outlive this.
    explicit InputForm(InputTableModel &model, QWidget *parent = nullptr);
    ~InputForm() override;
    Q_DISABLE_COPY_MOVE(InputForm)

    /// Which argument is shown; -1 for none.
    void setRow(int row);

private:
    enum Kind { Nothing, Random, File, Other };

    void addFields();
    void showInput();
    void showKind(int kind);
    void writeTensor();
    void showWhatIsGiven();
    void writeText(const QString &text);
    void chooseFile();

    InputTableModel &m_model;
    int m_row = -1;
    bool m_isRangeReal = false;
    QFormLayout *m_form; // not owned, nor are those below: Qt's parent has them
    QComboBox *m_kind;
    QComboBox *m_dtype;
    QLineEdit *m_sizes;
    QWidget *m_range;
    QLineEdit *m_low;
    QLineEdit *m_high;
    QLineEdit *m_seed;
    QWidget *m_file;
    QLineEdit *m_path;
    QLineEdit *m_value;
    QLineEdit *m_chunk;
};

} // namespace pipescope::runview
