"""Who may import whom, and what is imported late."""

import ast
import subprocess
import sys
import types
from pathlib import Path

import pytest

import hiddencauses
from hiddencauses import pictures, posterior

PACKAGE = Path(hiddencauses.__file__).parent
#: A layer may import itself and the layers named here. The picture is in docs/design.md.
FOUNDATION = {"errors", "validation", "rng", "files", "folders"}
MAY_IMPORT = {
    "errors": set(),
    "validation": {"errors"},
    "rng": {"errors", "validation"},
    "files": {"errors", "validation"},
    "folders": {"errors", "validation"},
    "data": FOUNDATION,
    "model": FOUNDATION | {"data"},
    "oracle": FOUNDATION | {"data", "model"},
    "datasets": FOUNDATION | {"data", "model"},
    "compiled": {"compiled_cache", "compiled_parts"},
    "compiled_cache": set(),
    "compiled_parts": set(),
    "kernels": {"compiled"},
    "sampling": FOUNDATION | {"data", "model", "kernels"},
    "posterior": FOUNDATION | {"data", "model", "compiled", "kernels", "sampling"},
    "pictures": FOUNDATION | {"posterior"},
    "runs": FOUNDATION | {"data", "model", "kernels", "sampling"},
    "cli": FOUNDATION | {"data", "model", "oracle", "datasets", "sampling", "posterior", "pictures", "runs"},
    "__main__": {"cli"},
}
HEAVY = (
    "numpy",
    "scipy",
    "pyarrow",
    "pandas",
    "polars",
    "narwhals",
    "rich",
    "xarray",
    "numba",
    "h5netcdf",
    "h5py",
    "arviz_base",
    "arviz_stats",
    "matplotlib",
)


def layer_of(path):
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imported_layers(path):
    """Layers that a module imports, anywhere in it; imports for type checkers count too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            names = (
                [node.module]
                if node.module != "hiddencauses"
                else [f"hiddencauses.{a.name}" for a in node.names]
            )
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            parts = name.split(".")
            if parts[0] == "hiddencauses" and len(parts) > 1 and parts[1] != "__version__":
                yield parts[1]


def test_every_module_belongs_to_a_layer():
    found = {layer_of(path) for path in PACKAGE.rglob("*.py")} - {"__init__"}
    assert found == set(MAY_IMPORT)


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_go_one_way(path):
    layer = layer_of(path)
    if layer == "__init__":
        return  # the public names, loaded late
    forbidden = set(imported_layers(path)) - MAY_IMPORT[layer] - {layer}
    assert not forbidden, f"{layer} may not import {forbidden}"


def test_the_layer_test_sees_imports(tmp_path):
    # negative control
    module = tmp_path / "module.py"
    module.write_text(
        "def f():\n    from hiddencauses.cli.app import main\n    import hiddencauses.data.table\n"
    )
    assert set(imported_layers(module)) == {"cli", "data"}


@pytest.mark.parametrize("statement", ["import hiddencauses", "from hiddencauses.cli.app import app"])
def test_heavy_libraries_are_imported_late(statement):
    code = f"{statement}; import sys; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("package", [hiddencauses, pictures, posterior], ids=lambda package: package.__name__)
def test_public_names_exist(package):
    for _ in range(2):  # the second time, modules are there that must not hide what has their name
        for name in package.__all__:
            assert not isinstance(getattr(package, name), types.ModuleType)
    assert set(package.__all__) <= set(dir(package))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        package.nothing  # noqa: B018
