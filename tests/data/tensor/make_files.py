#!/usr/bin/env python3
"""Makes the files beside it, which tests/core/tensor/tst_tensor_file.cpp reads. Needs a Python with torch.

Good ones are what torch.save writes; the others are what a hostile or careless person might hand over.
"""

import collections
import pathlib
import pickle
import struct
import warnings
import zipfile

import torch

HERE = pathlib.Path(__file__).parent
warnings.simplefilter("ignore")


def good_files():
    torch.save(torch.arange(6.0).reshape(2, 3), HERE / "tensor.pt")
    linear = torch.nn.Linear(2, 2)
    with torch.no_grad():
        linear.weight.copy_(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
        linear.bias.copy_(torch.tensor([5.0, 6.0]))
    torch.save(linear.state_dict(), HERE / "state_dict.pt")
    torch.save(
        {
            "none": None, "yes": True, "no": False, "small": 7, "negative": -5, "middle": 70000, "big": 1 << 40,
            "float": 0.1, "text": "grün", "complex": 1 + 2j, "size": torch.Size([2, 3]), "dtype": torch.float32,
            "list": [1, 2], "mixed": [1, "a"], "tuple": (1, (2.5, None)), "empty": [], "numbers": {1: "one", 2: "two"},
            "ordered": collections.OrderedDict(b=1, a=2),
        },
        HERE / "values.pt",
    )
    names = (
        "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128 "
        "uint16 uint32 uint64 float8_e4m3fn float8_e5m2"
    ).split()
    torch.save({name: torch.tensor([0, 1, 1]).to(getattr(torch, name)) for name in names}, HERE / "dtypes.pt")
    base = torch.arange(12.0).reshape(3, 4)
    torch.save([base, base[1], base.t(), torch.tensor(3.0).expand(2, 2)], HERE / "views.pt")
    attributed = torch.nn.Parameter(torch.tensor([3.0]))
    attributed.note = "kept by Python only"
    torch.save(
        (torch.nn.Parameter(torch.tensor([1.0])), torch.nn.Parameter(torch.tensor([2.0]), requires_grad=False), attributed,
         torch.ones(1, requires_grad=True)),
        HERE / "parameters.pt",
    )
    torch.save(
        [
            torch.quantize_per_tensor(torch.tensor([0.0, 0.5, 1.0]), 0.5, 3, torch.quint8),
            torch.quantize_per_channel(torch.tensor([[1.0, 2.0], [4.0, 8.0]]), torch.tensor([1.0, 2.0]),
                                       torch.tensor([0, 1]), 0, torch.qint8),
        ],
        HERE / "quantized.pt",
    )
    torch.save([torch.tensor([1 + 2j]).conj(), torch.tensor([1 + 2j]).conj().imag], HERE / "conjugated.pt")
    torch.save([torch.tensor(2.5), torch.zeros(0, 3)], HERE / "odd_sizes.pt")


def other_files():
    torch.save(torch.arange(3.0), HERE / "legacy.pt", _use_new_zipfile_serialization=False)
    torch.save(torch.eye(2).to_sparse(), HERE / "sparse.pt")
    torch.jit.save(torch.jit.script(torch.nn.Identity()), HERE / "model.pt")


def archive(name, data_pkl, records=(), compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(HERE / name, "w", compression) as out:
        out.writestr("archive/data.pkl", data_pkl)
        out.writestr("archive/version", "3\n")
        for key, data in records:
            out.writestr(f"archive/data/{key}", data)


class Call:
    def __init__(self, function, arguments):
        self.call = (function, arguments)

    def __reduce__(self):
        return self.call


def tensor_pickle(numel, offset, sizes, strides):
    """The pickle of one float tensor in record data/0, with whatever numbers."""

    def numbers(values):
        return b"(" + b"".join(b"\x8a\x08" + struct.pack("<q", value) for value in values) + b"t"

    def text(value):
        return b"X" + struct.pack("<I", len(value)) + value

    storage = b"(" + text(b"storage") + b"ctorch\nFloatStorage\n" + text(b"0") + text(b"cpu") + numbers([numel])[1:-1] + b"tQ"
    return (
        b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n(" + storage + numbers([offset])[1:-1] + numbers(sizes)
        + numbers(strides) + b"\x89ccollections\nOrderedDict\n)RtR."
    )


def hostile_files():
    archive("calls_os_system.pt", b"\x80\x02cos\nsystem\nX\x18\x00\x00\x00touch pipescope_was_here\x85R.")
    archive("calls_eval.pt", pickle.dumps([1, Call(eval, ("1+1",))], 4))
    archive("own_class.pt", pickle.dumps(pathlib.PurePosixPath("x"), 2))
    floats = ("0", struct.pack("<4f", 1, 2, 3, 4))
    archive("fits.pt", tensor_pickle(4, 0, [2, 2], [2, 1]), [floats])
    archive("beyond_storage.pt", tensor_pickle(400, 0, [20, 20], [20, 1]), [floats])
    archive("beyond_by_offset.pt", tensor_pickle(4, 1, [4], [1]), [floats])
    archive("negative_offset.pt", tensor_pickle(4, -1, [2], [1]), [floats])
    archive("negative_stride.pt", tensor_pickle(4, 3, [4], [-1]), [floats])
    archive("overflowing_sizes.pt", tensor_pickle(4, 0, [1 << 33, 1 << 33], [0, 0]), [floats])
    archive("overflowing_strides.pt", tensor_pickle(4, 0, [3, 3], [(1 << 63) - 1, (1 << 63) - 1]), [floats])
    archive("missing_record.pt", tensor_pickle(4, 0, [4], [1]))
    archive("bomb.pt", tensor_pickle(1 << 20, 0, [1 << 20], [1]), [("0", bytes(4 << 20))], zipfile.ZIP_DEFLATED)
    archive("inside_itself.pt", b"\x80\x02]q\x00h\x00a.")
    archive("deep.pt", b"\x80\x02" + b"]" * 200 + b"a" * 199 + b".")
    ten_of_the_last = (b"]q" + bytes([i]) + b"(" + (b"h" + bytes([i - 1])) * 10 + b"e" for i in range(1, 30))
    archive("laughs.pt", b"\x80\x02]q\x00K\x01a" + b"".join(ten_of_the_last) + b".")
    archive("memo_out_of_range.pt", b"\x80\x02j\xff\xff\xff\xff.")
    archive("no_stop.pt", b"\x80\x02]")
    archive("huge_text.pt", b"\x80\x02X\xff\xff\xff\xffabc.")


good_files()
other_files()
hostile_files()
