/** The style that the pages share with the reports. */

import type { Plugin } from 'vite'
import { screenStyle } from '../../../sim/html/style/base.ts'

const mark = "@import 'mergeyard:shared';"

/** Puts the shared style in the place of `@import 'mergeyard:shared'` in a style sheet. */
export function sharedStyle(): Plugin {
  return {
    name: 'mergeyard-shared-style',
    enforce: 'pre',
    transform: (code, id) => (id.endsWith('.css') ? code.replace(mark, () => screenStyle) : null),
  }
}
