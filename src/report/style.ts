import { palette } from "./palette.js";
import { plotStyle } from "./plotStyle.js";

/** All of the page's style. Light or dark as the reader's system is; one column on a phone. */
export const style = `
:root{color-scheme:light dark;--ground:#f7f7f4;--card:#fff;--ink:#1b1d21;--soft:#565b63;--line:#dedfda;--accent:#0067a3;--on-accent:#fff;--shade:0 1px 2px rgb(0 0 0/.06),0 6px 20px rgb(0 0 0/.05);--right:#009e73;--wrong:#d55e00;--lost:#b9bdc4;--caught:#56b4e9}
@media (prefers-color-scheme:dark){:root{--ground:#131519;--card:#1b1e24;--ink:#eceef1;--soft:#a9afb9;--line:#31353d;--accent:#6cbdf0;--on-accent:#0c1218;--shade:0 1px 2px rgb(0 0 0/.4);--right:#2bb78d;--wrong:#e8743b;--lost:#59606b;--caught:#56b4e9}}
*{box-sizing:border-box}
[hidden]{display:none!important}
html{scroll-padding-top:15rem}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;-webkit-text-size-adjust:100%}
main,header,footer{max-width:84rem;margin:0 auto;padding:0 1.5rem}
h1{font-size:clamp(1.7rem,3.4vw,2.5rem);line-height:1.15;letter-spacing:-.02em;margin:.2rem 0 .5rem;text-wrap:balance}
h2{font-size:1.35rem;letter-spacing:-.01em;margin:0 0 .25rem}
h3{font-size:1rem;margin:0}
p,h1,h2,h3,li{overflow-wrap:anywhere}
p{margin:.25rem 0}
code,pre{font:.86em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:4px}
.skip{position:absolute;left:-99rem;top:0;background:var(--accent);color:var(--on-accent);padding:.6rem 1rem;z-index:9}
.skip:focus{left:1rem;top:1rem}
.soft{color:var(--soft)}.small{font-size:.86rem;margin-top:.5rem}
header{padding-top:2.2rem;padding-bottom:1.2rem}
.kicker{color:var(--soft);font-size:.82rem;font-weight:600;letter-spacing:.08em;text-transform:uppercase}
.lead{font-size:1.08rem;max-width:62ch;color:var(--soft)}
.facts{display:flex;flex-wrap:wrap;gap:.4rem 1.6rem;margin:.9rem 0 0;padding:0;list-style:none;font-size:.92rem}
.facts b{font-weight:650}.facts .swatch{display:inline-block;margin-right:.45rem}
details{margin-top:.8rem}
summary{cursor:pointer;font-weight:600;width:fit-content}
.command{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.6rem .8rem;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere;margin:.4rem 0}header>.command{margin-top:1rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:.5rem 0;font-size:.92rem}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
.control{position:sticky;top:0;z-index:5;background:color-mix(in srgb,var(--card) 94%,transparent);backdrop-filter:blur(10px);border-block:1px solid var(--line);box-shadow:var(--shade)}
.control>div{max-width:84rem;margin:0 auto;padding:.7rem 1.5rem .8rem;display:grid;gap:.45rem}
.row{display:flex;flex-wrap:wrap;align-items:center;gap:.45rem .8rem}
fieldset{border:0;margin:0;padding:0;display:flex;flex-wrap:wrap;align-items:center;gap:.4rem;min-width:0}
legend{float:left;font-size:.86rem;color:var(--soft);margin-right:.5rem;padding:0}
.chip{position:relative;display:inline-flex;align-items:center;gap:.45rem;border:1.5px solid var(--line);border-radius:99px;padding:.16rem .75rem .16rem .55rem;cursor:pointer;background:var(--card);font-size:.92rem}
.chip input{position:absolute;opacity:0;width:1px;height:1px}
.chip:has(:checked){border-color:currentcolor;font-weight:650;box-shadow:0 0 0 1px currentcolor}
.chip:has(:focus-visible){outline:3px solid var(--accent);outline-offset:2px}
.swatch{width:.8rem;height:.8rem;border-radius:3px;flex:none;background:var(--soft)}
${palette.map((_, i) => `.series${i} .swatch{background:var(--s${i})}`).join("")}
.again .swatch{opacity:.45;border-radius:50%}
.slider{display:grid;grid-template-columns:auto 1fr auto;gap:.8rem;align-items:center}
.slider label{font-weight:650}
output,.number{font-variant-numeric:tabular-nums}
#threshold-value{min-width:9.5em;text-align:right;color:var(--soft);font-size:.92rem}
input[type=range]{width:100%;accent-color:var(--accent);height:1.6rem;margin:0;cursor:pointer}
#threshold{appearance:none;background:linear-gradient(var(--accent),var(--accent)) 0 50%/var(--share,100%) 6px no-repeat,linear-gradient(var(--line),var(--line)) 0 50%/100% 6px no-repeat;border-radius:3px}
#threshold::-webkit-slider-thumb{appearance:none;width:1.4rem;height:1.4rem;border-radius:50%;background:var(--accent);border:3px solid var(--card);box-shadow:0 0 0 1px var(--accent)}
#threshold::-moz-range-thumb{width:1.2rem;height:1.2rem;border-radius:50%;background:var(--accent);border:3px solid var(--card)}
button,select{font:inherit;font-size:.9rem;color:var(--ink);background:var(--card);border:1.5px solid var(--line);border-radius:8px;padding:.2rem .65rem;cursor:pointer;max-width:100%}
button:hover,.chip:hover{border-color:var(--soft)}
.mark{border-radius:99px}
.mark[aria-pressed=true]{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
#sentence{font-size:1.12rem;font-weight:600;line-height:1.35;min-height:1.35em}
#bar{display:flex;height:.85rem;border-radius:5px;overflow:hidden;background:var(--line);gap:1px}
#bar span{flex:1 1 0;min-width:0}
.kept-right{--part:var(--right)}.kept-wrong{--part:var(--wrong)}.dropped-wrong{--part:var(--caught)}.dropped-right{--part:var(--lost)}
#bar span,#bar-legend i{background:var(--part)}
#bar-legend{display:flex;flex-wrap:wrap;gap:.1rem 1.3rem;margin:0;padding:0;list-style:none;font-size:.85rem;color:var(--soft)}
#bar-legend i{display:inline-block;width:.7rem;height:.7rem;border-radius:2px;margin-right:.4rem}
#bar-legend b{color:var(--ink);font-variant-numeric:tabular-nums}
section{margin:2.4rem 0}
.tools{display:flex;flex-wrap:wrap;gap:.5rem 1.4rem;align-items:center;margin:.7rem 0;font-size:.92rem}
.tools label{display:inline-flex;gap:.5rem;align-items:center}
.tools input[type=range]{width:8rem}
#classes{display:flex;flex-wrap:wrap;gap:.35rem;margin-bottom:1rem}
.class-chip{display:inline-flex;gap:.4rem;align-items:center;padding:.05rem .5rem;font-size:.82rem;border-radius:6px;border-width:1px}
.class-chip[aria-pressed=false]{text-decoration:line-through;color:var(--soft)}
.class-chip[aria-pressed=false] .swatch{visibility:hidden}
#gallery{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,33rem),1fr));gap:1.1rem}
.card{margin:0;background:var(--card);border:1px solid var(--line);border-radius:12px;overflow:hidden;box-shadow:var(--shade)}
.card.wide{grid-column:1/-1}.larger{font-size:.8rem;padding:0 .55rem}.larger[aria-pressed=true]{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.panes{display:grid;grid-template-columns:1fr 1fr;gap:2px;background:var(--line)}
canvas{display:block;width:100%;height:auto;background:#000}
figcaption{display:flex;flex-wrap:wrap;align-items:center;gap:0 .9rem;padding:.45rem .8rem .5rem;font-size:.86rem}
.id{font-weight:600;overflow-wrap:anywhere}
.note{color:var(--soft);margin-left:auto;font-variant-numeric:tabular-nums}
#more{display:block;margin:1.1rem auto 0;padding:.45rem 1.3rem}
.stories h3{margin-bottom:.2rem}.story{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:.8rem 1rem;margin-top:.7rem;box-shadow:var(--shade)}.story ul{margin:.2rem 0;padding-left:1.2rem;font-size:.92rem}
#focus{margin-bottom:1rem;border-color:var(--wrong);border-width:2px;border-radius:99px;font-weight:600}
#confusion table{width:auto}#confusion td,#confusion tbody th{vertical-align:middle}#confusion td,#confusion thead th{padding:.25rem .3rem;text-align:center;border-left:1px solid var(--line)}#confusion tbody th{padding:.25rem .8rem}
#confusion .upright{vertical-align:bottom}#confusion .upright span{display:inline-block;writing-mode:vertical-rl;transform:rotate(180deg)}
#confusion thead th:first-child{vertical-align:bottom;text-align:left;white-space:normal;min-width:9rem}
#confusion td.right{background:color-mix(in srgb,var(--right) calc(var(--share)*.45),transparent)}#confusion td.wrong{background:color-mix(in srgb,var(--wrong) calc(var(--share)*.6),transparent)}
#confusion td button{border:0;background:none;padding:.1rem .35rem;width:100%;text-decoration:underline dotted}#confusion td button[aria-pressed=true]{outline:3px solid var(--wrong)}
.plots{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));gap:1.1rem;margin-top:.8rem}
.plots>figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:.8rem .9rem .6rem;box-shadow:var(--shade)}
.plots figcaption{display:block;padding:0 0 .3rem;min-height:5.6em}
.plots.by3{grid-template-columns:repeat(3,minmax(0,1fr))}.plots.small figcaption{min-height:0}
.plots figcaption p{color:var(--soft);font-size:.84rem;line-height:1.35}
${plotStyle}svg[data-plot=roc],svg[data-plot=pr],svg[data-plot=amd],svg[data-plot=f05]{cursor:crosshair}
.ready .curve[data-method]{opacity:.55}.ready .curve.selected,.training .curve[data-method]{opacity:1}.ready .curve.selected{stroke-width:2.8}
.dot{stroke:var(--card);stroke-width:1.5;opacity:.85}
.dot.selected{r:7.5px;stroke-width:2.5;opacity:1}
.scroll{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:12px;box-shadow:var(--shade);margin-top:.8rem}
table{border-collapse:collapse;width:100%;font-size:.93rem;font-variant-numeric:tabular-nums}
th,td{padding:.5rem .8rem;text-align:left;white-space:nowrap;border-top:1px solid var(--line);vertical-align:top}
thead th{border-top:0;color:var(--soft);font-weight:600;font-size:.84rem}
tbody th{font-weight:500}
td small{display:block;color:var(--soft);font-size:.76rem}
td strong{font-weight:750}
tr.mean{color:var(--soft);font-style:italic}
.at{color:var(--soft)}
footer{padding-block:1rem 3rem;color:var(--soft);font-size:.88rem}
@media (max-width:76rem){.plots,.plots.by3{grid-template-columns:1fr 1fr}}@media (max-width:40rem){.plots,.plots.by3{grid-template-columns:1fr}main,header,footer{padding-inline:1rem}.control>div{padding:.5rem 1rem .6rem;gap:.35rem}.slider{grid-template-columns:1fr auto}.slider input{grid-column:1/-1;grid-row:2}.control{top:-5.6rem}.control>div>.row:first-child{order:-2}#bar-legend{order:-1}#methods,#marks{min-width:0;max-width:100%;flex-wrap:nowrap;overflow-x:auto;padding:.2rem}.control>div>*,.control .row>*{min-width:0}.control .row{flex-wrap:nowrap}#dataset-choice{flex:1 1 9rem;min-width:0}.chip,.mark{flex:none;white-space:nowrap}#bar-legend{display:grid;grid-template-columns:1fr 1fr;font-size:.74rem;gap:0 .6rem;white-space:nowrap}#sentence{font-size:.98rem}.chip{font-size:.84rem;padding-block:.05rem}legend,.hint{display:none}html{scroll-padding-top:13rem}.tools label{max-width:100%}.tools select{min-width:0;flex:1}.plots figcaption{min-height:0}dl{grid-template-columns:1fr}dd{margin-bottom:.4rem}header{padding-top:1.4rem}}
@media (prefers-reduced-motion:no-preference){#bar span{transition:flex-grow .12s}}
@media print{.control{position:static}.skip,.tools,#more{display:none}}
`;
