#include "runview/input_form.h"

#include "plan/dtypes.h"
#include "runview/input_table_model.h"
#include "widgets/typing.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSignalBlocker>
#include <QToolButton>

namespace pipescope::runview {

namespace {

QLineEdit *line(const char *name, const QString &title, const QString &hint, QWidget *parent)
{
    auto *made = new QLineEdit(parent);
    made->setObjectName(name);
    made->setAccessibleName(title);
    made->setPlaceholderText(hint);
    return made;
}

QString joinedSizes(const std::vector<std::int64_t> &sizes)
{
    QStringList words;
    for (const std::int64_t size : sizes)
        words += QString::number(size);
    return words.join(QStringLiteral(", "));
}

bool isReal(const QString &dtype)
{
    const plan::DtypeWord *word = plan::findDtype(dtype.toStdString());
    return word != nullptr && plan::isReal(*word);
}

bool hasRange(const QString &dtype)
{
    const plan::DtypeWord *word = plan::findDtype(dtype.toStdString());
    return word != nullptr && (word->isInteger || plan::isReal(*word));
}

/// The shortest that reads back the same, with a dot whatever the locale.
QString numberText(double value)
{
    return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

} // namespace

QString TensorParts::text() const
{
    QString text = dtype + '[' + sizes + ']';
    if (hasRange(dtype) && !(low.isEmpty() && high.isEmpty()))
        text += low.isEmpty() || low == QLatin1String("0") ? '<' + high : QStringLiteral(">=") + low + '<' + high;
    return seed.isEmpty() ? text : text + '#' + seed;
}

TensorParts partsOf(const plan::TensorSpec &tensor)
{
    TensorParts parts{QString::fromStdString(tensor.dtype), joinedSizes(tensor.sizes), {}, {}, {}};
    if (tensor.low != 0 || tensor.high != 0) {
        parts.low = QString::number(tensor.low);
        parts.high = QString::number(tensor.high);
    }
    if (tensor.reals) {
        parts.low = numberText(tensor.reals->low);
        parts.high = numberText(tensor.reals->high);
    }
    if (tensor.seed)
        parts.seed = QString::number(*tensor.seed);
    return parts;
}

InputForm::InputForm(InputTableModel &model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_form(new QFormLayout(this))
    , m_kind(new QComboBox(this))
    , m_dtype(new QComboBox(this))
    , m_sizes(line("sizes", tr("Shape"), tr("8, 128"), this))
    , m_range(new QWidget(this))
    , m_low(line("low", tr("Least"), tr("0"), m_range))
    , m_high(line("high", tr("Below"), tr("2"), m_range))
    , m_seed(line("inputSeed", tr("Seed of the input"), tr("the run's"), this))
    , m_file(new QWidget(this))
    , m_path(line("path", tr("File"), tr("written by torch.save"), m_file))
    , m_value(line("value", tr("Value"), tr("1.5, true, [1, 2], {mask: none}"), this))
    , m_chunk(line("chunk", tr("Cut along"), tr("dimension 0"), this))
{
    setAccessibleName(tr("Input"));
    addFields();
    connect(m_kind, &QComboBox::activated, this, [this](int kind) {
        showKind(kind);
        if (kind == Nothing)
            writeText({});
    });
    connect(m_dtype, &QComboBox::activated, this, [this] {
        if (isReal(m_dtype->currentText()) != m_isRangeReal) { // a range of token ids is none of floats
            m_low->clear();
            m_high->clear();
        }
        writeTensor();
    });
    for (QLineEdit *part : {m_sizes, m_low, m_high, m_seed})
        connect(part, &QLineEdit::editingFinished, this, &InputForm::writeTensor);
    connect(m_path, &QLineEdit::editingFinished, this, [this] {
        if (m_path->text().trimmed().isEmpty())
            return showWhatIsGiven();
        writeText('@' + m_path->text().trimmed());
    });
    connect(m_value, &QLineEdit::editingFinished, this, [this] {
        if (m_value->isModified())
            writeText(m_value->text());
        m_value->setModified(false);
    });
    connect(m_chunk, &QLineEdit::editingFinished, this, [this] {
        if (m_chunk->isModified() && m_row >= 0)
            m_model.setData(m_model.index(m_row, InputTableModel::Chunk), m_chunk->text(), Qt::EditRole);
        m_chunk->setModified(false);
    });
    connect(&m_model, &QAbstractItemModel::dataChanged, this, &InputForm::showInput);
    connect(&m_model, &QAbstractItemModel::modelReset, this, [this] { setRow(-1); });
    setRow(-1);
}

InputForm::~InputForm()
{
    widgets::stopListening(*this);
}

void InputForm::addFields()
{
    m_form->setContentsMargins(0, 0, 0, 0);
    m_kind->setObjectName("kind");
    m_kind->addItems({tr("nothing given"), tr("random tensor"), tr("file"), tr("other value")});
    m_dtype->setObjectName("dtype");
    for (const std::string &name : plan::dtypeNames())
        m_dtype->addItem(QString::fromStdString(name));
    auto *range = new QHBoxLayout(m_range);
    range->setContentsMargins(0, 0, 0, 0);
    range->addWidget(m_low);
    range->addWidget(new QLabel(tr("to below"), m_range));
    range->addWidget(m_high);
    auto *choose = new QToolButton(m_file);
    choose->setObjectName("chooseFile");
    choose->setText(tr("..."));
    choose->setAccessibleName(tr("Choose a file"));
    connect(choose, &QToolButton::clicked, this, &InputForm::chooseFile);
    auto *file = new QHBoxLayout(m_file);
    file->setContentsMargins(0, 0, 0, 0);
    file->addWidget(m_path);
    file->addWidget(choose);
    m_form->addRow(tr("I&nput"), m_kind);
    m_form->addRow(tr("t&ype"), m_dtype);
    m_form->addRow(tr("sh&ape"), m_sizes);
    m_form->addRow(tr("range"), m_range);
    m_form->addRow(tr("seed"), m_seed);
    m_form->addRow(tr("file"), m_file);
    m_form->addRow(tr("value"), m_value);
    m_form->addRow(tr("cut along"), m_chunk);
}

void InputForm::setRow(int row)
{
    m_row = row < m_model.rowCount() ? row : -1;
    setVisible(m_row >= 0);
    showInput();
}

void InputForm::showInput()
{
    if (m_row < 0)
        return;
    const QString text = m_model.index(m_row, InputTableModel::Value).data(Qt::EditRole).toString();
    const Result<plan::InputSpec> parsed = plan::parseInputSpec(text.toStdString());
    int kind = text.isEmpty() ? Nothing : Other;
    TensorParts parts{m_dtype->currentText(), {}, {}, {}, {}};
    m_path->clear();
    if (parsed) {
        if (const auto *tensor = std::get_if<plan::TensorSpec>(&parsed->value.node)) {
            kind = Random;
            parts = partsOf(*tensor);
        } else if (const auto *file = std::get_if<plan::FileSpec>(&parsed->value.node)) {
            kind = File;
            m_path->setText(QString::fromStdString(file->path));
        }
    } else if (!text.isEmpty() && m_kind->currentIndex() == Random) {
        kind = Random; // what was refused stays as typed
        parts = {m_dtype->currentText(), m_sizes->text(), m_low->text(), m_high->text(), m_seed->text()};
    }
    m_kind->setCurrentIndex(kind);
    m_dtype->setCurrentText(parts.dtype);
    m_sizes->setText(parts.sizes);
    m_low->setText(parts.low);
    m_high->setText(parts.high);
    m_seed->setText(parts.seed);
    m_value->setText(text);
    m_chunk->setText(m_model.index(m_row, InputTableModel::Chunk).data(Qt::EditRole).toString());
    const bool isCut = m_model.hasTensors(m_row);
    m_chunk->setPlaceholderText(isCut ? tr("dimension 0") : tr("not cut: no tensor, replicated"));
    m_chunk->setEnabled(isCut || !m_chunk->text().isEmpty()); // what a plan says all the same can be taken away
    showKind(kind);
}

void InputForm::showKind(int kind)
{
    for (QWidget *part :
         {static_cast<QWidget *>(m_dtype), static_cast<QWidget *>(m_sizes), static_cast<QWidget *>(m_seed)})
        m_form->setRowVisible(part, kind == Random);
    m_form->setRowVisible(m_range, kind == Random && hasRange(m_dtype->currentText()));
    m_isRangeReal = isReal(m_dtype->currentText());
    m_low->setPlaceholderText(m_isRangeReal ? tr("normal") : tr("0"));
    m_high->setPlaceholderText(m_isRangeReal ? tr("(0, 1)") : tr("2"));
    m_form->setRowVisible(m_file, kind == File);
    m_form->setRowVisible(m_value, kind == Other);
}

void InputForm::writeTensor()
{
    if (m_kind->currentIndex() != Random || m_sizes->text().isEmpty())
        return showWhatIsGiven(); // no shape yet: nothing to say
    writeText(
        TensorParts{m_dtype->currentText(), m_sizes->text(), m_low->text(), m_high->text(), m_seed->text()}.text());
}

/// A field that was emptied shows again what a run goes by; one that waits for its first text goes on waiting.
void InputForm::showWhatIsGiven()
{
    const Result<plan::InputSpec> given =
        plan::parseInputSpec(m_model.index(m_row, InputTableModel::Value).data(Qt::EditRole).toString().toStdString());
    const bool isShown =
        given && ((m_kind->currentIndex() == Random && std::holds_alternative<plan::TensorSpec>(given->value.node)) ||
                  (m_kind->currentIndex() == File && std::holds_alternative<plan::FileSpec>(given->value.node)));
    if (isShown)
        showInput();
    else
        showKind(m_kind->currentIndex());
}

void InputForm::writeText(const QString &text)
{
    const QModelIndex cell = m_row < 0 ? QModelIndex() : m_model.index(m_row, InputTableModel::Value);
    if (cell.isValid() && text != cell.data(Qt::EditRole).toString())
        m_model.setData(cell, text, Qt::EditRole);
}

void InputForm::chooseFile()
{
    auto *dialog = new QFileDialog(this, tr("Choose an input"), {}, tr("Tensors (*.pt *.pth);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) { writeText('@' + path); });
    dialog->open();
}

} // namespace pipescope::runview
