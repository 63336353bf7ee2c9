/**
 * The style sheet of all reports: light and dark by the reader's setting, on phones, wide screens and
 * paper. Charts use the same colour variables, so their colours change with the page.
 */

import { colors } from './colors.ts'
import { css } from './html.ts'

/** The whole page: fonts, spacing, links. */
const frame = css`
  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }
  html {
    font:
      15px/1.5 system-ui,
      sans-serif;
    background: var(--ground);
    color: var(--ink);
    scroll-padding-top: 1rem;
  }
  body {
    margin: 0 auto;
    padding: 1.5rem clamp(1rem, 3vw, 2.5rem) 3rem;
    max-width: 110rem;
    overflow-wrap: break-word;
  }
  h1 {
    font-size: 1.6rem;
    line-height: 1.2;
    margin: 0;
  }
  h2 {
    font-size: 1.15rem;
    margin: 0 0 0.25rem;
  }
  h3 {
    font-size: 1rem;
    margin: 0;
  }
  h4 {
    font-weight: 500;
    margin: 0.5rem 0 0;
  }
  p {
    margin: 0.25rem 0;
    max-width: 75ch;
  }
  a {
    color: var(--link);
  }
  code {
    font:
      0.9em/1.4 ui-monospace,
      monospace;
    overflow-wrap: anywhere;
  }
  kbd {
    font: inherit;
    border: 1px solid var(--soft);
    border-radius: 0.25rem;
    padding: 0 0.3rem;
  }
  :focus-visible {
    outline: 2px solid var(--link);
    outline-offset: 2px;
  }
  .skip:not(:focus) {
    position: absolute;
    left: -99rem;
  }
  nav ul,
  .key {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1.1rem;
    list-style: none;
    padding: 0;
    margin: 0.25rem 0;
  }
  nav {
    margin-top: 1rem;
  }
  section {
    margin-top: 2rem;
  }
  summary {
    cursor: pointer;
  }
  footer {
    margin-top: 2.5rem;
    color: var(--soft);
    font-size: 0.9rem;
  }
`

/** Buttons and fields. */
const fields = css`
  button,
  input,
  select {
    font: inherit;
    color: inherit;
  }
  button {
    min-height: 1.9rem;
    padding: 0.15rem 0.75rem;
    background: var(--paper);
    border: 1px solid var(--line);
    border-radius: 0.4rem;
    cursor: pointer;
  }
  button:hover {
    border-color: var(--soft);
  }
  input:not([type='checkbox'], [type='radio'], [type='range']),
  select {
    min-height: 1.9rem;
    padding: 0.15rem 0.6rem;
    background: var(--paper);
    border: 1px solid var(--soft);
    border-radius: 0.4rem;
    max-width: 100%;
  }
  @media (pointer: coarse) {
    button,
    input,
    select {
      min-height: 44px;
    }
  }
`

/** Tiles, cards, tables and legends; tones at the end, because they colour any of them. */
const pieces = css`
  .tiles {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(max(10rem, 18%), 1fr));
    gap: 0.75rem;
    margin: 1rem 0 0;
    font-size: 0.87rem;
    color: var(--soft);
  }
  .tiles > div,
  .card {
    container-type: inline-size;
    min-width: 0;
    margin: 0;
    padding: 0.6rem 0.8rem;
    background: var(--paper);
    border: 1px solid var(--line);
    border-radius: 0.5rem;
  }
  .tiles dd {
    margin: 0;
    text-wrap: pretty;
  }
  .tiles :where(dd:first-of-type) {
    font-size: 1.35rem;
    line-height: 1.3;
    color: var(--ink);
    font-variant-numeric: tabular-nums;
  }
  .cards {
    /* One column on a phone, two on a tablet, three on a wide screen. */
    --least: max(min(100%, 20rem), min(27rem, 45%));
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(var(--least), 1fr));
    gap: 1rem;
    align-items: start;
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
  .card > details {
    margin-top: 0.5rem;
    font-size: 0.9rem;
  }
  .scroll {
    overflow-x: auto;
  }
  .scroll + .scroll,
  .scroll + h3,
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
  th {
    font-weight: 500;
  }
  thead th {
    color: var(--soft);
    font-size: 0.87rem;
    min-width: 4rem;
    max-width: 12rem;
    vertical-align: bottom;
  }
  .right {
    text-align: right;
  }
  td.right {
    white-space: nowrap;
  }
  :is(th, .bars) > button {
    min-height: 0;
    text-align: inherit;
    background: none;
    border: 0;
    padding: 0;
  }
  th[aria-sort='ascending'] button::after {
    content: ' ↑';
  }
  th[aria-sort='descending'] button::after {
    content: ' ↓';
  }
  .key {
    font-size: 0.87rem;
    color: var(--soft);
  }
  .key svg {
    width: 0.8rem;
    height: 0.8rem;
    vertical-align: -0.08rem;
    margin-right: 0.35rem;
  }
  .soft {
    color: var(--soft);
  }
  .good {
    color: var(--good);
  }
  .bad {
    color: var(--bad);
  }
  .warn {
    color: var(--warn);
  }
`

