/** The style of the whole page: fonts, spacing, links. */

import { css } from './css.ts'

export const frame = css`
  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }
  html {
    font:
      15px/1.5 system-ui,
      sans-serif;
    background: var(--ground);
    color: var(--ink);
    scroll-padding-top: 1rem;
  }
  body {
    margin: 0 auto;
    padding: 1.5rem clamp(1rem, 3vw, 2.5rem) 3rem;
    max-width: 110rem;
    overflow-wrap: break-word;
  }
  h1 {
    font-size: 1.6rem;
    line-height: 1.2;
    margin: 0;
  }
  h2 {
    font-size: 1.15rem;
    margin: 0 0 0.25rem;
  }
  h3 {
    font-size: 1rem;
    margin: 0;
  }
  p {
    margin: 0.25rem 0;
    max-width: 75ch;
  }
  a {
    color: var(--link);
  }
  code {
    font:
      0.9em/1.4 ui-monospace,
      monospace;
    overflow-wrap: anywhere;
  }
  :focus-visible {
    outline: 2px solid var(--link);
    outline-offset: 2px;
  }
  .soft {
    color: var(--soft);
  }
  .good {
    color: var(--good);
  }
  .bad {
    color: var(--bad);
  }
  .warn {
    color: var(--warn);
  }
  .skip:not(:focus) {
    position: absolute;
    left: -99rem;
  }
  nav ul {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1.25rem;
    list-style: none;
    padding: 0;
    margin: 1rem 0 0;
  }
  section {
    margin-top: 2rem;
  }
  footer {
    margin-top: 2.5rem;
    color: var(--soft);
    font-size: 0.9rem;
  }
`
