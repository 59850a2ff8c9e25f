/** Readable from 320 pixels on, in light and dark, with what every browser has. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 18%,transparent);--soft:color-mix(in srgb,currentColor 6%,transparent)}
*{box-sizing:border-box}body{margin:0 auto;max-width:72rem;padding:1.5rem 1rem 6rem;font:16px/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
h1{margin:0;font-size:2rem;line-height:1.2}h2{margin:3rem 0 .5rem;text-transform:capitalize}h3{margin:0;font-size:1.05rem}p{margin:.5rem 0}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem;padding:.75rem 0;border-bottom:1px solid var(--line)}
article{margin:.75rem 0;padding:.9rem 1rem;border:1px solid var(--line);border-radius:.6rem}article b{font-size:.85rem;letter-spacing:.04em}
.GET{color:light-dark(#0b5ea8,#7cc0ff)}.POST{color:light-dark(#12703a,#6fdc9a)}.PUT,.PATCH{color:light-dark(#8a5200,#ffc46b)}.DELETE{color:light-dark(#a8201a,#ff9d96)}
.wide{overflow-x:auto}table{width:100%;min-width:38rem;overflow-wrap:normal;border-collapse:collapse;font-size:.92rem}caption{padding:.6rem 0 .2rem;text-align:left;font-weight:600}
td:last-child{min-width:14rem}th,td{padding:.3rem .75rem .3rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
pre{max-height:26rem;padding:.75rem;overflow:auto;border-radius:.4rem;background:var(--soft);font-size:.85rem}summary{padding:.3rem 0;cursor:pointer}
a{color:light-dark(#0b5ea8,#7cc0ff)}:focus-visible{outline:2px solid;outline-offset:2px}`;
