/** The style of the scrollable sheet: its axis, its marks, its groups. */

import { css } from '../../../html/style/css.ts'

export const sheetStyle = css`
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
