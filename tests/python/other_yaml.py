"""Every example, read by PyYAML (YAML 1.1: `on` is true there, 1e6 a text) and given as maps, or written again, has the same prices."""

import pathlib
import sys

import yaml

import levy


def prices(book):
    return [(trade.id, trade.status, trade.message, trade.price, [(m.measure, m.factor, m.value) for m in trade.measures]) for trade in book.price()]


def same(path):
    text = path.read_text()
    again = yaml.safe_dump_all(yaml.safe_load_all(text), sort_keys=False)
    if again == text:
        raise SystemExit(f"{path.name}: PyYAML wrote it as it was, so nothing was tried")
    settings = {} if "tolerance:" in text else {"simulation.paths": "2^12"}
    options = dict(folder=path.parent, settings=settings)
    mine, theirs = (levy.loads(source, path.name, **options) for source in (text, again))
    maps = levy.load(*yaml.safe_load_all(text), **options)
    # nan is not itself: compared as text
    return repr(prices(mine)) == repr(prices(theirs)) == repr(prices(maps))


def main(folder):
    paths = sorted([*pathlib.Path(folder).glob("*.yaml"), *pathlib.Path(folder, "payoffs").glob("*.yaml")])
    paths = [path for path in paths if "trades:" in path.read_text()]
    different = [path.name for path in paths if not same(path)]
    print(f"{len(paths)} examples through PyYAML {yaml.__version__}, different: {different or 'none'}")
    return 1 if different or len(paths) < 50 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
