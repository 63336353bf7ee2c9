/** The style of dialogs and forms; on phones a dialog is a sheet at the lower edge. */

import { css } from '../../../../sim/report/style/css.ts'

export const dialogStyle = css`
  dialog {
    width: min(32rem, 100vw - 2rem);
    max-height: calc(100dvh - 2rem);
    padding: 0;
    color: var(--ink);
    background: var(--paper);
    border: 1px solid var(--soft);
    border-radius: 0.6rem;
    box-shadow: 0 12px 48px rgb(0 0 0 / 35%);
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 45%);
  }
  .dialog-body {
    padding: 1.1rem 1.25rem;
    overflow-wrap: anywhere;
  }
  .choices button {
    display: flex;
    flex-direction: column;
    width: 100%;
    margin-top: 0.5rem;
    padding: 0.5rem 0.9rem;
    text-align: left;
  }
  .confirm > * + *,
  .choices + .buttons {
    margin-top: 0.75rem;
  }
  .confirm > label {
    display: block;
  }
  .confirm label.field {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.25rem 1rem;
  }
  .sign-in {
    max-width: 34rem;
  }
  .sign-in input {
    flex: 1;
  }
  fieldset {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1.25rem;
    margin: 0;
    border: 1px solid var(--line);
    border-radius: 0.4rem;
  }
  .error {
    padding: 0.4rem 0.75rem;
    color: var(--bad);
    border: 1px solid currentColor;
    border-radius: 0.4rem;
    overflow-wrap: anywhere;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: 0.5rem;
    max-width: none;
  }
  .buttons.is-left {
    justify-content: flex-start;
  }
  .help {
    margin: 0.25rem 0 1rem;
  }
  .help > div {
    display: grid;
    grid-template-columns: 7rem minmax(0, 1fr);
    gap: 0.5rem;
    padding: 0.1rem 0;
  }
  .help dd {
    margin: 0;
  }
  kbd {
    font: inherit;
    padding: 0 0.3rem;
    border: 1px solid var(--soft);
    border-radius: 0.25rem;
  }
  @media (max-width: 500px) {
    dialog {
      width: 100vw;
      max-width: none;
      margin: auto 0 0;
      border-radius: 0.8rem 0.8rem 0 0;
    }
    .buttons:not(.is-left) button {
      flex: 1;
    }
  }
  @media (prefers-reduced-motion: no-preference) {
    .run-bar > span {
      transition: width 1s linear;
    }
    .group,
    .rows tr {
      transition: border-color 0.2s;
    }
  }
`
