"""What was expected and what was found, in our words: no text of a library reaches a reader."""

from __future__ import annotations

from pydantic_core import ErrorDetails

_SHOWN = 60

_EXPECTED = {
    "missing": "a value",
    "extra_forbidden": "no such field",
    "string_type": "text",
    "string_too_short": "text of at least {min_length} characters",
    "string_too_long": "text of at most {max_length} characters",
    "string_unicode": "text that is valid Unicode",
    "string_pattern_mismatch": "text that matches {pattern}",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "greater_than_equal": "a number of at least {ge}",
    "greater_than": "a number above {gt}",
    "less_than_equal": "a number of at most {le}",
    "less_than": "a number below {lt}",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "dict_type": "a mapping",
    "mapping_type": "a mapping",
    "list_type": "a list",
    "tuple_type": "a tuple",
    "too_short": "at least {min_length} of them",
    "too_long": "at most {max_length} of them",
    "union_tag_invalid": "a {discriminator} out of {expected_tags}",
    "union_tag_not_found": "a field {discriminator}",
    "enum": "{expected}",
    "literal_error": "{expected}",
    "datetime_type": "a date and time",
    "datetime_parsing": "a date and time",
    "datetime_from_date_parsing": "a date and time",
    "timezone_aware": "a time with its UTC offset",
    "model_type": "a {class_name}",
    "model_attributes_type": "a mapping of fields",
    "json_invalid": "JSON",
    "frozen_instance": "no change: the instance is frozen",
    "frozen_field": "no change: the field is frozen",
}


def expected_of(details: ErrorDetails) -> str:
    """What a field that pydantic refused should have been; empty where the kind of error has no words."""
    template = _EXPECTED.get(details["type"], "")
    return template.format(**details.get("ctx", {}))


def show(value: object) -> str:
    """The value as Python writes it, cut to one short line."""
    text = " ".join(repr(value).split())
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
