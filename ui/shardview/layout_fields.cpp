#include "shardview/layout_fields.h"

#include "base/dtype.h"

#include <QComboBox>
#include <QFontDatabase>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>

namespace pipescope::shardview {

namespace {

constexpr std::array<const char *, LayoutFieldCount> Names{"shardShape", "shardDtype", "shardMesh", "shardPlacements",
                                                           "shardTarget"};

std::size_t at(LayoutField field)
{
    return static_cast<std::size_t>(field);
}

QString nameOf(LayoutField field)
{
    return QString::fromLatin1(Names[at(field)]);
}

} // namespace

LayoutFields::LayoutFields(QWidget *parent)
    : QWidget(parent)
    , m_dtype(new QComboBox(this))
{
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(8, 6, 8, 4);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(2);
    int column = 0;
    addLine(*grid, LayoutField::Shape, column++, tr("Shape"), tr("1000,768"));
    addDtypes(*grid, column++);
    addLine(*grid, LayoutField::Mesh, column++, tr("Mesh"), tr("2,4 or dp=2,tp=4"));
    addLine(*grid, LayoutField::Placements, column++, tr("Placements"), tr("S0,R or P or SS(0,2),S0"));
    addLine(*grid, LayoutField::Target, column++, tr("To placements"), tr("none"));
    setWords(exampleWords());
}

void LayoutFields::addTo(QGridLayout &grid, LayoutField field, int column, const QString &title, QWidget &widget)
{
    auto *label = new QLabel(title, this);
    label->setBuddy(&widget);
    widget.setObjectName(nameOf(field));
    widget.setAccessibleName(title);
    auto *problem = new QLabel(this);
    problem->setObjectName(nameOf(field) + "Problem");
    problem->setWordWrap(true);
    problem->setTextFormat(Qt::PlainText);
    problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    problem->hide();
    m_problems[at(field)] = problem;
    grid.addWidget(label, 0, column);
    grid.addWidget(&widget, 1, column);
    grid.addWidget(problem, 2, column, Qt::AlignTop);
}

void LayoutFields::addLine(QGridLayout &grid, LayoutField field, int column, const QString &title,
                           const QString &example)
{
    auto *line = new QLineEdit(this);
    line->setPlaceholderText(example);
    line->setMinimumWidth(84);
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setPixelSize(fontInfo().pixelSize());
    line->setFont(fixed);
    m_lines[at(field)] = line;
    addTo(grid, field, column, title, *line);
    grid.setColumnStretch(column, 1);
    connect(line, &QLineEdit::textEdited, this, &LayoutFields::edited);
}

void LayoutFields::addDtypes(QGridLayout &grid, int column)
{
    for (const Dtype &dtype : Dtypes)
        m_dtype->addItem(QString::fromLatin1(dtype.name.data(), static_cast<qsizetype>(dtype.name.size())));
    addTo(grid, LayoutField::Dtype, column, tr("Dtype"), *m_dtype);
    connect(m_dtype, &QComboBox::activated, this, &LayoutFields::edited);
}

LayoutWords LayoutFields::words() const
{
    LayoutWords words;
    for (std::size_t i = 0; i < LayoutFieldCount; ++i)
        words[i] = m_lines[i] != nullptr ? m_lines[i]->text() : m_dtype->currentText();
    return words;
}

void LayoutFields::setWords(const LayoutWords &words)
{
    for (std::size_t i = 0; i < LayoutFieldCount; ++i)
        if (m_lines[i] != nullptr && m_lines[i]->text() != words[i])
            m_lines[i]->setText(words[i]);
    const QSignalBlocker quiet(m_dtype);
    const QString &dtype = wordOf(words, LayoutField::Dtype);
    if (m_dtype->findText(dtype) < 0) // a model's may be one that layouts do not know, which is then said
        m_dtype->addItem(dtype);
    m_dtype->setCurrentText(dtype);
}

void LayoutFields::showProblems(const LayoutWords &problems)
{
    for (std::size_t i = 0; i < LayoutFieldCount; ++i) {
        m_problems[i]->setText(problems[i]);
        m_problems[i]->setVisible(!problems[i].isEmpty());
        QWidget *field = m_lines[i] != nullptr ? static_cast<QWidget *>(m_lines[i]) : m_dtype;
        field->setAccessibleDescription(problems[i]);
    }
}

void LayoutFields::setTheme(const style::Theme &theme)
{
    for (QLabel *problem : m_problems) {
        QPalette palette = problem->palette();
        palette.setColor(QPalette::WindowText, theme.colour(style::Token::Bad));
        problem->setPalette(palette);
    }
}

} // namespace pipescope::shardview
