import type { Property } from './property.ts'
import { minute, pullRequests } from './telling.ts'
import { booksOf, judgeInto, watcher, type Seen } from './watching.ts'

/**
 * Spec, safety 10 and "Queue states": what was in the line already may start again, nobody else
 * may. SWITCHING_MODES ends, with the new mode, when nothing is in the line or being bisected.
 */
export const drainingStartsNothingNew: Property = {
  name: 'draining-starts-nothing-new',
  sentence:
    'A queue that is DRAINING or SWITCHING_MODES starts nobody new, and modes are switched on an empty line.',
  watch(setting, findings) {
    const judge = judgeInto(findings)
    const books = booksOf(setting)
    const { settings } = books

    const lookAt = (seen: Seen, numbers: readonly number[], what: string): void => {
      const { state } = settings
      if (state === 'PAUSED') return
      judge(state === 'RUNNING', seen, () => ({
        story: `At ${minute(seen.at)} the queue was ${state}, and ${pullRequests(numbers)} ${what}.`,
        pullRequests: numbers,
      }))
    }
    const isEmpty = (): boolean => books.line.groups.length === 0 && books.bisections.all.size === 0

    return watcher(setting, {
      on: {
        groupPlaced({ members, cause }, seen) {
          if (cause === 'survivors' || cause === 'proven') return
          lookAt(seen, members, `came into the line (${cause})`)
        },
        pullRequestSubmitted({ number, state }, seen) {
          if (state === 'PENDING') lookAt(seen, [number], 'was let in')
        },
        pullRequestMoved({ number, from, to }, seen) {
          if (from === 'NOT_READY' && to === 'PENDING') lookAt(seen, [number], 'became ready')
        },
        queueConfigured({ set }, seen) {
          const { mode } = set
          if (mode === undefined || mode === settings.configuration.mode) return
          judge(isEmpty(), seen, () => ({
            story: `At ${minute(seen.at)} the mode became ${mode} with work in the line.`,
            pullRequests: books.line.groups.flatMap(({ members }) => members),
          }))
        },
        queueStateChanged({ from, to }, seen) {
          if (from !== 'SWITCHING_MODES') return
          judge(to === 'RUNNING' && isEmpty(), seen, () => ({
            story: `At ${minute(seen.at)} the queue left SWITCHING_MODES for ${to} with work in the line.`,
            pullRequests: books.line.groups.flatMap(({ members }) => members),
          }))
        },
      },
    })
  },
}
