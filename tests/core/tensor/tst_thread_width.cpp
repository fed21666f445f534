#include "tensor/thread_width.h"

#include "support/test_program.h"

#include <ATen/Parallel.h>
#include <QTest>
#include <thread>

using namespace pipescope::tensor;

class TestThreadWidth : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aThreadHasTheWidthItIsGivenAndItsMakerKeepsItsOwn()
    {
        const int before = at::get_num_threads();
        for (const int width : {1, 3, 2}) {
            int seen = 0;
            {
                const CallersWidth kept;
                std::thread([&seen, width] {
                    setThreadWidth(width);
                    seen = at::get_num_threads();
                }).join();
            }
            QCOMPARE(seen, width);
            QCOMPARE(at::get_num_threads(), before);
            int later = 0;
            std::thread([&later] { later = at::get_num_threads(); }).join();
            QCOMPARE(later, before); // the default is as it was
        }
    }
};

PIPESCOPE_TEST(TestThreadWidth)
#include "tst_thread_width.moc"
