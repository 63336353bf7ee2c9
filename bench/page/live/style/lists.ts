/** The style of lists: what ended, the queues, what is starred but elsewhere. */

import { css } from '../../../../sim/report/style/css.ts'

export const listStyle = css`
  .halves {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    gap: 0 2rem;
    align-items: start;
  }
  h2 {
    margin-bottom: 0.5rem;
  }
  .section-head {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    justify-content: space-between;
    gap: 0.5rem;
  }
  .ended-list,
  .elsewhere,
  .queues,
  .choices {
    list-style: none;
    margin: 0;
    padding: 0;
  }
  .ended-list {
    background: var(--paper);
    border: 1px solid var(--line);
    border-radius: 0.5rem;
  }
  .ended-list:empty {
    display: none;
  }
  .ended-list + button {
    margin-top: 0.5rem;
  }
  .ended-list > li {
    padding: 0.35rem 0.75rem;
    border-top: 1px solid var(--line);
  }
  .ended-list > li:first-child {
    border-top: 0;
  }
  .ended-head {
    display: flex;
    align-items: center;
    gap: 0.1rem 0.75rem;
    margin: 0;
    max-width: none;
  }
  .ended-head .state {
    flex: none;
    min-width: 5.6rem;
  }
  .ended-head .pull-request {
    flex: 1 1 auto;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .ended-when {
    flex: none;
    font-size: 0.87rem;
    font-variant-numeric: tabular-nums;
  }
  .ended-list .why {
    margin: 0 0 0.15rem;
  }
  .evidence {
    display: flex;
    flex-wrap: wrap;
    gap: 0.1rem 1.5rem;
    margin: 0.15rem 0 0.3rem;
    font-size: 0.87rem;
  }
  .evidence > div {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.4rem;
    min-width: 0;
  }
  .evidence dt {
    color: var(--soft);
  }
  .evidence dd {
    margin: 0;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .yours .ended-list,
  .elsewhere {
    margin-top: 0.5rem;
  }
  .elsewhere li {
    display: flex;
    align-items: center;
    gap: 0.5rem;
  }
  .queues {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr));
    gap: 0.75rem;
    margin-top: 1rem;
  }
  .queues a {
    display: flex;
    flex-direction: column;
    height: 100%;
    padding: 0.75rem 1rem;
    color: inherit;
    text-decoration: none;
    background: var(--paper);
    border: 1px solid var(--line);
    border-radius: 0.5rem;
    overflow-wrap: anywhere;
  }
  .queues a:hover {
    border-color: var(--link);
  }
  .chooser,
  .sign-in,
  main > h1:first-child {
    margin-top: 2rem;
  }
  @media (max-width: 1000px) {
    .halves {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  @media (max-width: 500px) {
    .ended-head {
      flex-wrap: wrap;
    }
    .ended-head .pull-request {
      white-space: normal;
      flex-basis: calc(100% - 8.6rem);
    }
    .ended-when {
      flex: 1 1 auto;
    }
  }
`
