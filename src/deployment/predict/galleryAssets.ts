/** How the gallery looks: light or dark as the reader's system is; four panels in a row, two on a phone. */
export const galleryStyle = `
:root{color-scheme:light dark;--ground:#f7f7f4;--card:#fff;--ink:#1b1d21;--soft:#565b63;--line:#dedfda;--accent:#0067a3;--flag:#a33b00}
@media (prefers-color-scheme:dark){:root{--ground:#131519;--card:#1b1e24;--ink:#eceef1;--soft:#a9afb9;--line:#31353d;--accent:#6cbdf0;--flag:#ff9d66}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif}
header,main,footer{max-width:100rem;margin:0 auto;padding:0 1.5rem}
header{padding-top:1.6rem}
h1{font-size:1.5rem;line-height:1.2;margin:0;overflow-wrap:anywhere}
h2{font-size:1.1rem;margin:2rem 0 .3rem}
.soft{color:var(--soft);font-size:.88rem;overflow-wrap:anywhere}
.facts{display:flex;flex-wrap:wrap;gap:.3rem 1.6rem;margin:.5rem 0 0;padding:0;list-style:none}
.bar{position:sticky;top:0;z-index:1;display:flex;flex-wrap:wrap;gap:.3rem 1.4rem;align-items:center;padding:.5rem 1.5rem;background:var(--card);border-block:1px solid var(--line);font-size:.88rem}
.bar label{display:inline-flex;gap:.4rem;align-items:center;white-space:nowrap}
select{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:6px;padding:.1rem .4rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.legend{display:flex;flex-wrap:wrap;gap:.1rem .9rem;margin:0;padding:0;list-style:none}
.legend li{display:inline-flex;gap:.35rem;align-items:center}
.legend svg{width:.85rem;height:.85rem;border-radius:3px;border:1px solid var(--line)}
.legend .scale svg{width:6rem}
figure{margin:1rem 0;background:var(--card);border:1px solid var(--line);border-radius:10px;overflow:hidden}
.card{content-visibility:auto;contain-intrinsic-size:auto 18rem}
.panels{display:grid;grid-template-columns:repeat(4,1fr);gap:2px;background:var(--line)}
.panels a{position:relative;display:block;background:#000;color:#fff}
.panels img,video{display:block;width:100%;height:auto}
.panels span{position:absolute;left:.4rem;top:.35rem;padding:0 .45rem;border-radius:99px;background:rgb(0 0 0/.72);font-size:.74rem}
video{max-height:80vh;background:#000}
figcaption{display:flex;flex-wrap:wrap;gap:.1rem 1rem;align-items:center;padding:.45rem .9rem;overflow-wrap:anywhere}
a{color:var(--accent)}
.flag{color:var(--flag)}
.certain{margin-left:auto;display:inline-flex;gap:.6rem;align-items:center;font-variant-numeric:tabular-nums}
.certain svg{width:7rem;height:.5rem;border-radius:3px}
.all{fill:var(--line)}.part{fill:var(--accent)}
.only [data-strange]{display:block}.only .card:not([data-strange]){display:none}
footer{padding-bottom:2.5rem}
@media (max-width:46rem){header,main,footer,.bar{padding-inline:.9rem}.panels{grid-template-columns:1fr 1fr}.bar{position:static}}
`;

/** Order and filter. */
export const galleryScript = `
const cards = document.getElementById("cards");
const given = [...cards.children];
const share = (card) => Number(card.dataset.certain);
document.getElementById("order").addEventListener("change", ({ target }) => {
  cards.append(...(target.value === "given" ? given : given.toSorted((a, b) => share(a) - share(b))));
});
document.getElementById("strange").addEventListener("change", ({ target }) => {
  cards.classList.toggle("only", target.checked);
});
`;
