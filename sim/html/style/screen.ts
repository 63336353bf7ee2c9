/**
 * The style that reports share with the pages of `bench/page`, which move: the colours, the frame of
 * a page, and tiles, cards and tables. Paper and the charts of reports are not part of it.
 */

import { dark, light } from './colors.ts'
import { css } from './css.ts'
import { frame } from './frame.ts'
import { pieces } from './pieces.ts'

export const screenStyle = css`
  :root {
    ${light}
  }
  @media (prefers-color-scheme: dark) {
    :root {
      ${dark}
    }
  }
  ${frame}
  ${pieces}
`
