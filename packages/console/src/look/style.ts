import { type Brand, DEFAULT_COLOUR, inkOn } from '@tillkit/http'

/** The one style sheet of all pages, for light and dark, the phone and the desk, and paper. */
export function styleSheet({ colour = DEFAULT_COLOUR }: Brand): string {
  return `:root{color-scheme:light dark;--brand:${colour};--on-brand:${inkOn(colour)};${STYLE}${PARTS}${FIGURES}${SHEET}`
}

const STYLE = `--ground:#f3f4f7;--card:#fff;--ink:#16181d;--soft:#555a67;--line:#dfe1e8;--edge:#7b8090;--link:#1f47c4;
--bad:#b3261e;--good:#116835;--wait:#80520a;--bad-ground:#fdeceb;--good-ground:#e6f5ec;--wait-ground:#fdf3dd;--quiet-ground:#eceef3;--chart:#2a5fd0;--before:#8b909f}
@media(prefers-color-scheme:dark){:root{--ground:#0e0f13;--card:#191b21;--ink:#f1f2f6;--soft:#abb0be;--line:#30333d;--edge:#7d8292;--link:#9db8ff;
--bad:#ff9f97;--good:#77dd9d;--wait:#f0c36d;--bad-ground:#3a1c1b;--good-ground:#12301f;--wait-ground:#362a12;--quiet-ground:#262932;--chart:#86a8ff;--before:#7d8292}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{left:.5rem;top:.5rem;z-index:1;background:var(--card);padding:.5rem 1rem}
.top{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1rem;padding:.75rem 1rem;background:var(--card);border-bottom:1px solid var(--line)}
.top b{display:flex;align-items:center;gap:.5rem;overflow-wrap:anywhere}.top img{max-height:1.75rem;max-width:9rem}
.top span{margin-left:auto;color:var(--soft);overflow-wrap:anywhere;min-width:0}
nav ul{display:flex;flex-wrap:wrap;gap:.125rem;margin:0;padding:.25rem .5rem;list-style:none}
nav{background:var(--card);border-bottom:1px solid var(--line)}
nav a{display:block;padding:.625rem .75rem;border-radius:.5rem;color:var(--ink);text-decoration:none}
nav a:hover{background:var(--quiet-ground)}
nav a[aria-current]{font-weight:650;box-shadow:inset 0 -3px var(--brand);border-radius:.5rem .5rem 0 0}
.whose{display:block;padding:.625rem 1.25rem 0;font-weight:650;overflow-wrap:anywhere}
main{max-width:78rem;margin:0 auto;padding:1rem}
h1{margin:.25rem 0 1rem;font-size:1.5rem;line-height:1.25;overflow-wrap:anywhere;text-wrap:balance}
h2{margin:0 0 .75rem;font-size:1.125rem;line-height:1.3}
h3{margin:1rem 0 .375rem;font-size:1rem}
p{margin:.5rem 0}
.soft,.hint,small{color:var(--soft)}
.card{overflow-wrap:anywhere;margin:0 0 1rem;padding:1rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,13rem),1fr));gap:.75rem;margin:0 0 1rem}
.cards .card{margin:0}
.cards strong{display:block;font-size:1.5rem;line-height:1.25;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.pair{display:grid;gap:0 1rem}@media(min-width:60rem){.pair{grid-template-columns:1fr 1fr}}`

