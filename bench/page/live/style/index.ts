/** The style of the live page. */

import { partsStyle } from '../../parts/style.ts'
import { dialogStyle } from './dialog.ts'
import { lineStyle } from './line.ts'
import { listStyle } from './lists.ts'
import { onePageStyle } from './one-page.ts'
import { rowsStyle } from './rows.ts'
import { topStyle } from './top.ts'
import { trendsStyle } from './trends.ts'

export const pageStyle = [
  partsStyle,
  topStyle,
  lineStyle,
  rowsStyle,
  listStyle,
  trendsStyle,
  onePageStyle,
  dialogStyle,
].join('')
