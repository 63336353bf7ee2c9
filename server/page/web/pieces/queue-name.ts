/** The name of a queue: its repository and its branch. */

import type { QueueHead } from '../../frame.ts'
import { shownText } from '../parts/shown-text.ts'

export const queueName = ({ owner, name, targetBranch }: QueueHead): string =>
  shownText(`${owner}/${name} : ${targetBranch}`)
