/** The style of the page of one pull request. */

import { css } from '../../../../sim/report/style/css.ts'

export const onePageStyle = css`
  .back {
    margin: 1rem 0 0;
  }
  .summary {
    margin-top: 0.75rem;
  }
  .summary h1 {
    overflow-wrap: anywhere;
  }
  .now {
    margin-top: 0.75rem;
    font-size: 1.15rem;
  }
  .summary .why {
    font-size: 1rem;
  }
  .one > section {
    margin-top: 1.5rem;
  }
  .chain {
    display: flex;
    flex-wrap: wrap;
    gap: 0.3rem 0.5rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .chain li {
    padding: 0.15rem 0.6rem;
    margin: 0;
    max-width: 22rem;
    background: var(--paper);
    border: 1px solid var(--line);
    border-radius: 0.4rem;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .steps {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .steps li {
    display: grid;
    grid-template-columns: 6.5rem minmax(0, 1fr);
    gap: 0 0.75rem;
    padding: 0.2rem 0 0.2rem 0.9rem;
    border-left: 2px solid var(--line);
  }
  .steps li:last-child {
    border-left-color: var(--link);
  }
  .steps time {
    color: var(--soft);
    font-variant-numeric: tabular-nums;
  }
  .one .scroll {
    max-height: none;
    background: var(--paper);
    border: 1px solid var(--line);
    border-radius: 0.5rem;
    padding: 0.25rem 0.9rem;
  }
  @media (max-width: 500px) {
    .steps li {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`
