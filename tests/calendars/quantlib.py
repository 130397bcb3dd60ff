#!/usr/bin/env python3
"""quantlib.py: asks QuantLib for holidays and schedules and writes holidays.txt and schedules.txt.

    pip install QuantLib==1.44; tests/calendars/quantlib.py

tests/test_calendars.c compares levy with the files, so that nothing needs QuantLib there."""
import calendar as months, datetime, pathlib, random
import QuantLib as ql

folder = pathlib.Path(__file__).parent
CALENDARS = {
    "TARGET": (ql.TARGET(), 2199), "NEW_YORK": (ql.UnitedStates(ql.UnitedStates.NYSE), 2199),
    "FEDERAL_RESERVE": (ql.UnitedStates(ql.UnitedStates.FederalReserve), 2199), "LONDON": (ql.UnitedKingdom(ql.UnitedKingdom.Exchange), 2199), "TOKYO": (ql.Japan(), 2099),
    "ZURICH": (ql.Switzerland(), 2199), "HONG_KONG": (ql.HongKong(), 2027), "SHANGHAI": (ql.China(ql.China.SSE), 2026)}
LISTED = 2040  # later years have a hash
ROLLS = {"none": ql.Unadjusted, "following": ql.Following, "modified_following": ql.ModifiedFollowing,
         "preceding": ql.Preceding, "modified_preceding": ql.ModifiedPreceding, "nearest": ql.Nearest}


def ask(date):
    return ql.Date(date.day, date.month, date.year)


def holidays(calendar, year):
    days = (datetime.date(year, 1, 1) + datetime.timedelta(i) for i in range(365 + months.isleap(year)))
    return [day for day in days if day.weekday() < 5 and not calendar.isBusinessDay(ask(day))]


def hash_of(texts):  # FNV-1a
    value = 0xCBF29CE484222325
    for byte in "".join(texts).encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"{value:016x}"


def write_holidays():
    lines = [f"# Holidays on weekdays by QuantLib {ql.__version__} (quantlib.py): calendar, year, MMDD ...; of the years after {LISTED}",
             "# to the last: how many, and FNV-1a's hash of all YYYYMMDD."]
    for name, (calendar, last) in CALENDARS.items():
        for year in range(2000, min(last, LISTED) + 1):
            lines.append(" ".join([name, str(year), *(day.strftime("%m%d") for day in holidays(calendar, year))]))
        if last > LISTED:
            later = [day.strftime("%Y%m%d") for year in range(LISTED + 1, last + 1) for day in holidays(calendar, year)]
            lines.append(f"{name} later {len(later)} {hash_of(later)}")
    (folder / "holidays.txt").write_text("\n".join(lines) + "\n")


def from_ql(date):
    return datetime.date(date.year(), date.month(), date.dayOfMonth())


def month_end(day):
    return day.replace(day=months.monthrange(day.year, day.month)[1])


def schedule(r):
    names = r.choice([["WEEKENDS"], ["TARGET"], ["NEW_YORK"], ["LONDON"], ["TOKYO"], ["ZURICH"], ["TARGET", "LONDON"]])
    roll = r.choice(list(ROLLS))
    used = [CALENDARS[name][0] if name in CALENDARS else ql.WeekendsOnly() for name in names]
    calendar = ql.NullCalendar() if roll == "none" else used[0] if len(used) == 1 else ql.JointCalendar(*used)
    unit = r.choice(["1D", "1W", "2W", "1M", "1M", "3M", "3M", "6M", "1Y"])
    step = {"D": 1, "W": 7, "M": 30, "Y": 365}[unit[-1]] * int(unit[:-1])
    start = datetime.date(2000, 1, 1) + datetime.timedelta(r.randrange(30 * 365))
    end = start + datetime.timedelta(r.randrange(step + 1, 9 * step + 2))
    backward, ends, first = r.random() < 0.6, r.random() < 0.5, r.random() < 0.5
    # Ties are rare. So a third has an end some days before a month's, and a third a weekend day as its
    # start, whose day of the month or of the week counts back to a day or two after it.
    tie = r.randrange(3)
    if tie == 1 and backward:
        end = month_end(end) - datetime.timedelta(r.randrange(3))
    if tie == 1 and not backward:
        start = month_end(start) - datetime.timedelta(r.randrange(3))
    if tie == 2:
        start -= datetime.timedelta((start.weekday() - r.choice([5, 6])) % 7)
        end = from_ql(ask(start) + ql.Period(unit) * r.randrange(2, 8)) + datetime.timedelta(r.randrange(3))
    dates = [f"{d.year():04}{d.month():02}{d.dayOfMonth():02}" for d in ql.Schedule(
        ask(start), ask(end), ql.Period(unit), calendar, ROLLS[roll], ROLLS[roll],
        ql.DateGeneration.Backward if backward else ql.DateGeneration.Forward, ends)]
    return " ".join([f"{start:%Y%m%d}", f"{end:%Y%m%d}", unit, "+".join(names), roll, "backward" if backward else "forward",
                     "ends" if ends else "-", "start" if first else "-", *dates[0 if first else 1:]])


def write_schedules():
    r = random.Random(1)
    lines = [f"# 210 schedules by QuantLib {ql.__version__} (quantlib.py): start, end, frequency, calendars (none, where nothing",
             "# rolls), roll, generation, end_of_month (ends), include_start (start), then the dates."]
    while len(lines) < 212:
        try:
            lines.append(schedule(r))
        except RuntimeError:  # start and end roll to one day
            continue
    (folder / "schedules.txt").write_text("\n".join(lines) + "\n")


write_holidays()
write_schedules()
