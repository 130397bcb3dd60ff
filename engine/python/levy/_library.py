"""Finds and loads liblevy, and makes ctypes structures from what the library says of its own layout (levy_abi)."""

import ctypes
import os
import re
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Type

from ._call import Call

NAMES = ("liblevy.so.0.2", "liblevy.so")

WRITER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_char), ctypes.c_size_t)

_KINDS = {
    ("d", 8): ctypes.c_double,
    ("i", 4): ctypes.c_int32,
    ("i", 8): ctypes.c_int64,
    ("u", 4): ctypes.c_uint32,
    ("u", 8): ctypes.c_uint64,
    ("s", 8): ctypes.c_char_p,
    ("p", 8): ctypes.c_void_p,
}

# What this package reads and writes; a library may know more members, never fewer.
_NEEDED = {
    "levy_context_options": "struct_size allow_links keep_texts kinds",
    "levy_diagnostic": "severity reason file line column path message hint text trade",
    "levy_setting": "key value",
    "levy_source": "name text length folder",
    "levy_progress": "done total seconds",
    "levy_price_options": "struct_size device isa threads batch_blocks no_kernel_cache progress user journal resume no_times"
                          " normals normals_user by part parts",
    "levy_merge_options": "struct_size paths n_paths by",
    "levy_part_info": "part parts complete",
    "levy_normals_request": "n_dimensions replicate first_path n_paths stride output",
    "levy_measure": "measure factor value std_error flagged note ci_low ci_high interval step_bias step_bias_se",
    "levy_trade_result": "id status reason message currency payoff model maturity price std_error ci_low ci_high confidence"
                         " unit_price interval paths replicates seed dimensions generator construction precision"
                         " reproducibility backend device group plan_hash seconds floor_probability padding tolerance_met tolerance"
                         " tolerance_width n_measures measures first pipeline underlying book counterparty netting_set n_tags tags"
                         " leg_of",
    "levy_run_info": "version backend device device_reason isa contract threads fingerprint groups priced failed"
                     " tolerance_missed seconds interrupted cancelled",
    "levy_netted": "currency trades replicates value std_error ci_low ci_high confidence interval key label n_measures measures"
                   " failed failed_ids translated",
    "levy_tag": "name text",
    "levy_grid_axis": "factor relative size",
    "levy_grid_point": "id scenario n_axes axes",
    "levy_report_options": "struct_size format columns wide width sums command made first count",
    "levy_study_options": "struct_size methods points fit trade replicates resamples seeds has_reference reference target_rmse measures steps",
    "levy_profile_options": "struct_size factor trade low high points",
    "levy_normals_spec": "struct_size generator output precision n_dimensions first_dimension count replicate seed device isa"
                         " threads no_kernel_cache net",
    "levy_net_spec": "struct_size file columns n_dimensions n_columns scrambling",
    "levy_normals_facts": "generator backend device device_reason isa kernel key count number_bytes threads threads_per_block"
                          " points_per_thread registers spilled_bytes blocks_per_processor most_points",
    "levy_paths_spec": "struct_size bridge drift exponential generator replicate seed net",
    "levy_sampler_spec": "struct_size weights count device isa threads no_kernel_cache weights_stream weights_on_device",
    "levy_sampler_facts": "backend device device_reason isa kernel count table_bytes threads threads_per_block draws_per_thread"
                          " registers spilled_bytes blocks_per_processor",
    "levy_draw_spec": "struct_size theta phi states words n_paths theta_stride phi_stride n_items n_states precision check threads"
                      " device fault seed first_path first_draw n_draws no_kernel_cache",
    "levy_distribution_spec": "struct_size law precision parameters isa threads device no_kernel_cache per_deviate",
    "levy_distribution_facts": "backend device device_reason isa kernel table_bytes threads threads_per_block registers"
                               " spilled_bytes blocks_per_processor",
    "levy_bridge_spec": "struct_size times order factor start n_steps n_dimensions output precision device isa threads"
                        " no_kernel_cache",
    "levy_bridge_facts": "n_steps n_dimensions slots instruction_bytes backend device device_reason isa kernel threads"
                         " threads_per_block paths_per_thread registers spilled_bytes blocks_per_processor",
}


