//! How the page looks: light and dark as the reader prefers, and on a narrow screen every row of a table a small card.

pub(crate) const STYLE: &str = "\
:root { color-scheme: light dark; --line: #8884; --quiet: light-dark(#5a5f66, #a2a9b1); --good: light-dark(#1a7f37, #4ac26b);
  --bad: light-dark(#cf222e, #ff7b72); --open: light-dark(#8a5c00, #e3b341); --shade: #8881; }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.25rem; margin-top: 3rem; border-bottom: 2px solid var(--line); }
h3 { font-size: 1rem; margin: 1.5rem 0 .3rem; } h4 { font-size: .95rem; font-weight: 600; margin: 1rem 0 .3rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .875rem; }
pre { white-space: pre-wrap; padding: .5rem; margin: .3rem 0; border: 1px solid var(--line); border-radius: 4px; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
thead th { font-size: .8rem; color: var(--quiet); font-weight: 600; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tfoot td, tfoot th { border-top: 2px solid var(--line); font-weight: 600; }
.quiet { color: var(--quiet); font-size: .875rem; }
.note, .fault, .unchecked, .contract, .limit, .open, .never { border-left: 3px solid var(--open); padding-left: .7rem; margin: .7rem 0; }
.fault { border-color: var(--bad); } .contract, .limit { border-color: var(--line); } .never { border-color: var(--line); }
.note p, .fault p, .unchecked p, .contract p, .limit p, .open p, .never p { margin: .2rem 0; }
.tag { font-size: .8rem; padding: 0 .4rem; border: 1px solid currentColor; border-radius: 4px; white-space: nowrap; }
.covered, .complete, .all { color: var(--good); } .unknown, .budget, .open.tag, .skipped, .part { color: var(--open); }
.infeasible { color: var(--quiet); } .error, .none, .new { color: var(--bad); } .known { color: var(--quiet); }
details { border-bottom: 1px solid var(--line); padding: .2rem 0; } summary { cursor: pointer; }
.goals { list-style: none; padding-left: 1rem; margin: .3rem 0; } ol, ul { padding-left: 1.6rem; margin: .3rem 0; }
.truth { width: auto; } .truth td, .truth th { padding: .15rem .6rem; }
.values { display: flex; flex-wrap: wrap; font-family: ui-monospace, monospace; }
.values span { min-width: 1.7rem; text-align: center; } .values .t { color: var(--good); font-weight: 600; }
.values .f { color: var(--bad); } .values .d { color: var(--quiet); }
:target { background: var(--shade); outline: 2px solid var(--line); }
@media (max-width: 44rem) {
  .cards thead { display: none; } .cards, .cards tbody, .cards tfoot { display: block; }
  .cards tr { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1.5rem; border-bottom: 2px solid var(--line); padding: .4rem 0; }
  .cards td, .cards th { display: flex; justify-content: space-between; gap: 1rem; border: 0; padding: .1rem 0; text-align: right; white-space: normal; }
  .cards td::before { content: attr(data-label); color: var(--quiet); font-size: .875rem; text-align: left; white-space: nowrap; }
  .cards th { grid-column: 1 / -1; font-size: 1rem; text-align: left; } .truth { width: 100%; } .truth td, .truth th { padding: .15rem .3rem; }
}
@media print { details::details-content { content-visibility: visible; } a { color: inherit; } }
";
