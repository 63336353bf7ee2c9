/** The style of rows: tracks scroll with the sheet, names and stories stay at the left edge. */

import { css } from '../../../html/style/css.ts'

export const rowsStyle = css`
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
    background-color: var(--paper);
    white-space: nowrap;
    overflow: hidden;
    font-variant-numeric: tabular-nums;
  }
  .row > summary:hover .name,
  .row[open] > summary .name {
    background-color: var(--ground);
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
    display: block;
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
    white-space: normal;
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