/** What only reports have: verdicts, texts to copy, tables of sentences, bars that list their members. */
const reports = css`
  .verdict {
    margin-top: 0.5rem;
  }
  .verdict strong {
    font-size: 1.25rem;
  }
  pre {
    font:
      0.87rem/1.45 ui-monospace,
      monospace;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .failure {
    border-left: 3px solid var(--bad);
    padding: 0.25rem 0 0.25rem 0.75rem;
  }
  /* A sentence in a cell is read in a few lines, not in one or in ten. */
  td:not(.right) {
    min-width: 7rem;
    max-width: 45rem;
  }
  td:last-child:not(.right) {
    min-width: 12rem;
  }
  td.sentence:not(.right) {
    min-width: min(18rem, 55vw);
  }
  [data-bar][role='button'] {
    cursor: pointer;
    outline: none;
  }
  [data-bar]:hover,
  [data-bar][aria-expanded='true'] {
    stroke: var(--ink);
    stroke-width: 1.5;
  }
  [data-bar]:focus-visible {
    stroke: var(--link);
    stroke-width: 2.5;
  }
  .bars p {
    max-width: none;
    font-variant-numeric: tabular-nums;
  }
  .bars > button {
    color: var(--link);
    text-decoration: underline;
  }
  .tip {
    position: fixed;
    z-index: 9;
    max-width: min(24rem, 100vw - 8px);
    padding: 0.25rem 0.5rem;
    font-size: 0.87rem;
    color: var(--paper);
    background: var(--ink);
    border-radius: 0.35rem;
    pointer-events: none;
  }
  @media screen {
    .bars > [role='group'] {
      max-height: 20rem;
      overflow-y: auto;
    }
  }
  @container (min-width: 37.01rem) and (max-width: 60rem) {
    .card.wide svg.wide {
      display: none;
    }
    .card.wide svg.medium {
      display: block;
    }
  }
  @container (max-width: 37rem) {
    .card.wide svg.wide {
      display: none;
    }
    .card.wide svg.narrow {
      display: block;
    }
  }
  /* Columns make a card narrow on a wide screen too. */
  @container (max-width: 27rem) {
    svg.wide {
      display: none;
    }
    svg.narrow {
      display: block;
    }
  }
  @media (max-width: 40rem) {
    .tiles {
      gap: 0.5rem;
    }
    th,
    td {
      padding-right: 0.6rem;
    }
    tbody th {
      min-width: 8.5rem;
    }
  }
  @media print {
    :root {
      color-scheme: light;
    }
    html {
      font-size: 11px;
      background: none;
    }
    body {
      padding: 0;
      max-width: none;
    }
    nav,
    .skip {
      display: none;
    }
    .scroll {
      overflow: visible;
      font-size: 0.9em;
    }
    th,
    td,
    td:is(.sentence, :last-child):not(.right) {
      min-width: 0;
      padding-right: 0.5rem;
    }
    .card,
    .tiles > div,
    tr {
      break-inside: avoid;
    }
    h2,
    h3 {
      break-after: avoid;
    }
  }
`

/** What reports share with the pages of a server and of the playground. */
export const screenStyle = css`
  :root {
    ${colors}
  }
  ${frame}
  ${fields}
  ${pieces}
`

/** The style of every report. A report adds the style of its special parts. */
export const baseStyle = screenStyle + reports
