# The same array, written by the standard library.
import json


def identity_of(scope, key):
    return json.dumps([scope, key], ensure_ascii=False, separators=(",", ":"))
