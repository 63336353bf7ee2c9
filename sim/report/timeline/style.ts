/** The style of the timeline. */

import { css } from '../../html/html.ts'
import { phaseStyles } from '../recording/story.ts'
import { runStyles } from '../recording/runs.ts'

const controlsStyle = css`
  .controls {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 1rem;
    margin: 0.75rem 0 0.5rem;
  }
  .controls label {
    display: flex;
    align-items: center;
    gap: 0.4rem;
    max-width: 100%;
  }
  .controls :is(input, select) {
    min-width: 0;
    width: 14rem;
  }
  .controls[hidden] {
    display: none;
  }
  .opening {
    flex-basis: 100%;
    margin: 0;
  }
  .hint {
    font-size: 0.87rem;
  }
`

// The style of the scrollable sheet: its axis, its marks, its groups.

const sheetStyle = css`
  .timeline {
    --zoom: 1;
    --name: 9.5rem;
    container-type: inline-size;
    position: relative;
    overflow: auto;
    max-height: 75vh;
    background: var(--paper);
    border: 1px solid var(--line);
    border-radius: 0.5rem;
  }
  .sheet {
    position: relative;
    width: calc(var(--name) + (100cqw - var(--name) - 1rem) * var(--zoom));
    padding-bottom: 0.5rem;
  }
  .axis {
    position: sticky;
    top: 0;
    z-index: 3;
    height: 1.7rem;
    background: var(--paper);
    border-bottom: 1px solid var(--line);
  }
  .axis > div {
    position: absolute;
    inset: 0 0 0 var(--name);
    /* A label at the right edge must not widen the sheet, least of all on paper. */
    overflow: hidden;
  }
  .axis span {
    position: absolute;
    top: 0.15rem;
    padding-left: 0.25rem;
    border-left: 1px solid var(--line);
    font-size: 0.8rem;
    color: var(--soft);
    white-space: nowrap;
    height: 100%;
  }
  .axis span.last {
    transform: translateX(-100%);
    padding: 0 0.25rem 0 0;
    border-left: 0;
    border-right: 1px solid var(--line);
  }
  .axis::before {
    content: '';
    position: sticky;
    left: 0;
    z-index: 1;
    display: block;
    width: var(--name);
    height: 100%;
    background: var(--paper);
  }
  .marks {
    position: absolute;
    inset: 1.7rem 0 0 var(--name);
    z-index: 1;
    pointer-events: none;
  }
  .marks i {
    position: absolute;
    top: 0;
    bottom: 0;
    border-left: 2px solid var(--bad);
  }
  .group > summary,
  h3.group {
    position: sticky;
    left: 0;
    width: fit-content;
    padding: 0.5rem 0.75rem 0.2rem;
    font-size: 0.87rem;
    font-weight: 500;
    color: var(--soft);
  }
`

// The style of rows: tracks scroll with the sheet, names and stories stay at the left edge.

const rowsStyle = css`
  .row {
    content-visibility: auto;
    contain-intrinsic-height: auto 1.35rem;
    /* The axis covers what is at the top. */
    scroll-margin-top: 2rem;
  }
  .row > summary {
    display: grid;
    grid-template-columns: var(--name) 1fr;
    align-items: center;
    height: 1.35rem;
    list-style: none;
    font-size: 0.87rem;
    background: var(--paper);
  }
  .slot > summary {
    height: 1.1rem;
    font-size: 0.8rem;
  }
  .row > summary::-webkit-details-marker {
    display: none;
  }
  .row > summary:focus-visible {
    outline-offset: -2px;
  }
  .row > summary:hover,
  .row[open] > summary {
    background: var(--ground);
  }
  .name {
    position: sticky;
    left: 0;
    z-index: 2;
    align-self: stretch;
    display: flex;
    align-items: center;
    gap: 0.4rem;
    padding-left: 0.75rem;
    background: inherit;
    white-space: nowrap;
    overflow: hidden;
    font-variant-numeric: tabular-nums;
  }
  .end {
    color: var(--soft);
  }
  .failed .end,
  .evicted .end {
    color: var(--bad);
  }
  .broken > summary .end {
    display: none;
  }
  .broken > summary .name::after {
    content: 'broken';
    color: var(--paper);
    background: var(--bad);
    border-radius: 0.25rem;
    padding: 0 0.3rem;
    font-size: 0.8rem;
  }
  .row svg {
    width: 100%;
    height: 0.85rem;
  }
  .story {
    position: sticky;
    left: 0;
    z-index: 2;
    background: var(--paper);
    width: calc(100cqw - 1rem);
    padding: 0.25rem 0.75rem 0.75rem var(--name);
    font-size: 0.9rem;
  }
  .story ol {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .story li {
    padding: 0.05rem 0 0.05rem 6.5rem;
  }
  .slot .story li {
    padding-left: 0;
  }
  .story time {
    float: left;
    margin-left: -6.5rem;
    color: var(--soft);
    font-variant-numeric: tabular-nums;
  }
  .story li:target {
    background: color-mix(in srgb, var(--held) 25%, transparent);
  }
  .story li.broken {
    color: var(--bad);
    font-weight: 500;
  }
  .remark {
    color: var(--bad);
  }
  .unproven .remark {
    color: var(--warn);
  }
`

// The colours of phases and outcomes on the tracks.

const fills = (of: string, styles: Readonly<Record<string, { readonly color: string }>>): string =>
  Object.entries(styles)
    .map(([name, { color }]) => `  ${of} path.${name} {\n    fill: var(--${color});\n  }\n`)
    .join('')

const marksStyle = css`
  .row path.mark {
    stroke: var(--soft);
    stroke-width: 3px;
    vector-effect: non-scaling-stroke;
  }
  .row path.mark.merged {
    stroke: var(--merged);
  }
  .row path.mark.failed,
  .row path.mark.broken {
    stroke: var(--failed);
  }
  .slot path {
    stroke: var(--paper);
    stroke-width: 1px;
    vector-effect: non-scaling-stroke;
  }
  .slot path.mark.queue-event {
    stroke: var(--link);
    stroke-width: 3px;
  }
  .slot path:hover {
    stroke: var(--ink);
  }
`

// The style of the timeline on a phone and on paper.

const mediaStyle = css`
  @media (max-width: 40rem) {
    .timeline {
      --name: 7.5rem;
    }
    .story {
      padding-left: 0.75rem;
    }
    .hint {
      display: none;
    }
  }
  @media print {
    .controls {
      display: none;
    }
    .timeline {
      --zoom: 1 !important;
      max-height: none;
      overflow: visible;
      border: 0;
    }
    .row {
      content-visibility: visible;
    }
    .row > summary {
      break-inside: avoid;
    }
    .timeline path,
    .key path {
      print-color-adjust: exact;
    }
  }
`

export const timelineStyle = [
  ...[controlsStyle, sheetStyle, rowsStyle, fills('.row', phaseStyles), marksStyle],
  ...[fills('.slot', runStyles), mediaStyle],
].join('')
