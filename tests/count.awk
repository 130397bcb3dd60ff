# count.awk: reads LastTest.log of ctest, then what ctest printed. Prints why tests were skipped, in whole or in part: they say it themselves in lines
# "skipped: REASON" (Python's unittest: "... skipped 'REASON'"). Then the scripts and CMocka's tests are counted.
/^[0-9]+\/[0-9]+ Test: / { name = $3 }
match($0, /skipped: /) && name != "" { note(substr($0, RSTART + RLENGTH)) }
match($0, /\.\.\. skipped '/) { note(substr($0, RSTART + RLENGTH, length($0) - RSTART - RLENGTH)) }
FNR == NR && /^\[  PASSED  \]/ { passed += $4 }
FNR == NR && /^\[  FAILED  \] [0-9]+ test/ { failed += $4 }
FNR == NR && /^\[  SKIPPED \] [0-9]+ test/ { skipped += $4 }
/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: test_[a-z0-9_]*\.sh / { scripts[/ Passed / ? "passed" : /\*\*\*Skipped/ ? "skipped" : "failed"]++ }

function note(reason) {
    sub(/\)$/, "", reason)
    reason = substr(reason, 1, 90)
    if ((reason, name) in seen) return
    seen[reason, name] = 1
    if (!(reason in tests)) order[++reasons] = reason
    tests[reason] = tests[reason] (tests[reason] == "" ? "" : ", ") name
}

END {
    for (i = 1; i <= reasons; i++) printf "skipped: %s: %s\n", order[i], tests[order[i]]
    printf "scripts: %d passed, %d failed, %d skipped\n", scripts["passed"], scripts["failed"], scripts["skipped"]
    printf "CMocka: %d passed, %d failed, %d skipped\n", passed, failed, skipped
}
