/** The style of the line: groups, runs, lanes, bisections. */

import { css } from '../../../../sim/report/style/css.ts'

export const lineStyle = css`
  .lead {
    margin-bottom: 0.6rem;
  }
  .lane + .lane,
  .lane + .search,
  .search + .search {
    margin-top: 1rem;
  }
  .lane h3 {
    font-size: 0.87rem;
    color: var(--soft);
    margin-bottom: 0.25rem;
  }
  .track {
    display: flex;
    align-items: stretch;
    gap: 0.9rem;
  }
  .tip {
    flex: none;
    align-self: flex-start;
    margin: 0.55rem 0 0;
    max-width: 8rem;
    overflow-wrap: anywhere;
    font-weight: 600;
  }
  .tip::before {
    content: '';
    display: inline-block;
    width: 0.6rem;
    height: 0.6rem;
    margin-right: 0.35rem;
    background: var(--ink);
    border-radius: 50%;
    forced-color-adjust: none;
  }
  .groups,
  .members,
  .tree,
  .tree ul {
    list-style: none;
    margin: 0;
    padding: 0;
  }
  .groups {
    flex: 1;
    min-width: 0;
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(17.5rem, 100%), 1fr));
    gap: 0.75rem 0.9rem;
    align-items: start;
  }
  .group {
    position: relative;
    min-width: 0;
    padding: 0.5rem 0.75rem 0.6rem;
    background: var(--paper);
    border: 1.5px solid var(--state);
    border-radius: 0.5rem;
  }
  .group::before {
    content: '';
    position: absolute;
    top: 1.2rem;
    right: 100%;
    width: 0.9rem;
    border-top: 1.5px solid var(--soft);
  }
  .group.is-waiting {
    border-style: dotted;
  }
  .group.is-held,
  .group.is-conflicted {
    border-style: dashed;
  }
  .group-head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.1rem 0.6rem;
    margin: 0 0 0.25rem;
  }
  .flag {
    padding: 0 0.4rem;
    font-size: 0.8rem;
    font-weight: 600;
    color: var(--warn);
    border: 1px solid currentColor;
    border-radius: 0.25rem;
    white-space: nowrap;
  }
  .flag.is-quiet {
    color: var(--soft);
    font-weight: 400;
    margin-left: 0.4rem;
  }
  .member {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    min-width: 0;
    min-height: 1.9rem;
  }
  .member .pull-request {
    flex: 1 1 auto;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .member-end {
    flex: none;
    display: inline-flex;
    align-items: center;
    margin-left: auto;
    font-variant-numeric: tabular-nums;
  }
  .pull-request {
    color: inherit;
    text-decoration: none;
    overflow-wrap: anywhere;
  }
  .pull-request:hover .title,
  .pull-request:hover .number {
    text-decoration: underline;
  }
  .number {
    color: var(--link);
    font-variant-numeric: tabular-nums;
  }
  .run {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 0.6rem;
    margin-top: 0.35rem;
    font-size: 0.87rem;
    font-variant-numeric: tabular-nums;
  }
  .run-id {
    margin-left: auto;
    min-width: 0;
    max-width: 100%;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .run-bar {
    order: 2;
    flex: 1 0 100%;
    height: 0.4rem;
    border: 1px solid var(--link);
    border-radius: 0.2rem;
    overflow: hidden;
  }
  .run-bar > span {
    display: block;
    height: 100%;
    background: var(--link);
    forced-color-adjust: none;
  }
  .run.is-long .run-bar {
    border-color: var(--warn);
  }
  .run.is-long .run-bar > span {
    background: repeating-linear-gradient(135deg, var(--warn) 0 5px, transparent 5px 8px);
  }
  .why {
    margin: 0.35rem 0 0;
    font-size: 0.93rem;
    overflow-wrap: anywhere;
  }
  .group .why {
    font-size: 0.87rem;
    color: var(--soft);
  }
  .below {
    margin: 0.35rem 0 0;
    font-size: 0.87rem;
  }
  .search {
    padding: 0.6rem 0.9rem 0.8rem;
    background: var(--paper);
    border: 4px double var(--search);
    border-radius: 0.5rem;
  }
  .search p {
    font-size: 0.93rem;
  }
  .search-body {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    gap: 0.5rem 2rem;
    margin-top: 0.4rem;
  }
  .tree ul {
    margin-left: 0.5rem;
    padding-left: 1rem;
    border-left: 1.5px solid var(--soft);
  }
  .tree ul > li {
    position: relative;
  }
  .tree ul > li::before {
    content: '';
    position: absolute;
    top: 0.95rem;
    left: -1rem;
    width: 0.8rem;
    border-top: 1.5px solid var(--soft);
  }
  .tree ul > li:last-child::after {
    content: '';
    position: absolute;
    top: calc(0.95rem + 1.5px);
    bottom: 0;
    left: calc(-1rem - 1.5px);
    width: 1.5px;
    background: var(--paper);
  }
  .step {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 0.6rem;
    padding: 0.2rem 0;
    overflow-wrap: anywhere;
  }
  @media (max-width: 800px) {
    .search-body {
      grid-template-columns: minmax(0, 1fr);
    }
    .track {
      display: block;
    }
    .tip {
      margin: 0 0 0.5rem;
      max-width: none;
    }
    .groups {
      gap: 0.6rem;
    }
    .group::before {
      display: none;
    }
  }
`
