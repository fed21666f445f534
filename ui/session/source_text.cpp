#include "session/source_text.h"

namespace pipescope::session {

QString sourceText(const graph::SourceLocation &source)
{
    if (source.line <= 0 || source.file.empty())
        return {};
    return QString::fromStdString(source.file).section('/', -1) + ':' + QString::number(source.line);
}

} // namespace pipescope::session