def candidates() -> Iterator[str]:
    """Where the library may be, in the order in which it is looked for."""
    named = os.environ.get("LEVY_LIBRARY")
    if named:
        yield from (os.path.join(named, name) for name in NAMES) if os.path.isdir(named) else iter([named])
        return  # the user's word is final
    package = os.path.dirname(os.path.realpath(__file__))
    above = os.path.dirname(os.path.dirname(os.path.dirname(package)))
    # PREFIX/lib of PREFIX/lib/levy/python/levy, where cmake --install puts it; in a clone: the root
    for folder in (os.path.join(package, "lib"), package, above, os.path.join(above, "build", "lib")):
        yield from (os.path.join(folder, name) for name in NAMES)
    yield from NAMES
    from ctypes.util import find_library  # it imports more than all of this package
    found = find_library("levy")
    if found:
        yield found


def _open() -> ctypes.CDLL:
    tried: List[str] = []
    for name in candidates():
        if os.path.isabs(name) and not os.path.exists(name):
            tried.append(f"{name}: no such file")
            continue
        try:
            return ctypes.CDLL(name)
        except OSError as error:
            tried.append(str(error))
    raise ImportError("liblevy.so was not found; set LEVY_LIBRARY to the file or its folder. Tried:\n  " + "\n  ".join(tried))


def text_of(call: Callable[..., int], *arguments: Any) -> str:
    """The text that a function writes that takes a writer."""
    return bytes_of(call, *arguments).decode("utf-8")


def bytes_of(call: Callable[..., int], *arguments: Any) -> bytes:
    """What a function writes that takes a writer."""
    pieces: List[bytes] = []

    def write(_user: Any, text: Any, length: int) -> int:
        pieces.append(ctypes.string_at(text, length))
        return 0

    status = Call()(call, *arguments, WRITER(write), None)
    if status != 0:
        raise ValueError(decode(library.levy_status_message(status)))
    return b"".join(pieces)


def decode(text: Optional[bytes]) -> Optional[str]:
    """A text of the library's."""
    return None if text is None else text.decode("utf-8", "replace")


