# SPDX-License-Identifier: BSL-1.0
"""Writes files of arrays with NumPy and reads them with chainrule, and the other way round.

    python3 exchange.py NUMPY_EXCHANGE

where NUMPY_EXCHANGE is the program made of exchange.cpp.
"""

import io
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

import numpy as np

PROGRAM = sys.argv.pop()


def program(command, file):
    return subprocess.run([PROGRAM, command, file], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout


def text(name, array):
    """What the program prints of an array."""

    def number(x):
        if array.dtype.kind == "f":
            return "%.17g" % x
        return str(int(x))

    shape = "(" + ", ".join(map(str, array.shape)) + (",)" if array.ndim == 1 else ")")
    return " ".join([name, array.dtype.name, shape, *map(number, array.flatten(order="C"))]) + "\n"


class Unseekable(io.RawIOBase):
    """A stream into which zipfile writes the sizes after the data."""

    def __init__(self, file):
        self.file = file

    def writable(self):
        return True

    def write(self, data):
        return self.file.write(data)


class Exchange(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "arrays.npz"

    def arrays(self):
        grid = np.arange(24, dtype=np.float32).reshape(2, 3, 4) / 7
        arrays = {
            "grid": grid,
            "fortran": np.asfortranarray(grid),
            "transposed": grid.T,
            "strided": grid[:, ::2, 1:],
            "big": grid.astype(">f8"),
            "big fortran": np.asfortranarray(grid.astype(">i2")),
            "scalar": np.float64(-0.1),
            "mask": grid > 1.5,
            "empty": np.zeros((3, 0), dtype=np.int8),
            "déjà vu": np.array([np.inf, -np.inf, 5e-324]),
        }
        for kind in "iu":
            for size in (1, 2, 4, 8):
                limits = np.iinfo(f"{kind}{size}")
                arrays[f"{kind}{size}"] = np.array([limits.min, 1, limits.max], dtype=f"<{kind}{size}")
        return {name: np.asarray(array) for name, array in arrays.items()}

    def texts(self):
        return "".join(text(name, array) for name, array in self.arrays().items())

    def test_numpy_reads_what_is_written(self):
        program("write", self.file)
        self.assertIsNone(zipfile.ZipFile(self.file).testzip())
        with np.load(self.file) as arrays:
            expected = {
                "layer1.weight": np.arange(12, dtype=np.float32).reshape(3, 4) / np.float32(7),
                "scalar": np.array(-0.1),
                "cube": np.array([[[1, -2, 3]], [[-4, 5, 2**63 - 1]]], dtype=np.int64),
                "bytes": np.array([0, 1, 128, 255], dtype=np.uint8),
                "short": np.array([-32768, 32767], dtype=np.int16),
                "unsigned": np.array([2**64 - 1], dtype=np.uint64),
                "mask": np.array([True, False, True]),
                "empty": np.zeros((0, 5), dtype=np.float32),
                "déjà vu": np.array([np.inf]),
            }
            self.assertEqual(list(arrays), list(expected))
            for name, array in expected.items():
                with self.subTest(name):
                    self.assertEqual(arrays[name].dtype, array.dtype)
                    np.testing.assert_array_equal(arrays[name], array, strict=True)

    def test_numpy_reads_a_single_array(self):
        file = self.file.with_suffix(".npy")
        program("write", file)
        np.testing.assert_array_equal(np.load(file), np.arange(12, dtype=np.float32).reshape(3, 4) / np.float32(7))
        np.testing.assert_array_equal(np.load(file, mmap_mode="r"), np.load(file))

    def test_what_numpy_writes_is_read(self):
        np.savez(self.file, **self.arrays())
        self.assertEqual(program("print", self.file), self.texts())

    def test_a_stream_of_numpy_is_read(self):
        with open(self.file, "wb") as file:
            np.savez(io.BufferedWriter(Unseekable(file)), **self.arrays())
        self.assertEqual(program("print", self.file), self.texts())

    def test_an_archive_with_a_comment_is_read(self):
        np.savez(self.file, **self.arrays())
        with zipfile.ZipFile(self.file, "a") as archive:
            archive.comment = b"trained on a Monday"
        self.assertEqual(program("print", self.file), self.texts())

    def test_single_arrays_in_every_version_are_read(self):
        file = self.file.with_suffix(".npy")
        for name, array in self.arrays().items():
            for version in ((1, 0), (2, 0), (3, 0)):
                with self.subTest(name, version=version):
                    with open(file, "wb") as stream:
                        np.lib.format.write_array(stream, array, version)
                    self.assertEqual(program("print", file), text("array", array))

    def refused(self, sentence):
        self.assertEqual(program("print", self.file), f"read_npz: {sentence.replace('FILE', str(self.file))}\n")

    def test_compressed_arrays_are_refused(self):
        np.savez_compressed(self.file, w=np.zeros(100))
        self.refused("member 'w.npy' in FILE is compressed (method 8); save it by numpy.savez, not by numpy.savez_compressed")

    def test_complex_numbers_are_refused(self):
        np.savez(self.file, w=np.zeros(2, dtype=complex))
        self.refused(
            "array 'w' in FILE has elements of the type '<c16'; save it as bool, an integer, float32 or float64, "
            "as by astype(numpy.float32)"
        )

    def test_fields_are_refused(self):
        np.savez(self.file, w=np.zeros(2, dtype=[("x", "<f4"), ("ü", "<i2")]))
        self.refused("array 'w' in FILE has elements of several fields; save each field as an array of its own")

    def test_other_archives_are_refused(self):
        with zipfile.ZipFile(self.file, "w") as archive:
            archive.writestr("readme.txt", "text")
        self.refused(
            "member 'readme.txt' in FILE is not an array, since its name does not end in .npy; give a file of arrays only"
        )

    def test_two_arrays_of_one_name_are_refused(self):
        np.savez(self.file, w=np.zeros(2))
        with zipfile.ZipFile(self.file, "a") as archive, self.assertWarns(UserWarning):
            archive.writestr("w.npy", archive.read("w.npy"))
        self.refused("has two arrays named 'w'; save it again under different names".replace("has", "FILE has", 1))

    def test_zip64_is_refused(self):
        with zipfile.ZipFile(self.file, "w") as archive:
            for i in range(65536):
                archive.writestr(f"{i}.npy", "")
        self.refused("FILE is larger than 4 GB or has more than 65534 arrays (zip64); save the arrays in several files")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
