#!/usr/bin/env python3
"""validate.py: holds tests/json_schema.c to the package jsonschema on the files of test_mutants.

    test_mutants json | validate.py SCHEMA      exit code 77: there is no jsonschema

A line names each file on which the two differ. Must not know: what a key means.
"""
import json
import sys

try:
    from jsonschema import Draft7Validator
except ImportError:
    print("skipped: no jsonschema")
    sys.exit(77)

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
Draft7Validator.check_schema(schema)
validator = Draft7Validator(schema)
files = differ = 0
for line in sys.stdin:
    mutant = json.loads(line)
    taken = all(validator.is_valid(document) for document in mutant["documents"])
    files += 1
    if taken != mutant["taken"]:
        differ += 1
        print(f"mutant {mutant['number']}: jsonschema {'takes' if taken else 'refuses'} it; {mutant['why']}")
print(f"{files} files, {differ} differ")
sys.exit(differ > 0 or files == 0)
