#!/bin/bash
# test_report_page.sh: the page of levy price against the JSON of the same run (report_page.py), of examples and of a book with
# failed trades, several currencies, cash without a model, and texts that would be markup. Environment: LEVY (set by ctest).
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
python=$(command -v python3) || { echo "skipped: no python3"; exit 77; }
check() { "$python" "$root/tests/report_page.py" "${LEVY:?the program to test}" "$@"; }
for name in book scenarios greeks legs dividends quickstart kinds/book payoffs/phoenix payoffs/cash; do
    check "$root/configs/$name.yaml" --paths 2^10
done
check "$root/configs/heston.yaml" --paths 2^10 --measures price,delta,parameters
check "$root/configs/book.yaml" --paths 2^10 --by book,tags.desk --set NORTH.spot=420 --set USD.rate=0.001
work=$(mktemp -d "${TMPDIR:-/tmp}/levy-page-XXXXXX")
trap 'rm -rf "$work"' EXIT
cat > "$work/<i>&\"book'.yaml" << 'YAML'
schema_version: 1
valuation_date: 2026-11-20
market:
  curves: {USD: 0.04, EUR: {kind: discount, nodes: [[2027-11-20, 0.975], [2030-11-20, 0.92]]}}
  assets:
    SPX: {currency: USD, spot: 6680, borrow: 0.002, dividends: {cash: [[2027-02-12, 20], [2027-08-12, 21]]},
          volatility: {kind: term, nodes: [[2027-11-20, 0.17], [2029-11-20, 0.19]]}}
    SX5E: {currency: EUR, spot: 4900, volatility: 0.21}
models: {us: {kind: merton, assets: [SPX], intensity: 0.4, jump_mean: -0.1, jump_volatility: 0.15}, eu: {kind: black_scholes, assets: [SX5E]}}
measures: [price, delta, vega, rho]
scenarios:
  - {id: crash, shifts: [{factor: ALL.spot, type: relative, size: -0.3}]}
  - id: box
    grid: [{factor: ALL.spot, type: relative, sizes: [-0.1, 0, 0.1]}, {factor: ALL.volatility, type: absolute, sizes: [-0.02, 0.02]}]
trades:
  - {id: ko, model: us, underlying: SPX, quantity: 1000, position: short, exercise: {expiry: 2027-11-19}, book: '<b>&"x"</b><script>alert(1)</script>',
     tags: {desk: "]]>-->", "<i>": "' onload='x"}, payoff: {kind: barrier, option_type: call, strike: 7000,
     barrier: {direction: up, knock: out, level: 8000.5, monitoring: discrete, observations: {frequency: 1M}}}}
  - {id: cash, notional: 1000000, currency: EUR, payoff: {kind: cash}, exercise: {expiry: 2028-01-10}, counterparty: '&lt;'}
  - {id: call, model: eu, underlying: SX5E, quantity: 12345, exercise: {expiry: 2027-11-19}, payoff: {kind: european, option_type: call, strike: 5000}}
  - {id: broken, model: eu, underlying: "<img src=x onerror=alert(1)>", exercise: {expiry: 2027-11-19}, payoff: {kind: european, option_type: call, strike: 5000}}
  - {id: settled, model: eu, underlying: SX5E, exercise: {expiry: 2025-11-19}, payoff: {kind: european, option_type: call, strike: 5000}}
simulation: {paths: 2^10}
YAML
check "$work/<i>&\"book'.yaml" --by book,tags.desk
