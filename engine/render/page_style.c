/* page_style.c: the look of the page of a run, by day, by night and on A4, and the script that
 * sorts its tables. Nothing in it names another file or host. The night's rules turn the neutral
 * colours of plots (svg.h); a cell of a heat map has colours that they do not name, so it keeps
 * them. On paper heads repeat, and no row is cut. */
#include "engine/render/page.h"

static const char page_colors[] =
    ":root{color-scheme:light dark;--paper:#ffffff;--ink:#1a1a1a;--quiet:#5f6368;--rule:#dfe1e5;"
    "--line:#8a9099;--band:#f4f6f8;--mark:#9a4300;--alarm:#fdf3ea}\n"
    "@media screen and (prefers-color-scheme:dark){:root{--paper:#15181c;--ink:#e8e8e8;"
    "--quiet:#a5abb3;--rule:#30353b;--line:#6d747d;--band:#1e2227;--mark:#f0a35c;--alarm:#2a2118}\n"
    "svg [fill=\"#000000\"]{fill:#e8e8e8}svg [fill=\"#444444\"]{fill:#b4bac2}"
    "svg [fill=\"#dcdcdc\"]{fill:#3a4048}svg [fill=\"#ececec\"]{fill:#262b31}"
    "svg [fill=\"#ffffff\"]{fill:#15181c}\n"
    "svg [stroke=\"#000000\"]{stroke:#e8e8e8}svg [stroke=\"#444444\"]{stroke:#b4bac2}"
    "svg [stroke=\"#dcdcdc\"]{stroke:#3a4048}svg [stroke=\"#ececec\"]{stroke:#262b31}\n"
    "svg [fill=\"#0072b2\"]{fill:#4aa8e0}svg [stroke=\"#0072b2\"]{stroke:#4aa8e0}}\n";

static const char page_layout[] =
    "*{box-sizing:border-box}body{margin:0 auto;padding:28px 32px;max-width:1320px;background:"
    "var(--paper);color:var(--ink);font:14px/1.4 system-ui,sans-serif}\n"
    "header{border-bottom:2px solid var(--ink);padding-bottom:8px;margin-bottom:14px;display:flex;"
    "align-items:baseline;justify-content:space-between;gap:24px}"
    "h1{font-size:25px;margin:0}.book{font-size:16px;margin:0;text-align:right;"
    "overflow-wrap:anywhere}\n"
    "h2{font-size:18px;margin:30px 0 8px}h3{font-size:14.5px;margin:14px 0 4px}"
    "p{margin:3px "
    "0}h2+p{margin-top:-6px;font-size:13px}.quiet,small,footer,.marks{color:var(--quiet)}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 18px;margin:0;font-size:13px}"
    "dt{color:var(--quiet)}dd{margin:0;overflow-wrap:anywhere}\n"
    ".wide{overflow-x:auto}table{border-collapse:collapse;font-size:13px;margin:0 0 6px;"
    "font-variant-numeric:tabular-nums lining-nums}"
    "th,td{padding:4px 8px;text-align:left;vertical-align:top;white-space:nowrap}"
    "td{border-bottom:1px solid var(--rule)}thead th{border-bottom:1.5px solid var(--line);"
    "vertical-align:bottom;font-weight:600}\n"
    "small{display:block;font-size:11px;font-weight:400}"
    "td small{display:inline;padding-left:6px}.named{white-space:normal}"
    ".id{white-space:nowrap}.long{display:inline-block;min-width:26ch;white-space:normal;"
    "overflow-wrap:anywhere}"
    ".text,.names{white-space:normal}.text{overflow-wrap:anywhere;min-width:150px}"
    ".facts .text{min-width:0}"
    "td:first-child,th:first-child{padding-left:0}.leg{padding-left:16px!important}\n"
    ".number{text-align:right}.error{color:var(--quiet);padding-left:0;font-size:12px}"
    ".sums td,.value .number{font-weight:600}.sums tr:first-child td{border-top:1.5px solid "
    "var(--line)}.again td:first-child{color:var(--quiet);font-weight:400}"
    ".sums .error{font-weight:400}sup{line-height:0;font-size:9.5px;padding-left:2px}\n"
    "th[tabindex]{cursor:pointer}th[tabindex]:focus-visible{outline:2px solid var(--mark)}"
    "th[aria-sort=ascending]{box-shadow:inset 0 2px var(--mark)}"
    "th[aria-sort=descending]{box-shadow:inset 0 -2px var(--mark)}"
    "tbody tr:hover td{background:var(--band)}\n"
    ".flag{color:var(--mark)}.failed{background:var(--alarm);border-left:4px solid var(--mark);"
    "padding:10px 16px;margin:18px 0}.failed h2{margin:0 0 6px;color:var(--mark)}"
    ".market{display:flex;flex-wrap:wrap;gap:0 "
    "44px}code{font-size:12px}.marks{font-size:12px;margin:4px 0 12px;padding-left:22px}\n"
    "figure{margin:0 0 20px;overflow-x:auto}svg{max-width:100%;height:auto;display:block}"
    "footer{margin-top:34px;border-top:1px solid var(--rule);padding-top:8px;font-size:12px}\n";

