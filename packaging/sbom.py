"""sbom.py VERSION FOLDER: what is inside each product of packaging/release.sh, as a document of SPDX 2.3 in JSON on the standard
output. levy takes in three works of others: libyaml (static in a wheel, the system's for a Debian package), the header of xxHash,
and the direction numbers of Joe and Kuo. Versions are those of this machine, which built the products; dates are the commit's."""
import ctypes
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import uuid

version, folder = sys.argv[1], pathlib.Path(sys.argv[2])


def yaml_version():
    asked = ctypes.CDLL("libyaml-0.so.2").yaml_get_version_string  # of one source package with libyaml.a
    asked.restype = ctypes.c_char_p
    return asked().decode()


def xxhash_version():
    text = subprocess.run([os.environ.get("CC", "cc"), "-E", "-dM", "-include", "xxhash.h", "-x", "c", "/dev/null"],
                          check=True, capture_output=True, text=True).stdout
    return ".".join(re.search(rf"#define XXH_VERSION_{part}\s+(\d+)", text)[1] for part in ("MAJOR", "MINOR", "RELEASE"))


def package(name, number, licence, holder, **more):
    return {"SPDXID": "SPDXRef-" + re.sub("[^A-Za-z0-9.-]", "-", name), "name": name, "versionInfo": number,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence,
            "copyrightText": holder, **more}


def product(path):
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return package(path.name, version, "MIT AND BSD-3-Clause AND BSD-2-Clause" if path.suffix != ".gz" else "MIT AND BSD-3-Clause",
                   "Copyright (c) 2026 levy developers", packageFileName=path.name, supplier="Organization: levy developers",
                   checksums=[{"algorithm": "SHA256", "checksumValue": digest}])


PARTS = {
    "libyaml": package("libyaml", yaml_version(), "MIT", "Copyright (c) 2017-2020 Ingy döt Net, (c) 2006-2016 Kirill Simonov"),
    "xxhash": package("xxhash", xxhash_version(), "BSD-2-Clause", "Copyright (C) 2012-2020 Yann Collet"),
    "numbers": package("new-joe-kuo-6.21201", "NOASSERTION", "BSD-3-Clause", "Copyright (c) 2008, Frances Y. Kuo and Stephen Joe"),
}
del PARTS["numbers"]["versionInfo"]


def relations(path):
    """What of others a product has inside, and what it uses."""
    inside = {"xxhash": "CONTAINS", "numbers": "CONTAINS"}
    if path.suffix == ".whl":
        return {**inside, "libyaml": "STATIC_LINK"}
    if path.suffix == ".gz":
        return {"numbers": "CONTAINS", "libyaml": "DEPENDS_ON", "xxhash": "DEPENDS_ON"}
    if path.name.startswith("liblevy-dev"):
        return {**inside, "libyaml": "DEPENDS_ON"}
    return {**inside, "libyaml": "DYNAMIC_LINK"} if path.name.startswith("liblevy") else {}


files = sorted(path for path in folder.iterdir() if path.suffix in (".whl", ".deb") or path.name.endswith(".tar.gz"))
if not files:
    sys.exit(f"sbom.py: {folder} has no product")
products = [product(path) for path in files]
relationships = [("SPDXRef-DOCUMENT", "DESCRIBES", each["SPDXID"]) for each in products]
for path, each in zip(files, products):
    relationships += [(each["SPDXID"], kind, PARTS[part]["SPDXID"]) for part, kind in relations(path).items()]
    if not relations(path):
        each["licenseConcluded"] = each["licenseDeclared"] = "MIT"
sums = "".join(each["checksums"][0]["checksumValue"] for each in products)
created = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())))
json.dump({
    "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"levy-{version}",
    "documentNamespace": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, sums)}",
    "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", created), "creators": ["Organization: levy developers", "Tool: sbom.py"]},
    "packages": products + list(PARTS.values()),
    "relationships": [{"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other} for one, kind, other in relationships],
}, sys.stdout, indent=1, ensure_ascii=False)
print()