def _kind(kind: str, width: int) -> Any:
    """The ctypes type of a member; doubles may come several in a row."""
    return ctypes.c_double * (width // 8) if kind == "d" and width > 8 else _KINDS[kind, width]


def refuse_copies(self: Any, _protocol: Any) -> Any:
    """__reduce_ex__ of what holds addresses: copy, deepcopy and pickle all come through it."""
    raise TypeError(f"a {type(self).__name__} cannot be copied or pickled: it holds addresses of this process")


def _structure(name: str, size: int, members: List[str]) -> Type[ctypes.Structure]:
    fields = []
    for member in members:
        field, place = member.split("@")
        offset, width, kind = place.split(":")
        fields.append((field, _kind(kind, int(width)), int(offset)))
    made = type(name, (ctypes.Structure,), {"_fields_": [(field, kind) for field, kind, _ in fields],
                                            "__reduce_ex__": refuse_copies})
    for field, _, start in fields:
        if getattr(made, field).offset != start:
            raise ImportError(f"{name}.{field} lies at {start} in liblevy, and ctypes puts it elsewhere")
    if ctypes.sizeof(made) != size:
        raise ImportError(f"{name} has {size} bytes in liblevy, and ctypes makes {ctypes.sizeof(made)}")
    return made


def _structures() -> Dict[str, Type[ctypes.Structure]]:
    made = {}
    for line in text_of(library.levy_abi).splitlines():
        name, size, *members = line.split()
        made[name] = _structure(name, int(size), members)
    for name, needed in _NEEDED.items():
        missing = set(needed.split()) - {field[0] for field in getattr(made.get(name), "_fields_", ())}
        if missing:
            raise ImportError(f"this liblevy does not fit this package: {name} has no {', '.join(sorted(missing))}")
    return made


def _declare() -> None:
    pointer, text, size, integer = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int
    for name, result, arguments in (
            ("levy_version", text, []),
            ("levy_status_message", text, [integer]),
            ("levy_abi", integer, [WRITER, pointer]),
            ("levy_context_create", integer, [pointer, pointer]),
            ("levy_context_destroy", None, [pointer]),
            ("levy_diagnostic_count", size, [pointer]),
            ("levy_diagnostic_get", pointer, [pointer, size]),
            ("levy_book_load", integer, [pointer, pointer, size, pointer, size, pointer]),
            ("levy_book_load_kept", integer, [pointer, pointer, size, pointer, size, pointer, size, pointer]),
            ("levy_book_source", pointer, [pointer, size]),
            ("levy_book_reference", pointer, [pointer, size]),
            ("levy_book_destroy", None, [pointer]),
            ("levy_book_size", size, [pointer]),
            ("levy_book_override", integer, [pointer, pointer, size]),
            ("levy_book_set", integer, [pointer, text, ctypes.c_double]),
            ("levy_book_get", integer, [pointer, text, pointer]),
            ("levy_book_quote_count", size, [pointer]),
            ("levy_book_quote_name", text, [pointer, size]),
            ("levy_book_explain", integer, [pointer, pointer, WRITER, pointer]),
            ("levy_price", integer, [pointer, pointer, pointer]),
            ("levy_merge", integer, [pointer, pointer, pointer]),
            ("levy_part_read", integer, [pointer, text, pointer]),
            ("levy_results_destroy", None, [pointer]),
            ("levy_results_size", size, [pointer]),
            ("levy_results_trade", pointer, [pointer, size]),
            ("levy_results_run", pointer, [pointer]),
            ("levy_results_netted_count", size, [pointer]),
            ("levy_results_netted", pointer, [pointer, size]),
            ("levy_results_grid_point", pointer, [pointer, size]),
            ("levy_results_write", integer, [pointer, integer, WRITER, pointer]),
            ("levy_results_report", integer, [pointer, pointer, WRITER, pointer]),
            ("levy_results_plot", integer, [pointer, integer, text, WRITER, pointer]),
            ("levy_report_check", integer, [pointer, pointer]),
            ("levy_report_schema", integer, [integer, WRITER, pointer]),
            ("levy_describe", integer, [text, WRITER, pointer]),
            ("levy_schema", integer, [WRITER, pointer]),
            ("levy_context_describe", integer, [pointer, text, WRITER, pointer]),
            ("levy_devices_write", integer, [pointer, integer, WRITER, pointer]),
            ("levy_converge", integer, [pointer, pointer, pointer, pointer]),
            ("levy_coverage", integer, [pointer, pointer, pointer, pointer]),
            ("levy_profile", integer, [pointer, pointer, pointer, pointer]),
            ("levy_calibrate", integer, [pointer, pointer, size, pointer, pointer]),
            ("levy_calibration_write", integer, [pointer, integer, WRITER, pointer]),
            ("levy_calibration_destroy", None, [pointer]),
            ("levy_study_plot", integer, [pointer, integer, WRITER, pointer]),
            ("levy_study_destroy", None, [pointer]),
            ("levy_study_write", integer, [pointer, integer, WRITER, pointer]),
            ("levy_normals_create", integer, [pointer, pointer, pointer]),
            ("levy_normals_generate", integer, [pointer, ctypes.c_uint64, size, pointer, size, pointer]),
            ("levy_normals_info", pointer, [pointer]),
            ("levy_normals_destroy", None, [pointer]),
            ("levy_paths_create", integer, [pointer, pointer, pointer]),
            ("levy_paths_generate", integer, [pointer, ctypes.c_uint64, size, pointer, size, pointer]),
            ("levy_paths_info", pointer, [pointer]),
            ("levy_paths_destroy", None, [pointer]),
            ("levy_sampler_create", integer, [pointer, pointer, pointer]),
            ("levy_sampler_draw", integer, [pointer, ctypes.c_uint64, ctypes.c_uint64, size, pointer, pointer]),
            ("levy_sampler_invert", integer, [pointer, pointer, size, pointer, pointer]),
            ("levy_sampler_counts", integer, [pointer, ctypes.c_uint64, ctypes.c_uint64, size, pointer, pointer]),
            ("levy_sampler_info", pointer, [pointer]),
            ("levy_sampler_destroy", None, [pointer]),
            ("levy_draw_each", integer, [pointer, pointer, pointer, pointer]),
            ("levy_distribution_create", integer, [pointer, pointer, pointer]),
            ("levy_distribution_draw", integer, [pointer, ctypes.c_uint64, ctypes.c_uint32, ctypes.c_uint64, size, pointer, pointer,
                                                 pointer]),
            ("levy_distribution_invert", integer, [pointer, pointer, size, pointer, pointer, pointer]),
            ("levy_distribution_info", pointer, [pointer]),
            ("levy_distribution_destroy", None, [pointer]),
            ("levy_bridge_create", integer, [pointer, pointer, pointer]),
            ("levy_bridge_generate", integer, [pointer, pointer, pointer, size, size, pointer]),
            ("levy_bridge_info", pointer, [pointer]),
            ("levy_bridge_dump", integer, [pointer, WRITER, pointer]),
            ("levy_bridge_destroy", None, [pointer]),
            ("levy_bridge_order_first", integer, [ctypes.c_uint32, pointer, ctypes.c_uint32, pointer])):
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(f"{library._name} is no liblevy that fits this package: it has no {name}") from None
        function.restype, function.argtypes = result, arguments


library = _open()
_declare()
STRUCTURES = _structures()
GIVE_NORMALS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(STRUCTURES["levy_normals_request"]))
PROGRESS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(STRUCTURES["levy_progress"]))
FORMATS = {"table": 0, "csv": 1, "json": 2, "jsonl": 3, "svg": 5, "html": 6, "npy": 7, "yaml": 8}


