/**
 * The style of reports: light and dark by the reader's setting, on phones, wide screens and paper.
 * Charts use the same colour variables, so their colours change with the page.
 */

import { pieces } from './style-of-pieces.ts'
import { css } from './html.ts'

/** The colours, named by their meaning. `heat-1` to `heat-7` go from low to high values. */
export const light = css`
  color-scheme: light;
  --paper: #ffffff;
  --ground: #f5f6f8;
  --ink: #1b1f27;
  --soft: #59616f;
  --line: #d8dce3;
  --link: #1f57c3;
  --good: #14804a;
  --bad: #c4342b;
  --warn: #8f5f00;
  --merged: #2a9d62;
  --failed: #d5463c;
  --cancelled: #8b93a1;
  --waiting: #bcc4d0;
  --testing: #4a86e0;
  --passed: #85cba4;
  --held: #e3a433;
  --bisecting: #9668cf;
  --series-1: #3f7fdc;
  --series-2: #e08a1e;
  --series-3: #2a9d62;
  --series-4: #9668cf;
  --series-5: #d5463c;
  --series-6: #2aa3ad;
  --series-7: #b5882b;
  --series-8: #8b93a1;
  --heat-1: #edf3fc;
  --heat-2: #cfe0f7;
  --heat-3: #a9c8f0;
  --heat-4: #7eace6;
  --heat-5: #528dd8;
  --heat-6: #2f6cc0;
  --heat-7: #174a96;
`

export const dark = css`
  color-scheme: dark;
  --paper: #1a1d23;
  --ground: #121419;
  --ink: #e6e9ef;
  --soft: #9aa3b2;
  --line: #343a45;
  --link: #82aef5;
  --good: #55c78d;
  --bad: #ff7f76;
  --warn: #e5b450;
  --merged: #3fae74;
  --failed: #e8645a;
  --cancelled: #7d8695;
  --waiting: #4b5462;
  --testing: #5b93e8;
  --passed: #2f6f4c;
  --held: #d69a35;
  --bisecting: #a57fdb;
  --series-1: #6a9fee;
  --series-2: #eda04a;
  --series-3: #4fbf86;
  --series-4: #b08ce4;
  --series-5: #f0776d;
  --series-6: #4fbfc8;
  --series-7: #d0a94f;
  --series-8: #939ba9;
  --heat-1: #1b2a42;
  --heat-2: #1f3a63;
  --heat-3: #264e88;
  --heat-4: #3366ae;
  --heat-5: #4c83cf;
  --heat-6: #78a6e6;
  --heat-7: #b2cffa;
`

/** The style of the whole page: fonts, spacing, links. */
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
  :focus-visible {
    outline: 2px solid var(--link);
    outline-offset: 2px;
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
  .skip:not(:focus) {
    position: absolute;
    left: -99rem;
  }
  nav ul {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1.25rem;
    list-style: none;
    padding: 0;
    margin: 1rem 0 0;
  }
  section {
    margin-top: 2rem;
  }
  footer {
    margin-top: 2.5rem;
    color: var(--soft);
    font-size: 0.9rem;
  }
`

const bars = css`
  [data-bar][role='button'] {
    cursor: pointer;
  }
  [data-bar]:hover,
  [data-bar][aria-expanded='true'],
  [data-bar]:focus-visible {
    stroke: var(--ink);
    stroke-width: 1.5;
    outline: none;
  }
  [data-bar]:focus-visible {
    stroke: var(--link);
    stroke-width: 2.5;
  }
  .bars p {
    max-width: none;
    font-variant-numeric: tabular-nums;
  }
  .bars button {
    font: inherit;
    color: var(--link);
    background: none;
    border: 0;
    padding: 0;
    text-decoration: underline;
    cursor: pointer;
  }
  @media screen {
    .bars > [role='group'] {
      max-height: 20rem;
      overflow-y: auto;
    }
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
`

// The differences in style on laptops, on phones and on paper.

const laptop = css`
  .cards,
  .cards.thirds {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
`

const tablet = css`
  .card.wide svg.wide {
    display: none;
  }
  .card.wide svg.medium {
    display: block;
  }
`

const phone = css`
  .cards,
  .cards.thirds {
    grid-template-columns: minmax(0, 1fr);
  }
  svg.wide {
    display: none;
  }
  .card svg.narrow {
    display: block;
  }
  .tiles {
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: 0.5rem;
  }
  th,
  td {
    padding-right: 0.6rem;
  }
  /* Keeps a name of several words on two lines instead of six. */
  tbody th {
    min-width: 8.5rem;
  }
`

const paper = css`
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
  td {
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
`

// The style that reports share with the pages of `bench/page`, which move: the colours, the frame of
// a page, and tiles, cards and tables. Paper and the charts of reports are not part of it.

export const screenStyle = css`
  :root {
    ${light}
  }
  @media (prefers-color-scheme: dark) {
    :root {
      ${dark}
    }
  }
  ${frame}
  ${pieces}
`

/** The style of every report. A report adds the style of its special parts. */
export const baseStyle = css`
  :root {
    ${light}
  }
  @media screen and (prefers-color-scheme: dark) {
    :root {
      ${dark}
    }
  }
  ${frame}
  ${pieces}
  ${bars}
  @media (max-width: 100rem) {
    ${laptop}
  }
  @media (min-width: 40.01rem) and (max-width: 62rem) {
    ${tablet}
  }
  @media (max-width: 40rem) {
    ${phone}
  }
  @media print {
    ${paper}
  }
`
