/** The style that both pages share: the colours of states, marks, buttons, what only readers hear. */

import { dark, light } from '../../../sim/report/style/colors.ts'
import { css } from '../../../sim/report/style/css.ts'
import { frame } from '../../../sim/report/style/frame.ts'

/** As text these colours have the contrast of `good` and `bad`; a test compares them. */
export const searchColors = { light: '#a3246d', dark: '#f08fc6' } as const

export const partsStyle = css`
  :root {
    ${light}
    --search: ${searchColors.light};
    --on-mark: #ffffff;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      ${dark}
      --search: ${searchColors.dark};
      --on-mark: #121419;
    }
  }
  ${frame}
  .is-not-ready,
  .is-waiting,
  .is-cancelled {
    --state: var(--soft);
  }
  .is-testing {
    --state: var(--link);
  }
  .is-passed,
  .is-merged {
    --state: var(--good);
  }
  .is-held,
  .is-lost,
  .is-conflicted {
    --state: var(--warn);
  }
  .is-bisecting {
    --state: var(--search);
  }
  .is-failed {
    --state: var(--bad);
  }
  .mark {
    flex: none;
    fill: none;
    stroke: var(--state);
    stroke-width: 1.6;
    stroke-linecap: round;
    stroke-linejoin: round;
    vertical-align: -0.15em;
  }
  .mark-fill {
    fill: var(--state, currentColor);
    stroke: none;
  }
  .mark-cut {
    stroke: var(--on-mark);
    stroke-width: 1.9;
  }
  .state {
    display: inline-flex;
    align-items: center;
    gap: 0.35rem;
    color: var(--state);
    font-weight: 600;
    white-space: nowrap;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  button,
  input,
  select {
    font: inherit;
    color: inherit;
  }
  button {
    min-height: 1.9rem;
    padding: 0.15rem 0.75rem;
    background: var(--paper);
    border: 1px solid var(--line);
    border-radius: 0.4rem;
    cursor: pointer;
  }
  button:hover {
    border-color: var(--soft);
  }
  button.is-main {
    color: var(--paper);
    background: var(--link);
    border-color: var(--link);
  }
  button.is-grave {
    color: var(--paper);
    background: var(--bad);
    border-color: var(--bad);
  }
  button[aria-disabled='true'] {
    opacity: 0.6;
    cursor: default;
  }
  button[aria-pressed='true'] {
    font-weight: 600;
    border-color: var(--ink);
  }
  @media (pointer: coarse) {
    button,
    input,
    select {
      min-height: 44px;
    }
  }
  @media (forced-colors: active) {
    .mark {
      stroke: CanvasText;
    }
    .mark-fill {
      fill: CanvasText;
    }
    .mark-cut {
      stroke: Canvas;
    }
  }
`
