/** The style of the frame of the page: its top, its banners, its answer. */

import { css } from '../../../../sim/report/style/css.ts'

export const topStyle = css`
  body {
    max-width: 1340px;
    padding: 0 clamp(0.75rem, 2.2vw, 2rem) 4rem;
  }
  main {
    outline: none;
  }
  main > section,
  .halves > *,
  .trends > * + * {
    margin-top: 1.75rem;
  }
  .skip:focus {
    position: absolute;
    z-index: 9;
    padding: 0.5rem 1rem;
    background: var(--paper);
  }
  .top {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 0.75rem;
    padding: 0.75rem 0;
    border-bottom: 1px solid var(--line);
  }
  .top .grow {
    flex: 1;
  }
  .brand {
    font-weight: 700;
    color: var(--ink);
    text-decoration: none;
  }
  .place {
    color: inherit;
    font-weight: 600;
    text-decoration: none;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .place::before {
    content: '/';
    margin-right: 0.75rem;
    color: var(--soft);
    font-weight: 400;
  }
  .live {
    display: inline-flex;
    align-items: center;
    gap: 0.35rem;
    font-size: 0.87rem;
    color: var(--soft);
    white-space: nowrap;
  }
  .live::before {
    content: '';
    width: 0.55rem;
    height: 0.55rem;
    border: 2px solid currentColor;
    border-radius: 50%;
  }
  .live.is-live {
    color: var(--good);
  }
  .live.is-live::before {
    background: currentColor;
  }
  .live.is-lost {
    color: var(--bad);
    font-weight: 600;
  }
  .live.is-lost::before {
    border-radius: 0;
    transform: rotate(45deg);
  }
  .who {
    display: inline-flex;
    align-items: center;
    gap: 0.5rem;
    min-width: 0;
  }
  .who bdi {
    max-width: 12rem;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    color: var(--soft);
  }
  .banner {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.15rem 0.5rem;
    margin-top: 1rem;
    padding: 0.6rem 0.9rem;
    background: var(--paper);
    border: 1px solid var(--line);
    border-left: 0.4rem solid var(--warn);
    border-radius: 0.4rem;
  }
  .banner.is-bad {
    border-left-color: var(--bad);
  }
  .banner.is-warn {
    border-left-style: double;
  }
  .banner b {
    color: var(--warn);
  }
  .banner.is-bad b {
    color: var(--bad);
  }
  .banner button {
    margin-left: auto;
  }
  .answer {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    justify-content: space-between;
    gap: 0.75rem 2rem;
  }
  .next {
    margin: 0;
    font-size: 1.3rem;
    line-height: 1.35;
    min-width: 0;
    max-width: 100%;
  }
  .next .soft {
    font-size: 1rem;
  }
  .next .pull-request {
    font-size: 1rem;
  }
  .figures {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1.5rem;
    margin: 0;
  }
  .figures > div {
    display: flex;
    flex-direction: row-reverse;
    align-items: baseline;
    gap: 0.35rem;
  }
  .figures dt {
    color: var(--soft);
  }
  .figures dd {
    margin: 0;
    font-weight: 600;
    font-variant-numeric: tabular-nums;
  }
  .find {
    position: relative;
  }
  input[type='search'] {
    width: 11.5rem;
  }
  input:not([type='checkbox'], [type='radio']),
  select {
    min-height: 1.9rem;
    padding: 0.15rem 0.6rem;
    background: var(--paper);
    border: 1px solid var(--soft);
    border-radius: 0.4rem;
    max-width: 100%;
  }
  .found {
    position: absolute;
    right: 0;
    z-index: 5;
    width: min(24rem, 100vw - 2rem);
    padding: 0.5rem 0.75rem;
    background: var(--paper);
    border: 1px solid var(--soft);
    border-radius: 0.4rem;
    box-shadow: 0 6px 24px rgb(0 0 0 / 25%);
  }
  .found ul {
    list-style: none;
    margin: 0;
    padding: 0;
  }
  .found li {
    padding: 0.25rem 0;
  }
  @media (max-width: 640px) {
    .top .grow {
      display: none;
    }
    .find,
    input[type='search'] {
      width: 100%;
    }
    .find {
      order: 9;
    }
    .found {
      left: 0;
      width: 100%;
    }
    .place {
      flex: 1 1 12rem;
    }
  }
`
