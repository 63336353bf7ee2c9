/** The style of the tables of pull requests: a table on wide screens, cards on phones. */

import { css } from '../../../../sim/report/style/css.ts'

export const rowsStyle = css`
  table {
    border-collapse: collapse;
  }
  .rows {
    width: 100%;
    background: var(--paper);
    border: 1px solid var(--line);
    border-radius: 0.5rem;
    border-collapse: separate;
    border-spacing: 0;
  }
  .rows th {
    padding: 0.35rem 0.75rem;
    font-size: 0.87rem;
    font-weight: 400;
    color: var(--soft);
    text-align: left;
  }
  .rows td {
    padding: 0.3rem 0.75rem;
    vertical-align: baseline;
    border-top: 1px solid var(--line);
  }
  .rows tbody tr:hover td,
  .rows tbody tr:focus-within td {
    background: var(--ground);
  }
  .rows tr.has-left {
    color: var(--soft);
    text-decoration: line-through;
  }
  .cell-place {
    width: 4.5rem;
    color: var(--soft);
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .cell-name {
    width: 30%;
    overflow-wrap: anywhere;
  }
  .by {
    margin-left: 0.5rem;
    font-size: 0.87rem;
  }
  .cell-name > .flag {
    margin-left: 0.5rem;
  }
  .cell-state {
    white-space: nowrap;
    font-variant-numeric: tabular-nums;
  }
  .cell-why {
    overflow-wrap: anywhere;
  }
  .cell-lands {
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .cell-buttons {
    width: 1%;
    white-space: nowrap;
    text-align: right;
  }
  .icon {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    min-width: 1.9rem;
    padding: 0;
    color: var(--soft);
    background: none;
    border-color: transparent;
    vertical-align: middle;
  }
  .top .icon {
    border-color: var(--line);
  }
  .star svg {
    fill: none;
    stroke: currentColor;
    stroke-width: 1.3;
    stroke-linejoin: round;
  }
  .star[aria-pressed='true'] {
    color: var(--warn);
    border-color: transparent;
  }
  .star[aria-pressed='true'] svg {
    fill: currentColor;
  }
  .member .icon {
    min-width: 1.6rem;
  }
  .count {
    font-weight: 400;
    color: var(--soft);
  }
  .waiting {
    position: relative;
  }
  .waiting .held {
    position: absolute;
    top: 0;
    right: 0;
    border-color: var(--link);
  }
  @media (max-width: 800px) {
    .rows,
    .rows tbody {
      display: block;
    }
    .rows thead {
      position: absolute;
      width: 1px;
      height: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
    .rows tbody tr {
      display: grid;
      grid-template-columns: auto minmax(0, 1fr) auto;
      gap: 0.1rem 0.75rem;
      padding: 0.5rem 0.75rem;
      border-top: 1px solid var(--line);
    }
    .rows tbody tr:first-child {
      border-top: 0;
    }
    .rows td {
      padding: 0;
      border: 0;
      width: auto;
      white-space: normal;
    }
    .cell-name {
      grid-column: 1 / 3;
      grid-row: 1;
    }
    .cell-buttons {
      grid-column: 3;
      grid-row: 1;
    }
    .cell-place {
      grid-column: 3;
      grid-row: 2;
      text-align: right;
    }
    .cell-state {
      grid-column: 1 / 3;
      grid-row: 2;
    }
    .cell-lands,
    .cell-why {
      grid-column: 1 / -1;
    }
    .cell-lands:empty {
      display: none;
    }
  }
`