def version() -> str:
    """The library's version and numeric contract: "0.2.0 (contract N)"."""
    return str(decode(library.levy_version()))


def encoded(text: str) -> bytes:
    """Text for the library, which ends a text at a NUL: with one in it, another text would be meant."""
    data = text.encode()
    if b"\0" in data:
        raise ValueError(f"a NUL is in the text {text!r}")
    return data


def meant(word: Any, known: Iterable[str], otherwise: str) -> str:
    """What an error message adds to a word that is unknown: the nearest of those that are known, or what else to do."""
    from difflib import get_close_matches
    near = get_close_matches(word, known, 1) if isinstance(word, str) else []
    return f"; did you mean '{near[0]}'?" if near else f"; {otherwise}"


def checked_format(format: Any, known: Sequence[str]) -> str:
    if format in known:
        return str(format)
    raise ValueError(f"there is no text in the format {format!r}{meant(format, known, 'use one of ' + ', '.join(known))}")


def describe(topic: Optional[str] = None) -> str:
    """What can be written in a file: one topic, or the list of them."""
    return described(topic, lambda name: text_of(library.levy_describe, name))


def described(topic: Optional[str], call: Callable[[Optional[bytes]], str]) -> str:
    """A topic's text. An unknown one is a ValueError that names the nearest."""
    try:
        return call(None if topic is None else encoded(topic))
    except ValueError:
        if topic is None or "\0" in topic:
            raise
    known = re.findall(r"^  ([a-z][\w.]*)", call(None), re.MULTILINE)
    raise ValueError(f"there is no topic {topic!r}" + meant(topic, known, "describe() lists the topics"))


def schema(of: str = "input") -> str:
    """The JSON Schema (draft-07) of the "input", of a "report" in JSON, or of a "line" of JSON lines."""
    if of == "input":
        return text_of(library.levy_schema)
    if of not in ("report", "line"):
        raise ValueError(f"there is a schema of input, report and line; got {of!r}")
    return text_of(library.levy_report_schema, FORMATS["json" if of == "report" else "jsonl"])
