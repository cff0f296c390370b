"""The style sheet of the page: light and dark, wide and narrow, screen and paper."""

STYLE = """
:root { color-scheme: light dark; --ink: #1d1d1f; --pale: #5c5c61; --paper: #fff; --line: #d5d5da;
  --band: #f4f4f7; --link: #0057a8 }
@media (prefers-color-scheme: dark) { :root { --ink: #ececf0; --pale: #a9a9b2; --paper: #17181b;
  --line: #3c3d43; --band: #212227; --link: #7db8f5 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 78rem; margin: 0 auto; padding: 1rem clamp(.75rem, 3vw, 2rem) 3rem }
h1, h2, h3, p, li, figcaption { overflow-wrap: anywhere }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .5rem 0 1rem }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem }
h3 { font-size: 1.05rem; margin: 1.4rem 0 .5rem }
a { color: var(--link) }
nav a { margin-right: 1rem; overflow-wrap: anywhere }
p, figcaption { color: var(--pale); max-width: 60rem; margin: .5rem 0 }
p strong { color: var(--ink) }
code { font: .92em ui-monospace, monospace }
.wide { overflow-x: auto; max-width: 100% }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums }
th, td { padding: .3rem .7rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line) }
thead th { border-bottom-width: 2px; color: var(--pale); font-weight: 600; vertical-align: bottom }
tbody th, .numbers td:not(.n) { min-width: 8rem; max-width: 22rem; overflow-wrap: anywhere }
.numbers td:not(.n) { min-width: 15rem }
tbody th { font-weight: 600; position: sticky; left: 0; background: var(--paper) }
td.n { white-space: nowrap }
.numbers tbody tr:nth-child(even) > * { background: var(--band) }
.facts td { min-width: 12rem; max-width: 40rem; overflow-wrap: anywhere }
.facts tbody th { min-width: 5rem; font-weight: 400; color: var(--pale) }
.n { text-align: right }
figure { margin: 0 }
img { display: block; max-width: 100%; height: auto; background: #fff; border: 1px solid var(--line);
  border-radius: 4px }
@media (max-width: 48rem) { img { max-width: none; width: calc(.72 * var(--wide)) }
  tbody th, .numbers td:not(.n) { min-width: 6rem; max-width: 9rem }
  th, td { padding: .25rem .45rem } }
@media print { :root { color-scheme: light; --ink: #000; --pale: #333; --paper: #fff; --line: #bbb;
  --band: #f4f4f4; --link: #000 }
  main { max-width: none; padding: 0 }
  .wide { overflow: visible }
  img { max-width: 100%; width: auto }
  figure, tr { break-inside: avoid }
  h2, h3 { break-after: avoid }
  table { font-size: .7rem }
  td.n { white-space: normal }
  tbody th { position: static }
  nav { display: none } }
"""
