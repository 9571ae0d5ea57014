"""The notebooks run from top to bottom, and are kept without outputs."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

# Thousands of runs: only in the nightly part "notebooks".
LONG = {"ule-threshold"}
IS_NIGHTLY = bool(os.environ.get("TIMESLICE_NIGHTLY"))


@pytest.mark.parametrize(
    "file",
    [file for file in NOTEBOOKS if IS_NIGHTLY or file.stem not in LONG],
    ids=lambda file: file.stem,
)
def test_a_notebook_runs(file: Path, tmp_path: Path) -> None:
    notebook = nbformat.read(file, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=600, kernel_name="python3", resources=resources).execute()


def test_there_are_five() -> None:
    names = ["assignment", "learn-a-slice", "s3-nice", "three-questions", "ule-threshold"]
    assert [file.stem for file in NOTEBOOKS] == names


def test_a_question_of_a_researcher_takes_few_lines() -> None:
    notebook = nbformat.read(FOLDER / "three-questions.ipynb", as_version=4)
    lines = [len(cell.source.splitlines()) for cell in notebook.cells if cell.cell_type == "code"]
    assert len(lines) == 3 and max(lines) <= 25
