/** The style of charts and of the tables beside them. */

import { css } from '../../../../sim/report/style/css.ts'

export const trendsStyle = css`
  .chart {
    margin: 0 0 0.75rem;
    padding: 0.6rem 0.9rem;
    background: var(--paper);
    border: 1px solid var(--line);
    border-radius: 0.5rem;
  }
  .chart h4 {
    margin: 0;
    font-size: 0.93rem;
  }
  .chart p {
    display: flex;
    flex-wrap: wrap;
    gap: 0 1.25rem;
    margin: 0;
    font-size: 0.87rem;
    color: var(--soft);
  }
  .chart p b {
    color: var(--ink);
  }
  .key::before {
    content: '';
    display: inline-block;
    width: 1.1rem;
    margin-right: 0.4rem;
    vertical-align: 0.25em;
    border-top: 2px solid var(--link);
  }
  .key.is-2::before {
    border-top: 2px dashed var(--warn);
  }
  .chart svg {
    display: block;
    width: 100%;
    height: auto;
    margin-top: 0.4rem;
  }
  .series {
    fill: none;
    stroke: var(--link);
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .series.is-2 {
    stroke: var(--warn);
    stroke-dasharray: 4 4;
  }
  .axis {
    stroke: var(--line);
    fill: none;
  }
  .axis-text {
    font-size: 10px;
    fill: var(--soft);
  }
  .axis-text.is-end {
    text-anchor: end;
  }
  .chart summary {
    font-size: 0.87rem;
    color: var(--soft);
    cursor: pointer;
  }
  .scroll {
    max-height: 20rem;
    overflow: auto;
  }
  .scroll table,
  .flaky table {
    width: 100%;
    font-variant-numeric: tabular-nums;
  }
  .scroll :is(th, td),
  .flaky :is(th, td) {
    padding: 0.25rem 0.9rem 0.25rem 0;
    text-align: left;
    vertical-align: baseline;
    border-top: 1px solid var(--line);
    font-weight: 400;
  }
  .flaky table {
    background: var(--paper);
    border: 1px solid var(--line);
    border-radius: 0.5rem;
    border-collapse: separate;
    border-spacing: 0;
  }
  .flaky :is(th, td) {
    padding-left: 0.9rem;
    overflow-wrap: anywhere;
  }
  :is(.scroll, .flaky) thead th {
    border-top: 0;
    font-size: 0.87rem;
    color: var(--soft);
    white-space: nowrap;
  }
  .file {
    display: block;
    font-size: 0.87rem;
  }
  .spans {
    display: flex;
    gap: 0.25rem;
  }
`
