/** The style of the timeline. */

import { controlsStyle } from './controls.ts'
import { mediaStyle } from './media.ts'
import { rowsStyle } from './rows.ts'
import { sheetStyle } from './sheet.ts'
import { tracksStyle } from './tracks.ts'

export const timelineStyle = [controlsStyle, sheetStyle, rowsStyle, tracksStyle, mediaStyle].join(
  '',
)
