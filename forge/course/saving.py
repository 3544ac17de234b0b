"""What JupyterLab does to a notebook when it saves it."""

from __future__ import annotations

from typing import Any

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"


def keep_readable(model: dict[str, Any], **_details: Any) -> None:
    """Drop the view of every widget whose state is not saved with it, where the output has HTML as well.

    Jupyter calls this before each save. A kernel that was restarted takes its widgets along; Lab would show
    such a view as "model not found" for ever, and hide the table that stands beside it.
    """
    notebook = model.get("content")
    if model.get("type") != "notebook" or not isinstance(notebook, dict):
        return
    widgets = notebook.get("metadata", {}).get("widgets", {})
    saved = widgets.get(STATE, {}).get("state", {})
    for cell in notebook.get("cells", []):
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if VIEW in data and "text/html" in data and data[VIEW].get("model_id") not in saved:
                del data[VIEW]
