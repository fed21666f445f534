#include "tensor/torch_guard.h"

#include <ATen/Functions.h>
#include <new>
#include <stdexcept>
#include <torch/csrc/jit/api/module.h>

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::tensor;

class TestTorchGuard : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aValuePassesThrough()
    {
        const auto result = guardTorch(ErrorCode::InvalidArgument, "here", [] { return 7; });
        QVERIFY(result);
        QCOMPARE(*result, 7);
    }

    void aResultIsNotWrappedTwice()
    {
        const Result<int> result = guardTorch(ErrorCode::InvalidArgument, "here", []() -> Result<int> {
            return Error{ErrorCode::NotFound, "its own", {}, {}};
        });
        QCOMPARE(result.error().code, ErrorCode::NotFound);
        QCOMPARE(result.error().message, std::string("its own"));
    }

    void torchErrorsLoseTheirBacktrace()
    {
        const Status status = guardTorch(ErrorCode::ModelFailed, "stage 1", [] {
            at::mm(at::ones({2, 3}), at::ones({4, 5}));
        });
        QVERIFY(!status);
        QCOMPARE(status.error().code, ErrorCode::ModelFailed);
        // LibTorch 2.15 puts "mm: " before it, older ones do not.
        QVERIFY2(status.error().message.ends_with("mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)"),
                 status.error().message.c_str());
        QCOMPARE(status.error().where, std::string("stage 1"));
    }

    void theTorchScriptTracebackGoesToTheDetails()
    {
        torch::jit::Module module("Broken");
        module.define("def forward(self, x):\n  y = x + 1\n  return torch.mm(y, y)\n");
        const Status status = guardTorch(ErrorCode::ModelFailed, "", [&] { module.forward({at::ones({2, 3})}); });
        QVERIFY(!status);
        const std::string &message = status.error().message;
        QVERIFY2(message.starts_with("RuntimeError: "), message.c_str());
        QVERIFY2(message.ends_with("mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"), message.c_str());
        QVERIFY(status.error().details.find("return torch.mm(y, y)") != std::string::npos);
        QVERIFY(status.error().details.find("<--- HERE") != std::string::npos);
    }

    void whatTheModelRaisesIsTheMessage()
    {
        torch::jit::Module module("Raises");
        module.define("def forward(self, x):\n  assert x.size(0) == 3, \"ids: 3 is out of range\"\n  return x\n");
        const Status status = guardTorch(ErrorCode::ModelFailed, "", [&] { module.forward({at::ones({1})}); });
        QVERIFY(!status);
        QVERIFY2(status.error().message.find("ids: 3 is out of range") != std::string::npos,
                 status.error().message.c_str());
        QVERIFY2(status.error().message.find("Traceback") == std::string::npos, status.error().message.c_str());
    }

    void outOfMemorySaysHowMuchWasAskedFor()
    {
        const Status status = guardTorch(ErrorCode::InvalidArgument, "", [] { at::empty({std::int64_t{1} << 45}); });
        QVERIFY(!status);
        QCOMPARE(status.error().message, std::string("out of memory: 128 TiB were asked for at once"));
        const Status plain = guardTorch(ErrorCode::Internal, "", [] { throw std::bad_alloc(); });
        QCOMPARE(plain.error().message, std::string("out of memory; how much was asked for is not known"));
    }

    void longTextsAreCutAndKeptInTheDetails()
    {
        const std::string text = "first paragraph\n\n" + std::string(2000, 'x');
        const Status status = guardTorch(ErrorCode::Internal, "", [&] { throw std::runtime_error(text); });
        QCOMPARE(status.error().message, std::string("first paragraph"));
        QCOMPARE(status.error().details, text);
        const Status endless =
            guardTorch(ErrorCode::Internal, "", [] { throw std::runtime_error(std::string(5000, 'y')); });
        QCOMPARE(endless.error().message.size(), std::size_t(603));
    }

    void enforceTextsLoseTheirSourcePlace()
    {
        const Status status = guardTorch(ErrorCode::InvalidFile, "", [] {
            throw std::runtime_error("[enforce fail at inline_container.cc:320] . file not found: a/version");
        });
        QCOMPARE(status.error().message, std::string("file not found: a/version"));
    }

    void whateverIsThrownIsCaught()
    {
        const Status status = guardTorch(ErrorCode::Internal, "x", [] { throw 3; });
        QCOMPARE(status.error().message, std::string("an exception of an unknown type was thrown"));
    }
};

PIPESCOPE_TEST(TestTorchGuard)
#include "tst_torch_guard.moc"
