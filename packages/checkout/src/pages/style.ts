import { type Brand, DEFAULT_COLOUR, inkOn } from '@tillkit/http'

/** The one style sheet of all pages. It stands in the page: a phone on a bad line asks once. */
export function styleSheet({ colour = DEFAULT_COLOUR }: Brand): string {
  return `:root{color-scheme:light dark;--brand:${colour};--on-brand:${inkOn(colour)};${STYLE}`
}

const STYLE = `--ground:#f3f4f7;--card:#fff;--ink:#16181d;--soft:#585d6a;--line:#dfe1e8;--edge:#858a99;
--bad:#b3261e;--good:#14713a;--note-ground:#eaf0ff}
@media(prefers-color-scheme:dark){:root{--ground:#0e0f13;--card:#191b21;--ink:#f1f2f6;--soft:#a8adbb;--line:#2e313b;
--edge:#7d8292;--bad:#ff9a91;--good:#6fdb97;--note-ground:#1d2745}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;background:var(--ground);color:var(--ink);font:1.0625rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
.brand{padding:1.25rem 1.25rem .75rem;text-align:center;font-weight:600;color:var(--soft)}
.brand img{display:block;margin:auto;max-width:12rem;max-height:2.75rem}
main{max-width:27rem;margin:0 auto;padding:1.5rem 1.25rem 2rem;background:var(--card)}
h1{margin:0;font-size:1.5rem;line-height:1.25;overflow-wrap:anywhere;text-wrap:balance}
h1 small{display:block;margin-bottom:.125rem;font-size:1rem;font-weight:400;color:var(--soft)}
p{margin:.75rem 0}
dl{margin:1.25rem 0 0}
dl+dl{margin:0}
dl div{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;padding:.625rem 0;border-top:1px solid var(--line)}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere;min-width:0;font-variant-numeric:tabular-nums}
.total{align-items:baseline}
.total dt{color:inherit;font-weight:600}
.total dd{font-size:1.75rem;line-height:1.25;font-weight:700}
.code dd{font-size:1.75rem;line-height:1.25;font-weight:700;letter-spacing:.12em}
.field{margin:1.25rem 0 0}
fieldset{min-width:0;padding:0;border:0}
fieldset:has([value=other]:not(:checked))+.field:not(:has([aria-invalid])){display:none}
legend{margin-bottom:.375rem;padding:0;font-weight:600}
.tips{display:grid;grid-template-columns:repeat(auto-fill,minmax(7rem,1fr));gap:.5rem}
.tip{position:relative;margin:0;font-weight:500}
.tip input{position:absolute;inset:0;width:100%;height:100%;min-height:0;margin:0;opacity:0;cursor:pointer}
.tip span{display:flex;flex-direction:column;align-items:center;justify-content:center;min-height:3.25rem;height:100%;padding:.375rem .5rem;border:1px solid var(--edge);border-radius:.625rem;color:inherit;text-align:center;line-height:1.25}
.tip small{font-size:1rem;color:var(--soft)}
.tip input:checked+span{border-color:var(--ink);box-shadow:inset 0 0 0 2px var(--ink)}
.tip input:focus-visible+span{outline:3px solid var(--ink);outline-offset:2px}
label{display:block;margin-bottom:.375rem;font-weight:600}
label span{font-weight:400;color:var(--soft)}
input{width:100%;min-height:3.25rem;padding:.625rem .875rem;border:1px solid var(--edge);border-radius:.625rem;background:var(--card);color:inherit;font:inherit;font-size:1.125rem}
input::placeholder{color:var(--soft);opacity:1}
input[aria-invalid]{border:2px solid var(--bad)}
.wrong{color:var(--bad);font-weight:500}
.wrong p{margin:.375rem 0 0}
.choices{display:grid;grid-template-columns:repeat(auto-fit,minmax(7rem,1fr));gap:.5rem}
.choices button{margin:.5rem 0 0;color:var(--ink);font-size:1.0625rem}
.keep{color:var(--soft)}
.notice{margin:1.25rem 0 0;padding:.75rem 1rem;border-radius:.625rem;background:var(--note-ground)}
button,.button{display:block;width:100%;min-height:3.5rem;margin:1.25rem 0 0;padding:.875rem 1rem;border:1px solid var(--brand);border-radius:.75rem;background:var(--brand);color:var(--on-brand);font:inherit;font-size:1.1875rem;font-weight:650;text-align:center;text-decoration:none;cursor:pointer}
button:hover,.button:hover{filter:brightness(1.08)}
button[aria-disabled]{opacity:.75;cursor:progress}
.quiet{background:none;border-color:var(--edge);color:inherit}
:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
.sign{display:block;width:3.5rem;height:3.5rem;margin:.25rem auto 1rem;fill:none;stroke:currentColor;stroke-width:4;stroke-linecap:round;stroke-linejoin:round}
.result h1,.result p{text-align:center}
.completed .sign{color:var(--good)}
.error .sign{color:var(--bad)}
.note .sign{color:var(--soft)}
.pending .sign{color:var(--soft);animation:turn 1.2s linear infinite}
@keyframes turn{to{transform:rotate(1turn)}}
@media(prefers-reduced-motion:reduce){.pending .sign{animation-duration:8s}}
@media(min-width:30rem){main{margin:.5rem auto 2rem;padding:2rem;border-radius:1.25rem;box-shadow:0 1px 2px #0001,0 8px 32px #0000000f}}
@media(forced-colors:active){button,.button,input,.tip span{border:2px solid}.tip input:checked+span{border-width:4px}}
@media print{:root{--ground:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#999;--good:#000;--bad:#000}
body{min-height:0;font-size:11pt}main{max-width:none;margin:0;padding:0;box-shadow:none}
.button,button,.keep,.field,form{display:none}.sign{width:2rem;height:2rem}dl div{break-inside:avoid}@page{margin:2cm}}`
