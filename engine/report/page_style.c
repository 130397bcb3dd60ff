/* page_style.c: the look of the page of a run, by day and by night, and the script that sorts its
 * tables. Nothing in it names another file or host. The night's rules turn the neutral colours of
 * plots (svg.h); a cell of a heat map has colours that they do not name, so it keeps them. */
#include "engine/report/page.h"

static const char page_style[] =
    ":root{color-scheme:light dark;--paper:#ffffff;--ink:#1a1a1a;--quiet:#5a5a5a;--rule:#dcdcdc;"
    "--box:#f5f6f8;--mark:#9a4300}\n"
    "@media (prefers-color-scheme:dark){:root{--paper:#15181c;--ink:#e8e8e8;--quiet:#a5abb3;"
    "--rule:#363b42;--box:#1e2227;--mark:#f0a35c}\n"
    "svg [fill=\"#000000\"]{fill:#e8e8e8}svg [fill=\"#444444\"]{fill:#b4bac2}"
    "svg [fill=\"#dcdcdc\"]{fill:#3a4048}svg [fill=\"#ececec\"]{fill:#262b31}"
    "svg [fill=\"#ffffff\"]{fill:#15181c}\n"
    "svg [stroke=\"#000000\"]{stroke:#e8e8e8}svg [stroke=\"#444444\"]{stroke:#b4bac2}"
    "svg [stroke=\"#dcdcdc\"]{stroke:#3a4048}svg [stroke=\"#ececec\"]{stroke:#262b31}\n"
    "svg [fill=\"#0072b2\"]{fill:#4aa8e0}svg [stroke=\"#0072b2\"]{stroke:#4aa8e0}}\n"
    "*{box-sizing:border-box}body{margin:0 auto;padding:24px;max-width:1180px;background:"
    "var(--paper);color:var(--ink);font:15px/1.45 system-ui,sans-serif}\n"
    "h1{font-size:24px;margin:0 0 4px}h2{font-size:18px;margin:32px 0 10px}"
    "p{margin:4px 0}.quiet{color:var(--quiet)}\n"
    ".boxes{display:flex;flex-wrap:wrap;gap:14px;margin:18px 0}.box{background:var(--box);"
    "border:1px solid var(--rule);border-radius:8px;padding:14px 20px;min-width:220px}"
    ".box b{display:block;font-size:26px;font-variant-numeric:tabular-nums}\n"
    ".wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:14px}"
    "th,td{padding:5px 10px;text-align:left;border-bottom:1px solid var(--rule);"
    "white-space:nowrap;vertical-align:top}"
    "td.text{white-space:normal;overflow-wrap:anywhere;min-width:240px}"
    ".number{text-align:right;font-variant-numeric:tabular-nums}\n"
    "th button{all:unset;cursor:pointer;font-weight:600}th button:focus-visible{outline:2px solid "
    "var(--mark)}th[aria-sort=ascending] button::after{content:\" \\25b4\"}"
    "th[aria-sort=descending] button::after{content:\" \\25be\"}\n"
    "tr:hover td{background:var(--box)}.flag{color:var(--mark)}code{font-size:13px}\n"
    "figure{margin:0 0 24px;overflow-x:auto}svg{max-width:100%;height:auto;display:block}\n"
    "@media print{body{max-width:none;padding:0}figure,.box{break-inside:avoid}}\n";

/* Rows are sorted by the numbers or texts of the column's cells. A number has every bit in
 * data-value; cells without one come last. */
static const char page_script[] =
    "for(const table of document.querySelectorAll('table.sorts')){\n"
    "const body=table.tBodies[0];\n"
    "table.querySelectorAll('th').forEach((head,column)=>{\n"
    "const button=head.querySelector('button');\n"
    "if(button)button.addEventListener('click',()=>{\n"
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

void levy_page_style(levy_text_out *out)
{
    levy_text_put(out, "<style>\n");
    levy_text_put(out, page_style);
    levy_text_put(out, "</style>\n");
}

void levy_page_script(levy_text_out *out)
{
    levy_text_put(out, "<script>\n");
    levy_text_put(out, page_script);
    levy_text_put(out, "</script>\n");
}
