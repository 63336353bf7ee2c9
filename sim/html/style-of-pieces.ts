import { css } from './html.ts'

/** The style of tiles, cards, tables and legends. */
export const pieces = css`
  .tiles {
    display: grid;
    grid-template-columns: repeat(5, minmax(0, 1fr));
    gap: 0.75rem;
    margin: 1rem 0 0;
  }
  .tiles > div {
    background: var(--paper);
    border: 1px solid var(--line);
    border-radius: 0.5rem;
    padding: 0.6rem 0.8rem;
  }
  .tiles dt {
    color: var(--soft);
    font-size: 0.87rem;
  }
  .tiles dd {
    margin: 0;
    font-size: 0.87rem;
    color: var(--soft);
  }
  .tiles dd:first-of-type {
    font-size: 1.35rem;
    line-height: 1.3;
    color: var(--ink);
    font-variant-numeric: tabular-nums;
  }
  .tiles dd.good {
    color: var(--good);
  }
  .tiles dd.bad {
    color: var(--bad);
  }
  .tiles dd.warn {
    color: var(--warn);
  }
  .cards {
    display: grid;
    grid-template-columns: repeat(4, minmax(0, 1fr));
    gap: 1rem;
    align-items: start;
  }
  .cards.thirds {
    grid-template-columns: repeat(3, minmax(0, 1fr));
  }
  .card {
    background: var(--paper);
    border: 1px solid var(--line);
    border-radius: 0.5rem;
    padding: 0.9rem 1rem;
    margin: 0;
    min-width: 0;
  }
  .card.wide {
    grid-column: 1 / -1;
  }
  .card > svg,
  :where(.card > details) > svg {
    display: block;
    width: 100%;
    height: auto;
    margin-top: 0.5rem;
  }
  svg text {
    font-family: system-ui, sans-serif;
    /* Draws the outline of text behind its letters. */
    paint-order: stroke;
  }
  svg.medium,
  svg.narrow {
    display: none;
  }
  h4 {
    font-size: 1em;
    font-weight: 500;
    margin: 0.5rem 0 0;
  }
  summary {
    cursor: pointer;
  }
  .card > details {
    margin-top: 0.5rem;
    font-size: 0.9rem;
  }
  .scroll {
    overflow-x: auto;
  }
  .scroll + .scroll,
  .scroll + .cards,
  .cards + .scroll {
    margin-top: 1rem;
  }
  table {
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
  }
  th,
  td {
    text-align: left;
    vertical-align: top;
    padding: 0.3rem 1rem 0.3rem 0;
    border-bottom: 1px solid var(--line);
  }
  thead th {
    color: var(--soft);
    font-weight: 500;
    font-size: 0.87rem;
  }
  tbody th {
    font-weight: 500;
  }
  thead th {
    min-width: 4rem;
    max-width: 12rem;
    vertical-align: bottom;
  }
  th button {
    font: inherit;
    color: inherit;
    text-align: inherit;
    background: none;
    border: 0;
    padding: 0;
    cursor: pointer;
  }
  th[aria-sort='ascending'] button::after {
    content: ' ↑';
  }
  th[aria-sort='descending'] button::after {
    content: ' ↓';
  }
  .right {
    text-align: right;
  }
  td.right {
    white-space: nowrap;
  }
  .key {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1rem;
    margin: 0.25rem 0;
    padding: 0;
    list-style: none;
    font-size: 0.87rem;
    color: var(--soft);
  }
  .key svg {
    width: 0.8rem;
    height: 0.8rem;
    vertical-align: -0.08rem;
    margin-right: 0.35rem;
  }
`