const PARTS = `
.scroll{overflow-x:auto;margin:0 -1rem;padding:0 1rem}
table{width:100%;border-collapse:collapse}
caption{text-align:left;color:var(--soft);padding:0 0 .375rem}
th,td{padding:.5rem .625rem;border-top:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:break-word;min-width:4.5rem}
thead th{border-top:0;color:var(--soft);font-weight:600;font-size:.9375rem;white-space:nowrap}
th:first-child,td:first-child{padding-left:0}
th:last-child,td:last-child{padding-right:0}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.box{min-width:0;width:2rem}
time{white-space:nowrap}
code,.mono{font:.9375em/1.4 ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}
pre{margin:.375rem 0;padding:.5rem .75rem;background:var(--quiet-ground);border-radius:.5rem;white-space:pre-wrap;overflow-wrap:anywhere;font:.875rem/1.4 ui-monospace,Menlo,Consolas,monospace}
.state{display:inline-block;padding:.0625rem .5rem;border-radius:1rem;font-size:.9375rem;font-weight:600;white-space:nowrap;background:var(--quiet-ground)}
.good{color:var(--good);background:var(--good-ground)}.bad{color:var(--bad);background:var(--bad-ground)}.wait{color:var(--wait);background:var(--wait-ground)}
.notice{margin:0 0 1rem;padding:.75rem 1rem;border-radius:.625rem;border:1px solid currentColor}
.notice.plain{background:var(--quiet-ground)}
dl{display:grid;grid-template-columns:minmax(7rem,max-content) 1fr;gap:.375rem 1rem;margin:0}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere;min-width:0}
form{margin:0}
.field{margin:0 0 .875rem}
.fields{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,13rem),1fr));gap:0 1rem}
label,legend{display:block;margin-bottom:.25rem;font-weight:600;padding:0}
label.tick{display:flex;gap:.5rem;align-items:center;font-weight:400;min-height:2rem}
fieldset{border:0;margin:0 0 .875rem;padding:0;min-width:0}
input,select,textarea{width:100%;min-height:2.75rem;padding:.5rem .75rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--card);color:inherit;font:inherit}
input[type=checkbox],input[type=radio]{width:1.25rem;min-height:1.25rem;height:1.25rem;flex:none;margin:0;accent-color:var(--link)}
input[aria-invalid]{border:2px solid var(--bad)}
button,.button{display:inline-block;min-height:2.75rem;padding:.5rem 1rem;border:1px solid var(--brand);border-radius:.5rem;background:var(--brand);color:var(--on-brand);font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
button.quiet,.button.quiet{background:none;border-color:var(--edge);color:inherit}
button.danger{background:none;border-color:var(--bad);color:var(--bad)}
button[aria-disabled]{opacity:.7;cursor:progress}
.row{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin:.5rem 0}
.row>form,.row>label{margin:0}
.row>input[type=date]{width:auto}
details{margin:.5rem 0}
summary{cursor:pointer;padding:.5rem 0;font-weight:600}
details>form,details>div{padding:.5rem 0 .25rem}
.secret{display:flex;gap:.5rem;flex-wrap:wrap}.secret input{flex:1 1 18rem;font-family:ui-monospace,Menlo,Consolas,monospace}
.pager{background:none;border:0;display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;margin:1rem 0 0}
ol.way{margin:0;padding:0;list-style:none}
.way>li{position:relative;padding:0 0 1.25rem 1.75rem;border-left:2px solid var(--line);margin-left:.5rem}
.way>li:last-child{border-color:transparent;padding-bottom:0}
.way>li::before{content:"";position:absolute;left:-.5rem;top:.375rem;width:.875rem;height:.875rem;border-radius:50%;background:var(--edge)}
.way>li.done::before{background:var(--good)}.way>li.failed::before{background:var(--bad)}.way>li.open::before{background:var(--card);border:3px solid var(--wait)}
.way h3{margin:0}
@media(max-width:40rem){.wide{display:none}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.5rem}.cards{grid-template-columns:1fr 1fr}.cards strong{font-size:1.25rem}}
@media(forced-colors:active){button,.button,.state{border:1px solid}}`

const FIGURES = `
.chart{display:block;width:100%;height:auto}
.chart text{font:12px system-ui,sans-serif;fill:var(--soft)}
.chart .bar{fill:var(--chart)}.chart .before{fill:none;stroke:var(--before);stroke-width:2;stroke-dasharray:5 4}
.chart .grid{stroke:var(--line)}
.key{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:.25rem 0;color:var(--soft)}
.key span::before{content:"";display:inline-block;width:1.25rem;height:.625rem;margin-right:.5rem;background:var(--chart)}
.key span.then::before{height:0;border-top:2px dashed var(--before);background:none;vertical-align:middle}
.narrow{display:none}@media(max-width:40rem){.narrow{display:block}.broad{display:none}}
@media(forced-colors:active){.chart .bar{fill:Highlight;forced-color-adjust:none}}
@media print{.top,nav,.skip,.no-print{display:none!important}body{background:#fff}main{max-width:none;padding:0}}
`

const counted = (most: number, name: string, property: string) =>
  Array.from(
    { length: most },
    (_, n) => `.${name}-${n + 1}{grid-template-${property}:repeat(${n + 1},minmax(0,1fr))}`,
  ).join('')

/** Labels with codes, on paper whose size the page sets itself; on a screen a page is as wide as there is room. */
const SHEET = `
.paper{background:#fff;color:#000;margin:0 0 1rem;padding:10mm;border:1px solid var(--line);overflow:hidden}
.paper.a4{aspect-ratio:210/297;max-width:210mm;page:a4}.paper.letter{aspect-ratio:216/279;max-width:216mm;page:letter}
.labels{display:grid;width:100%;height:100%;gap:2mm}
.labels figure{display:flex;flex-direction:column;align-items:center;justify-content:center;margin:0;min-height:0;min-width:0;padding:1mm;border:.2mm dashed #bbb;break-inside:avoid;overflow:hidden}
.labels svg{flex:1 1 0;min-height:0;width:100%;height:auto;max-height:100%}
.labels figcaption{flex:none;max-width:100%;text-align:center;font-size:3mm;line-height:1.25}
.labels b,.labels span,.labels code{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;max-width:100%}.labels code{font-size:2.5mm}
${counted(5, 'columns', 'columns')}${counted(8, 'rows', 'rows')}
@page a4{size:210mm 297mm;margin:0}@page letter{size:8.5in 11in;margin:0}
@media print{.paper{margin:0;border:0;break-after:page;max-width:none;aspect-ratio:auto}.paper:last-child{break-after:auto}.paper.a4{width:210mm;height:296.5mm}.paper.letter{width:8.5in;height:10.98in}main:has(.paper) h1{display:none}}
`
