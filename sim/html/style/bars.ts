/** The style of bars that list their pull requests, of their lists and of tooltips. */

import { css } from './css.ts'

export const bars = css`
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
