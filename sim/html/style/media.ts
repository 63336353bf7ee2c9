/** The differences in style on laptops, on phones and on paper. */

import { css } from './css.ts'

export const laptop = css`
  .cards,
  .cards.thirds {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
`

export const tablet = css`
  .card.wide svg.wide {
    display: none;
  }
  .card.wide svg.medium {
    display: block;
  }
`

export const phone = css`
  .cards,
  .cards.thirds {
    grid-template-columns: minmax(0, 1fr);
  }
  svg.wide {
    display: none;
  }
  .card svg.narrow {
    display: block;
  }
  .tiles {
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: 0.5rem;
  }
  th,
  td {
    padding-right: 0.6rem;
  }
  /* Keeps a name of several words on two lines instead of six. */
  tbody th {
    min-width: 8.5rem;
  }
`

export const paper = css`
  html {
    font-size: 11px;
    background: none;
  }
  body {
    padding: 0;
    max-width: none;
  }
  nav,
  .skip {
    display: none;
  }
  .scroll {
    overflow: visible;
    font-size: 0.9em;
  }
  th,
  td {
    padding-right: 0.5rem;
  }
  .card,
  .tiles > div,
  tr {
    break-inside: avoid;
  }
  h2,
  h3 {
    break-after: avoid;
  }
`
