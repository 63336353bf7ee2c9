/**
 * The style of reports: light and dark by the reader's setting, on phones, wide screens and paper.
 * Charts use the same colour variables, so their colours change with the page.
 */

import { bars } from './bars.ts'
import { dark, light } from './colors.ts'
import { css } from './css.ts'
import { frame } from './frame.ts'
import { laptop, paper, phone, tablet } from './media.ts'
import { pieces } from './pieces.ts'

/** The style of every report. A report adds the style of its special parts. */
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
  ${bars}
  @media (max-width: 100rem) {
    ${laptop}
  }
  @media (min-width: 40.01rem) and (max-width: 62rem) {
    ${tablet}
  }
  @media (max-width: 40rem) {
    ${phone}
  }
  @media print {
    ${paper}
  }
`
