/** The style of the controls for search and zoom. */

import { css } from '../../../html/style/css.ts'

export const controlsStyle = css`
  .controls {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 1rem;
    margin: 0.75rem 0 0.5rem;
  }
  .controls label {
    display: flex;
    align-items: center;
    gap: 0.4rem;
    max-width: 100%;
  }
  .controls :is(input, select) {
    min-width: 0;
    width: 14rem;
  }
  .controls[hidden] {
    display: none;
  }
  .controls :is(input, select, button) {
    font: inherit;
    color: inherit;
    background: var(--paper);
    border: 1px solid var(--line);
    border-radius: 0.35rem;
    padding: 0.2rem 0.5rem;
    max-width: 100%;
  }
  .controls button {
    min-width: 2rem;
    cursor: pointer;
  }
  .opening {
    flex-basis: 100%;
    margin: 0;
  }
  .hint {
    font-size: 0.87rem;
  }
  kbd {
    font: inherit;
    border: 1px solid var(--line);
    border-radius: 0.25rem;
    padding: 0 0.3rem;
  }
`