static const char page_print[] =
    ";margin:14mm 13mm 15mm;@bottom-right{content:counter(page) \" / \" "
    "counter(pages);font:8pt sans-serif;color:#5f6368}}\n"
    "@media print{body{max-width:none;padding:0;font-size:9.5pt}table{font-size:8pt}"
    "dl,.marks,footer,h2+p{font-size:8pt}small{font-size:7pt}.error{font-size:7.5pt}sup{font-size:"
    "6.5pt}"
    "th,td{padding:2.5px 5px}.text{min-width:140px}.wide,figure{overflow:visible}\n"
    "tr,figure,li,.market "
    "section{break-inside:avoid}h2,h3,h2+p,h3+p{break-after:avoid}thead{display:"
    "table-header-group}*{print-color-adjust:exact}}\n";

/* Rows are sorted by the numbers or texts of the column's cells. A number has every bit in
 * data-value; cells without one come last. A head may stand over several cells. */
static const char page_script[] =
    "for(const table of document.querySelectorAll('table.sorts')){\n"
    "const body=table.tBodies[0];let at=0;\n"
    "table.querySelectorAll('th').forEach(head=>{\n"
    "const column=at;at+=head.colSpan;\n"
    "head.tabIndex=0;head.onkeydown=e=>{if(e.key==='Enter')head.click()};\n"
    "head.addEventListener('click',()=>{\n"
    "const up=head.getAttribute('aria-sort')!=='ascending';\n"
    "const key=row=>{const cell=row.cells[column];return cell.dataset.value===undefined?"
    "cell.textContent:cell.dataset.value===''?NaN:Number(cell.dataset.value)};\n"
    "const rows=[...body.rows].sort((a,b)=>{const x=key(a),y=key(b);\n"
    "if(typeof x==='number'&&typeof y==='number'){\n"
    "if(isNaN(x)||isNaN(y))return isNaN(x)-isNaN(y);\n"
    "return up?x-y:y-x}\n"
    "return (up?1:-1)*String(x).localeCompare(String(y))});\n"
    "table.querySelectorAll('th').forEach(h=>h.removeAttribute('aria-sort'));\n"
    "head.setAttribute('aria-sort',up?'ascending':'descending');\n"
    "body.append(...rows)})})}\n";

void levy_page_style(levy_page *page, bool across)
{
    LEVY_TEXT_PUT(page->out, "<style>\n", page_colors, page_layout,
                  across ? "@page{size:A4 landscape" : "@page{size:A4", page_print, "</style>\n");
}

void levy_page_script(levy_page *page)
{
    LEVY_TEXT_PUT(page->out, "<script>\n", page_script, "</script>\n");
}
