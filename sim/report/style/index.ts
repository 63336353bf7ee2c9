/**
 * How reports look: light and dark by the reader's own setting, on a phone, on a wide screen and on
 * paper. Charts take their colours from the same variables, so that they change along.
 */

import { dark, light } from './colors.ts'
import { css } from './css.ts'
import { frame } from './frame.ts'
import { laptop, paper, phone } from './media.ts'
import { pieces } from './pieces.ts'

/** The style of every report; a report adds what only it has. */
export const baseStyle = css`
  :root {
    ${light}
  }
  @media screen and (prefers-color-scheme: dark) {
    :root {
      ${dark}
    }
  }
  ${frame}
  ${pieces}
  @media (max-width: 100rem) {
    ${laptop}
  }
  @media (max-width: 40rem) {
    ${phone}
  }
  @media print {
    ${paper}
  }
`
